package neo4j

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// RolledBack says what Rollback did.
type RolledBack struct {
	Job  string         `json:"job"`
	Mode connector.Mode `json:"mode"`
	// Withdrawn is the run whose scores readers saw, Run the one whose scores they see now.
	Withdrawn string `json:"withdrawn"`
	Run       string `json:"run"`
}

// rollbackLease is how long the lock stands while a job is rolled back, which takes two small transactions.
const rollbackLease = time.Minute

// Rollback publishes the scores of the run before the published one again, under the job's lock, and marks the run that
// is withdrawn. When there are none the error is of kind NoWayBack; a job that nobody knows is one of kind UnknownName.
func (db *DB) Rollback(ctx context.Context, job, owner string) (RolledBack, error) {
	var done RolledBack
	if err := db.checkJob(ctx, job); err != nil {
		return done, err
	}
	if _, err := db.revocable(ctx, job); err != nil {
		return done, err
	}
	ctx = connector.WithMeta(ctx, connector.Meta{Job: job, Run: "rollback"})
	lock, err := db.Acquire(ctx, job, owner, rollbackLease)
	if err != nil {
		return done, err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		_ = lock.Release(end) // it ends by itself
	}()
	o := connector.WriteOptions{Job: job, Lease: lock}
	p, err := db.revocable(ctx, job) // as it is under the lock
	if err != nil {
		return done, err
	}
	done = RolledBack{Job: job, Mode: p.Mode, Withdrawn: p.Run, Run: p.Previous}
	err = db.transact(ctx, work{step: "rollback", writes: true, do: func(ctx context.Context, t tx) error {
		if err := t.fence(ctx, o); err != nil {
			return err
		}
		if err := t.withdraw(ctx, done.Withdrawn, owner); err != nil {
			return err
		}
		if err := t.restoreResults(ctx, job, p.Previous); err != nil {
			return err
		}
		return t.setPublication(ctx, job, p.Other())
	}})
	if err != nil {
		return done, err
	}
	db.settle(ctx, o)
	return done, nil
}

// withdraw marks the record of a run whose scores are no longer what readers see.
func (t tx) withdraw(ctx context.Context, run, owner string) error {
	return t.rows(ctx, "MATCH (r:"+runLabel+" {id: $run}) WHERE r.status <> 'withdrawn' "+
		"SET r.status = 'withdrawn', r.note = coalesce(r.note + '; ', '') + 'rolled back at ' + "+
		"toString(datetime({epochSeconds: timestamp() / 1000})) + ' by ' + $owner",
		map[string]any{"run": run, "owner": owner}, nil)
}

// revocable returns the publication of a job that can be rolled back.
func (db *DB) revocable(ctx context.Context, job string) (connector.Publication, error) {
	p, err := db.Publication(ctx, job)
	if err == nil {
		err = wayBack(job, p)
	}
	return p, err
}

// wayBack says why there is none.
func wayBack(job string, p connector.Publication) error {
	e := &connector.Error{Kind: connector.NoWayBack, Hint: "linchpin history " + job + " lists the runs"}
	switch {
	case p.Run == "":
		e.Msg = fmt.Sprintf("job %s has published no run: there is nothing to roll back", job)
	case p.Mode == connector.InPlace:
		e.Msg = fmt.Sprintf("job %s writes inplace, over its earlier scores: there is nothing to roll back to", job)
		e.Hint = "write.mode: ab, or stamp, keeps the scores of the run before"
	case p.Previous != "":
		return nil
	case p.Writing != "":
		e.Msg = fmt.Sprintf("run %s of job %s has begun to overwrite the scores before those of run %s, which readers see: "+
			"there is nothing to roll back to", p.Writing, job, p.Run)
	default:
		e.Msg = fmt.Sprintf("no scores of job %s are kept but those of run %s, which readers see: there is nothing to roll "+
			"back to", job, p.Run)
	}
	return e
}

// restoreResults puts distances, supernodes and the dendrogram of an earlier run there again, by its record.
func (t tx) restoreResults(ctx context.Context, job, run string) error {
	r := connector.Run{Job: job}
	var damaged error
	err := t.rows(ctx, "MATCH (r:"+runLabel+" {id: $run}) RETURN properties(r)",
		map[string]any{"run": run}, func(row []any) {
			properties, _ := row[0].(map[string]any)
			r, damaged = runOf(properties)
		})
	if err != nil {
		return err
	}
	if damaged != nil {
		return damaged
	}
	if err := t.saveDistances(ctx, r); err != nil {
		return err
	}
	return t.saveTrees(ctx, r)
}
