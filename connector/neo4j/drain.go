package neo4j

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// Await waits until no transaction is left that began before the job's scores were last published and may read, still,
// what the next write replaces: a reader asks once which slot to read, and may then take its time. It asks the server
// for its transactions; a user without the right to see those of others waits for its own alone. When one of them lasts
// longer than o.Drain, the error names it, and nothing has been changed.
func (db *DB) Await(ctx context.Context, o connector.WriteOptions) error {
	p, settled, err := db.published(ctx, o.Job)
	if err != nil || p.Mode == "" || p.Mode == connector.InPlace {
		return err
	}
	return db.drain(ctx, o, settled)
}

// reading is a transaction that may still read.
type reading struct{ id, user, since string }

// drain waits for the transactions that are running now and began before a time; zero stands for now.
func (db *DB) drain(ctx context.Context, o connector.WriteOptions, before time.Time) error {
	condition := ""
	parameters := map[string]any{"database": db.server.Database, "ids": nil, "before": nil}
	if !before.IsZero() {
		condition, parameters["before"] = "AND datetime(startTime) <= $before ", before
	}
	var ids []string
	pause := 5 * time.Millisecond
	for end := time.Now().Add(o.Drain); ; {
		open, err := db.readings(ctx, condition, parameters)
		if err != nil || len(open) == 0 {
			return err
		}
		if ids == nil { // later ones see what is published now
			for _, r := range open {
				ids = append(ids, r.id)
			}
			condition, parameters["ids"] = "AND transactionId IN $ids ", ids
		}
		if time.Now().After(end) {
			r := open[0]
			return &connector.Error{
				Kind: connector.Busy,
				Msg:  fmt.Sprintf("%s, open since %s by %s, may still read the scores to be replaced", r.id, r.since, r.user),
				Hint: fmt.Sprintf("wait for it, end it (TERMINATE TRANSACTION '%s'), or wait longer with write.drain", r.id),
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
			pause = min(2*pause, time.Second)
		}
	}
}

// readings are the open transactions that are not linchpin's own, the oldest first.
func (db *DB) readings(ctx context.Context, condition string, parameters map[string]any) ([]reading, error) {
	var out []reading
	err := db.transact(ctx, work{step: "read", writes: true, do: func(ctx context.Context, t tx) error {
		out = nil
		return t.rows(ctx, "SHOW TRANSACTIONS YIELD database, transactionId, username, startTime, metaData "+
			"WHERE database = $database AND coalesce(metaData.app, '') <> 'linchpin' "+condition+
			"RETURN transactionId, username, startTime ORDER BY startTime", parameters, func(row []any) {
			r := reading{fmt.Sprint(row[0]), "nobody", fmt.Sprint(row[2])}
			if user, _ := row[1].(string); user != "" {
				r.user = user
			}
			out = append(out, r)
		})
	}})
	return out, err
}
