package neo4j

import (
	"context"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// cutRequest takes an id of requests apart, see TakeRequests.
func cutRequest(id string) (together, job string) {
	together, job, _ = strings.Cut(id, "/")
	return together, job
}

// ReplyToRequests sets the state of requests that the service has taken. One that was deleted, asked again, or freed by
// another service stays as it is. An answer ends the service's hold on it; with last, that was all that the service had
// taken, and its lease ends too.
func (db *DB) ReplyToRequests(ctx context.Context, service string, replies []connector.Reply, last bool) error {
	parameters := map[string]any{"service": service, "name": requestLock(service)}
	all := map[string]any{}
	for _, r := range replies {
		all[r.Request] = map[string]any{"state": string(r.State), "run": orNil(r.Run), "error": orNil(r.Error),
			"note": orNil(r.Note), "answered": r.State.Answered()}
	}
	parameters["replies"] = all
	return db.transact(ctx, work{step: "requests", writes: true, timeout: lockTimeout,
		do: func(ctx context.Context, t tx) error {
			err := t.rows(ctx, "MATCH (r:"+requestLabel+") WHERE "+taken+" AND r.service = $service "+
				"WITH r, $replies[toStringOrNull(r.request)] AS reply WHERE reply IS NOT NULL "+
				"SET r.state = reply.state, r.run = reply.run, r.error = reply.error, r.note = reply.note, "+
				"r.finished = CASE WHEN reply.answered THEN datetime() END, "+
				"r.service = CASE WHEN reply.answered THEN null ELSE r.service END", parameters, nil)
			if err != nil || !last {
				return err
			}
			return t.endRequestLease(ctx, service)
		}})
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func (t tx) endRequestLease(ctx context.Context, service string) error {
	return t.rows(ctx, "MATCH (l:"+lockLabel+" {name: $name}) DELETE l", map[string]any{"name": requestLock(service)}, nil)
}

// FreeRequests lets other services take what a service has taken and not answered, if that service is gone or own is
// set. Requests whose run has succeeded are answered instead. It reports whether it freed them.
func (db *DB) FreeRequests(ctx context.Context, service string, own bool) (freed bool, err error) {
	err = db.transact(ctx, work{step: "requests", writes: true, timeout: lockTimeout,
		do: func(ctx context.Context, t tx) error {
			freed = false
			if err := t.one(ctx); err != nil {
				return err
			}
			h, err := t.holder(ctx, requestLock(service))
			if err != nil || !own && h.held() && !h.process.Gone() {
				return err
			}
			freed = true
			if err := t.rows(ctx, "MATCH (r:"+requestLabel+") WHERE "+taken+
				" AND coalesce(left(toStringOrNull(r.service), 200), '') = $service "+
				"OPTIONAL MATCH (n:"+runLabel+" {id: r.run, status: 'succeeded'}) "+
				"SET r.state = n.status, r.finished = n.finished, r.run = n.id, r.service = null", map[string]any{
				"service": service}, nil); err != nil {
				return err
			}
			return t.endRequestLease(ctx, service)
		}})
	return freed, err
}

// PruneRequests removes requests that were answered longer ago than keep, by the server's clock. It returns how many it
// removed, ten thousand at most.
func (db *DB) PruneRequests(ctx context.Context, keep time.Duration) (int64, error) {
	old := "MATCH (r:" + requestLabel + ") WHERE r.state IN ['succeeded', 'failed', 'refused'] AND " +
		"r.finished < datetime() - duration({seconds: $keep}) "
	parameters := map[string]any{"keep": int64(keep / time.Second)}
	if n, err := db.count(ctx, "requests", old+"RETURN count(r)", parameters); err != nil || n == 0 {
		return 0, err // nothing is written without need
	}
	removed := int64(0)
	err := db.transact(ctx, work{step: "requests", writes: true, do: func(ctx context.Context, t tx) error {
		return t.rows(ctx, old+"WITH r LIMIT 10000 DETACH DELETE r RETURN count(*)", parameters,
			func(row []any) { removed, _ = row[0].(int64) })
	}})
	return removed, err
}
