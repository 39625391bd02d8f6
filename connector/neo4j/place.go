package neo4j

import (
	"context"
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/connector"
)

// place claims the properties and gives each column the property that it goes to: one that no reader is told to read.
func (w *writer) place(ctx context.Context, columns []connector.Column) ([]connector.Column, map[string]Owner, error) {
	if err := w.db.Await(ctx, w.options); err != nil {
		return nil, nil, err
	}
	owners, p, err := w.db.claim(ctx, columns, w.options, w.writers)
	if err != nil {
		return nil, nil, err
	}
	w.keepOff(owners)
	mode := modeOf(w.options)
	w.target = p.Target(mode)
	if p.Mode == connector.Stamp && p.Slot == connector.SlotNew && mode != connector.AB {
		if err := w.setAside(ctx, p); err != nil {
			return nil, nil, err
		}
	}
	columns = slices.Clone(columns)
	for i := range columns {
		columns[i].Property = mode.Property(columns[i].Property, w.target)
	}
	return columns, owners, nil
}

// keepOff makes the writer leave out nodes with a label of another job that shares a property; Force overwrites them.
func (w *writer) keepOff(owners map[string]Owner) {
	if w.options.Force {
		return
	}
	for _, o := range owners {
		w.others = union(w.others, o.others)
	}
}

// setAside copies the published scores of Stamp and tells readers to read the copy, so that the scores themselves can
// be overwritten.
func (w *writer) setAside(ctx context.Context, p connector.Publication) error {
	copies, err := w.owned(ctx, func(o Owner) bool {
		return o.Mode == connector.Stamp && o.Property == connector.Stamp.Property(o.Score, connector.SlotPrev)
	})
	if err != nil {
		return err
	}
	for _, o := range copies {
		from, to := "x."+quote(o.Score), "x."+quote(o.Property)
		_, err := w.sweep(ctx, o, amendment{
			condition: fmt.Sprintf("NOT coalesce(%[1]s = %[2]s, %[1]s IS NULL AND %[2]s IS NULL)", from, to),
			set:       to + " = " + from,
		})
		if err != nil {
			return err
		}
	}
	p.Slot, p.Previous, p.Writing = connector.SlotPrev, "", w.options.Run
	err = w.db.transact(ctx, work{step: "publish", writes: true, do: func(ctx context.Context, t tx) error {
		if err := t.setPublication(ctx, w.options.Job, p); err != nil {
			return err
		}
		return t.fence(ctx, w.options)
	}})
	if err != nil {
		return err
	}
	return w.db.Await(ctx, w.options)
}

// clearUnmeasured removes scores of measures that the job no longer has from the slot that is about to be published:
// they are an earlier run's.
func (w *writer) clearUnmeasured(ctx context.Context, measured map[string]Owner) error {
	mode := modeOf(w.options)
	if mode == connector.InPlace {
		return nil
	}
	owners, err := w.owned(ctx, func(o Owner) bool {
		_, now := measured[ownerKey(o.On, o.Property)]
		return !now && o.Mode == mode && o.Property == mode.Property(o.Score, w.target)
	})
	if err != nil {
		return err
	}
	for _, o := range owners {
		cleared, err := w.sweep(ctx, o, removal(w.written(o.Property)...))
		w.count(connector.WriteStats{Cleared: cleared})
		if err != nil {
			return err
		}
	}
	return nil
}

// owned lists the job's properties that meet a condition.
func (w *writer) owned(ctx context.Context, which func(Owner) bool) ([]Owner, error) {
	owners, err := w.db.Owners(ctx)
	return slices.DeleteFunc(owners, func(o Owner) bool { return o.Job != w.options.Job || !which(o) }), err
}

// Tidy removes what the job has written under another mode of publication than the one that it has now, and gives up
// the names. Its readers have been told to read elsewhere; Tidy waits for those that are still reading.
func (db *DB) Tidy(ctx context.Context, o connector.WriteOptions) (removed int64, err error) {
	ctx = connector.WithMeta(ctx, connector.Meta{Job: o.Job, Run: o.Run})
	w := &writer{db: db, options: o}
	left, err := w.owned(ctx, func(x Owner) bool { return x.Mode != modeOf(o) })
	if err != nil || len(left) == 0 {
		return 0, err
	}
	_, settled, err := db.published(ctx, o.Job)
	if err != nil {
		return 0, err
	}
	if err := db.drain(ctx, o, settled); err != nil {
		return 0, err
	}
	for _, x := range left {
		n, err := w.sweep(ctx, x, removal(x.Property))
		if err != nil {
			return removed, err
		}
		if x.Property != x.Mode.RunProperty(x.Score) {
			removed += n
		}
		err = db.transact(ctx, work{step: "write", writes: true, do: func(ctx context.Context, t tx) error {
			if err := t.disown(ctx, x); err != nil {
				return err
			}
			return t.fence(ctx, o)
		}})
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}
