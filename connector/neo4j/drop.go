package neo4j

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// Dropped counts what Drop removed.
type Dropped struct {
	NodeScores         int64 `json:"nodeScores"`
	RelationshipScores int64 `json:"relationshipScores"`
	Runs               int64 `json:"runs"`
	Requests           int64 `json:"requests"`
}

// dropLease is how long the lock stands while a job is dropped. Removing all scores of a very large graph may take as
// long; a second Drop goes on where one was cut off.
const dropLease = time.Hour

// Drop removes the job's scores under every mode of publication, its run records, requests for it, and its claim on its
// properties. Nodes
// with a label of another job that shares a property keep theirs. Drop holds the job's lock meanwhile. A job that
// nobody knows is an error of kind UnknownName.
func (db *DB) Drop(ctx context.Context, job, owner string, progress connector.Progress) (Dropped, error) {
	var d Dropped
	if err := db.checkJob(ctx, job); err != nil {
		return d, err
	}
	ctx = connector.WithMeta(ctx, connector.Meta{Job: job, Run: "drop"})
	lock, err := db.Acquire(ctx, job, owner, dropLease)
	if err != nil {
		return d, err
	}
	if err := db.dropLocked(ctx, job, lock, &d, progress); err != nil {
		// The lease is long, so the lock gets longer to end than a session: until it does, nobody else can drop or run the
		// job.
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeout)
		defer cancel()
		_ = lock.Release(end) // the first error says more
		return d, err
	}
	// The lock's nodes go last. Fences follow the server's clock, so the next one is greater all the same.
	return d, db.transact(ctx, work{step: "drop", writes: true, do: func(ctx context.Context, t tx) error {
		if err := t.checkFence(ctx, job, lock.Fence()); err != nil {
			return err
		}
		return t.rows(ctx, "MATCH (l:"+lockLabel+") WHERE l.name = $job OR l.name STARTS WITH $job + '/' DELETE l",
			map[string]any{"job": job}, nil)
	}})
}

func (db *DB) checkJob(ctx context.Context, job string) error {
	rows, err := db.query(ctx, "drop", "MATCH (j:"+jobLabel+") RETURN j.name", nil)
	if err != nil {
		return err
	}
	for _, name := range texts(rows) {
		if name == job {
			return nil
		}
	}
	return unknownAmong("job", job, "the database has no record of it", texts(rows))
}

func (db *DB) dropLocked(ctx context.Context, job string, lock connector.Lease, d *Dropped,
	progress connector.Progress) error {
	if err := db.unpublish(ctx, job, lock); err != nil {
		return err
	}
	// Records go before scores: by what is left of them, a run after a Drop that was cut off would find nothing to do.
	parameters := map[string]any{"job": job}
	var err error
	if d.Runs, err = db.inBatches(ctx, "(x:"+runLabel+" {job: $job})", "DETACH DELETE x", usualBatch,
		parameters); err != nil {
		return err
	}
	if d.Requests, err = db.inBatches(ctx, "(x:"+requestLabel+" {job: $job})", "DETACH DELETE x", usualBatch,
		parameters); err != nil {
		return err
	}
	owners, err := db.Owners(ctx)
	if err != nil {
		return err
	}
	w := &writer{db: db, options: connector.WriteOptions{Job: job, Lease: lock}}
	for _, o := range owners {
		if o.Job != job {
			continue
		}
		n, err := w.sweep(ctx, o, removal(o.Property))
		if err != nil {
			return err
		}
		if o.Property == o.Mode.RunProperty(o.Score) {
			continue // no score, but the name of a run
		}
		if o.On == connector.OnNodes {
			d.NodeScores += n
		} else {
			d.RelationshipScores += n
		}
		if progress != nil {
			progress(d.NodeScores+d.RelationshipScores, 0)
		}
	}
	return db.transact(ctx, work{step: "drop", writes: true, do: func(ctx context.Context, t tx) error {
		return t.rows(ctx, "MATCH (x:"+propertyLabel+"|"+distanceLabel+"|"+superLabel+"|"+jobLabel+") WHERE NOT x:"+jobLabel+
			" AND x.job = $job OR x:"+jobLabel+" AND x.name = $job DETACH DELETE x", parameters, nil)
	}})
}

// unpublish tells readers that there are no scores, before the first is removed.
func (db *DB) unpublish(ctx context.Context, job string, lock connector.Lease) error {
	return db.transact(ctx, work{step: "drop", writes: true, do: func(ctx context.Context, t tx) error {
		if err := t.setPublication(ctx, job, connector.Publication{}); err != nil {
			return err
		}
		return t.fence(ctx, connector.WriteOptions{Job: job, Lease: lock})
	}})
}

// inBatches changes every x that a pattern meets, so that it does not meet it any more, in batches that the server
// commits one by one, and in smaller ones where its memory does not suffice. It returns how many there were.
func (db *DB) inBatches(ctx context.Context, pattern, change string, size int,
	parameters map[string]any) (int64, error) {
	all, err := db.count(ctx, "drop", "MATCH "+pattern+" RETURN count(x)", parameters)
	if err != nil || all == 0 {
		return 0, err
	}
	for {
		err := db.autocommit(ctx, "drop", fmt.Sprintf("MATCH %s %s%s } IN TRANSACTIONS OF %d ROWS", pattern, db.call("x"),
			change, size), parameters, nil)
		if !outOfMemory(err) || size <= leastBatch {
			return all, err
		}
		size = max(size/2, leastBatch)
	}
}
