package neo4j

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// Publication returns what readers of the job's scores see. It stands in the properties mode, slot, run, previous,
// withdrawn and writing of (:LinchpinJob {name}); the zero value means that nothing does.
func (db *DB) Publication(ctx context.Context, job string) (connector.Publication, error) {
	p, _, err := db.published(ctx, job)
	return p, err
}

// published returns the publication, and the server's time by which it had become visible to every new transaction;
// zero where that is not known.
func (db *DB) published(ctx context.Context, job string) (p connector.Publication, settled time.Time, err error) {
	err = db.transact(ctx, work{step: "read", writes: true, do: func(ctx context.Context, t tx) error {
		p, settled, err = t.publication(ctx, job)
		return err
	}})
	return p, settled, err
}

func (t tx) publication(ctx context.Context, job string) (p connector.Publication, settled time.Time, err error) {
	old := false
	err = t.rows(ctx, "MATCH (j:"+jobLabel+" {name: $job}) RETURN j.mode, j.slot, j.run, j.previous, j.writing, "+
		"j.settled, j.withdrawn", map[string]any{"job": job}, func(row []any) {
		text := func(x any) string { s, _ := x.(string); return s }
		p = connector.Publication{
			Mode: connector.Mode(text(row[0])), Slot: connector.Slot(text(row[1])), Run: text(row[2]),
			Previous: text(row[3]), Writing: text(row[4]), Withdrawn: text(row[6]),
		}
		settled, _ = row[5].(time.Time)
		old = row[6] == nil && p.Run != "" && p.Previous == "" && p.Writing == ""
	})
	if err == nil && old {
		p.Withdrawn, err = t.withdrawnBefore(ctx, job, p.Run)
	}
	return p, settled, err
}

// withdrawnBefore returns the withdrawn run of a publication of a time before j.withdrawn: a record that is newer than
// that of the published run said which it was.
func (t tx) withdrawnBefore(ctx context.Context, job, run string) (withdrawn string, err error) {
	err = t.rows(ctx, "MATCH (r:"+runLabel+" {id: $run}) MATCH (w:"+runLabel+" {job: $job, status: 'withdrawn'}) "+
		"WHERE w.started > r.started RETURN w.id ORDER BY w.started DESC LIMIT 1",
		map[string]any{"job": job, "run": run}, func(row []any) { withdrawn, _ = row[0].(string) })
	return withdrawn, err
}

// setPublication changes what readers see, when the transaction ends.
func (t tx) setPublication(ctx context.Context, job string, p connector.Publication) error {
	properties := map[string]any{"settled": nil, "withdrawn": p.Withdrawn}
	for name, value := range map[string]string{
		"mode": string(p.Mode), "slot": string(p.Slot), "run": p.Run, "previous": p.Previous, "writing": p.Writing,
	} {
		properties[name] = nil
		if value != "" {
			properties[name] = value
		}
	}
	return t.rows(ctx, "MERGE (j:"+jobLabel+" {name: $job}) SET j += $properties",
		map[string]any{"job": job, "properties": properties}, nil)
}

// begin notes that a run is about to write: from here on there is no way back to the scores that it replaces.
func (t tx) begin(ctx context.Context, o connector.WriteOptions) (connector.Publication, error) {
	p, _, err := t.publication(ctx, o.Job)
	if err != nil {
		return p, err
	}
	return p, t.rows(ctx, "MERGE (j:"+jobLabel+" {name: $job}) SET j.previous = null, j.writing = $run",
		map[string]any{"job": o.Job, "run": o.Run}, nil)
}

// Publish makes the scores that Write has written what readers see, and stores the run's record, in one transaction
// that checks the lease: readers see all of the run, nodes and relationships, or nothing of it.
func (db *DB) Publish(ctx context.Context, r connector.Run, o connector.WriteOptions) error {
	ctx = connector.WithMeta(ctx, connector.Meta{Job: o.Job, Run: o.Run})
	settles := modeOf(o) != connector.InPlace
	err := db.transact(ctx, work{step: "publish", writes: true, do: func(ctx context.Context, t tx) error {
		if err := t.fence(ctx, o); err != nil {
			return err
		}
		p, _, err := t.publication(ctx, o.Job)
		switch {
		case err != nil:
			return err
		case p.Run == o.Run: // the answer to a first try was lost
			return nil
		case p.Writing != o.Run:
			return fmt.Errorf("publish %s: the run that has written is %q", o.Run, p.Writing)
		}
		settles = settles || p.Mode != "" && p.Mode != connector.InPlace
		if err := t.saveRun(ctx, r); err != nil {
			return err
		}
		return t.setPublication(ctx, o.Job, p.Next(modeOf(o), o.Run))
	}})
	if err == nil && settles {
		db.settle(ctx, o)
	}
	return err
}

// settle notes a time, on the server's clock, after which every new transaction saw what is published now. Without it
// the next write waits for more transactions than it must, so a failure is only logged. Where scores are overwritten in
// place, and were before, none waits.
func (db *DB) settle(ctx context.Context, o connector.WriteOptions) {
	err := db.transact(ctx, work{step: "publish", writes: true, do: func(ctx context.Context, t tx) error {
		err := t.rows(ctx, "MATCH (j:"+jobLabel+" {name: $job}) SET j.settled = datetime.realtime()",
			map[string]any{"job": o.Job}, nil)
		if err != nil {
			return err
		}
		return t.fence(ctx, o)
	}})
	if err != nil {
		db.options.Logger.Debug("the time of publication was not stored", "job", o.Job, "error", err)
	}
}

func modeOf(o connector.WriteOptions) connector.Mode {
	if o.Mode == "" {
		return connector.InPlace
	}
	return o.Mode
}
