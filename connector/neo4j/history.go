package neo4j

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// Run returns the record of a run by its id; an unknown one is an error of kind UnknownName.
func (db *DB) Run(ctx context.Context, id string) (*connector.Run, error) {
	rows, err := db.query(ctx, "history", "MATCH (r:"+runLabel+" {id: $id}) RETURN properties(r)",
		map[string]any{"id": id})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, &connector.Error{Kind: connector.UnknownName, Msg: "no run " + id,
			Hint: "linchpin history lists the runs"}
	}
	properties, _ := rows[0][0].(map[string]any)
	r, err := runOf(properties)
	return &r, err
}

// LastDue returns the newest due time of the job that a record accounts for, or zero. One that is still to come does
// not count: a host whose clock was ahead has recorded it.
func (db *DB) LastDue(ctx context.Context, job string) (time.Time, error) {
	rows, err := db.query(ctx, "history", "MATCH (r:"+runLabel+
		") WHERE r.job = $job AND r.started IS NOT NULL AND r.due IS NOT NULL "+
		"WITH r ORDER BY r.job DESC, r.started DESC LIMIT 50 WITH coalesce(r.until, r.due) AS due WHERE due <= $now "+
		"RETURN max(due)",
		map[string]any{"job": job, "now": db.options.Now().UTC()})
	if err != nil || len(rows) == 0 {
		return time.Time{}, err
	}
	last, _ := rows[0][0].(time.Time)
	return last, nil
}

// CloseRuns closes the records of processes that died. Those that say running while nobody holds the lock for them have
// failed, those that had begun to write stay unfinished and get a reason, those that say waiting were missed. One that
// waits in a live process, of another service, writes its record anew. It returns how many there were.
func (db *DB) CloseRuns(ctx context.Context, job string) (int64, error) {
	closed := int64(0)
	if err := db.ensureIndexes(ctx); err != nil {
		return 0, err
	}
	err := db.transact(ctx, work{step: "record", writes: true, do: func(ctx context.Context, t tx) error {
		closed = 0 // of an attempt that was undone
		count := func(row []any) {
			n, _ := row[0].(int64)
			closed += n
		}
		if err := t.closeRuns(ctx, job, count); err != nil {
			return err
		}
		return t.rows(ctx, "MATCH (r:"+runLabel+") WHERE r.job = $job AND r.started IS NOT NULL AND r.status = 'waiting' "+
			"SET r.status = 'missed', r.finished = datetime(), r.until = r.due, r.times = 1, "+
			"r.note = coalesce(r.note + '; ', '') + 'the process ended while the run stood in line or read the graph' "+
			"RETURN count(*)",
			map[string]any{"job": job}, count)
	}})
	return closed, err
}

// closeRuns looks up the two states one by one: for a list of them Neo4j 5.26 reads all of the job's records. There are
// seldom any, and to look is far cheaper to plan than to close.
func (t tx) closeRuns(ctx context.Context, job string, row func([]any)) error {
	for _, status := range []connector.RunStatus{connector.Running, connector.Unfinished} {
		open := "MATCH (r:" + runLabel + ") WHERE r.job = $job AND r.started IS NOT NULL AND r.status = $status"
		parameters := map[string]any{"job": job, "status": string(status)}
		found := int64(0)
		err := t.rows(ctx, open+" AND r.finished IS NULL RETURN count(r)", parameters,
			func(row []any) { found, _ = row[0].(int64) })
		if err != nil {
			return err
		}
		if found == 0 {
			continue
		}
		err = t.rows(ctx, open+" WITH r WHERE r.finished IS NULL AND NOT EXISTS { MATCH (l:"+lockLabel+
			" {name: $job}) WHERE l.until > timestamp() AND l.owner CONTAINS r.id } "+
			"SET r.status = CASE r.status WHEN 'running' THEN 'failed' ELSE r.status END, r.finished = datetime(), "+
			"r.error = 'the process ended without recording how' RETURN count(*)", parameters, row)
		if err != nil {
			return err
		}
	}
	return nil
}

// PruneRuns removes the job's oldest records so that keep stay, at most 10,000 at a time; the newest success always
// stays, and so do the runs that the publication names. It returns how many it removed.
func (db *DB) PruneRuns(ctx context.Context, job string, keep int) (int64, error) {
	removed := int64(0)
	err := db.transact(ctx, work{step: "record", writes: true, do: func(ctx context.Context, t tx) error {
		return t.rows(ctx, "OPTIONAL MATCH (j:"+jobLabel+
			" {name: $job}) WITH [x IN [j.run, j.previous, j.withdrawn] WHERE x IS NOT NULL] AS named "+
			"OPTIONAL MATCH (s:"+runLabel+") WHERE s.job = $job AND s.started IS NOT NULL AND s.status = 'succeeded' "+
			"WITH named, s ORDER BY s.job DESC, s.status DESC, s.started DESC LIMIT 1 "+
			"MATCH (r:"+runLabel+") WHERE r.job = $job AND r.started IS NOT NULL "+
			"WITH named, s, r ORDER BY r.job DESC, r.started DESC SKIP $keep LIMIT 10000 "+
			"WITH r WHERE (s IS NULL OR r <> s) AND NOT r.id IN named DETACH DELETE r RETURN count(*)",
			map[string]any{"job": job, "keep": keep}, func(row []any) { removed, _ = row[0].(int64) })
	}})
	return removed, err
}
