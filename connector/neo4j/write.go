package neo4j

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

const (
	// usualBatch is how many nodes a transaction writes, unless WriteOptions.Batch says so.
	usualBatch = 10_000
	// relationshipBatch is the same for relationships, of which a transaction keeps more in the server's memory.
	relationshipBatch = 4_000
	// leastBatch is the size down to which batches are halved for want of the server's memory; smaller ones are tried
	// again, when others have given back theirs.
	leastBatch = 500
)

// writer is one Write under way.
type writer struct {
	db       *DB
	snapshot *export.Snapshot
	options  connector.WriteOptions
	target   connector.Slot // that it writes to
	writers  int            // that work side by side

	mu       sync.Mutex
	stats    connector.WriteStats
	progress connector.Progress
	expected int64
}

// Write implements connector.Sink. Scores that are NaN are written as no property at all. Every transaction holds up
// the lease's fence to the database: once the lock has gone to another process nothing more of this one is committed.
func (db *DB) Write(ctx context.Context, s *export.Snapshot, columns []connector.Column, o connector.WriteOptions, progress connector.Progress) (connector.WriteStats, error) {
	ctx = connector.WithMeta(ctx, connector.Meta{Job: o.Job, Run: o.Run})
	w := &writer{db: db, snapshot: s, options: o, progress: progress}
	err := w.write(ctx, columns)
	return w.stats, explain(ctx, err)
}

func (w *writer) write(ctx context.Context, columns []connector.Column) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.check(columns); err != nil {
		return err
	}
	w.writers = w.writersOf(columns)
	columns, owners, err := w.place(ctx, columns)
	if err != nil {
		return err
	}
	batches := []*batch{w.nodes(columns), w.relationships(columns)}
	for _, b := range batches {
		w.expected += int64(b.len())
	}
	for _, b := range batches {
		if err := w.writeAll(ctx, b); err != nil {
			return err
		}
	}
	if err := w.clearUnmeasured(ctx, owners); err != nil || !w.options.ClearStale {
		return err
	}
	for _, b := range batches {
		if err := w.clearStale(ctx, b, owners); err != nil {
			return err
		}
	}
	return nil
}

// check refuses columns that do not fit the snapshot.
func (w *writer) check(columns []connector.Column) error {
	s := w.snapshot
	for _, c := range columns {
		n, ids := s.Graph.N(), s.Nodes
		if c.On == connector.OnRelationships {
			n, ids = s.Rels.Len(), s.Rels.IDs
		}
		switch {
		case len(c.Values) != n:
			return fmt.Errorf("write %s: %d scores for %d %s", c.Property, len(c.Values), n, c.On)
		case ids.Len() != n:
			return fmt.Errorf("write %s: the snapshot has no ids for its %s: it was not exported from a database", c.Property, c.On)
		case n > 0 && (ids.Texts != nil) == w.db.server.IntegerIDs:
			return fmt.Errorf("write %s: the snapshot and this connection name %s in different ways: export again", c.Property, c.On)
		}
	}
	return nil
}

// size is how many entities a transaction writes.
func (w *writer) size(on connector.Entity) int {
	if on == connector.OnRelationships {
		return cmp.Or(w.options.Batch, relationshipBatch)
	}
	return cmp.Or(w.options.Batch, usualBatch)
}

// writersOf is how many writers the columns keep busy.
func (w *writer) writersOf(columns []connector.Column) int {
	batches := 1
	for _, c := range columns {
		size := w.size(c.On)
		batches = max(batches, (len(c.Values)+size-1)/size)
	}
	return min(batches, w.db.options.Connections)
}

// run runs a writer's statement, which ends in WITH met, changed, and returns them and the number of properties set. It
// ends the transaction with an error when the job's lock has gone to another process. The statement itself takes the fence
// at its end, and reads it: sending that by itself would cost two statements a transaction.
func (w *writer) run(ctx context.Context, t tx, writer int, cypher string, parameters map[string]any) (met, changed, set int64, err error) {
	last, lease := "0", w.options.Lease
	if lease != nil {
		name := w.options.Job
		if w.writers > 1 {
			name = fenceName(name, writer+1)
		}
		own := map[string]any{}
		maps.Copy(own, parameters)
		cypher, parameters, last = cypher+hold(name, own), own, "f.fence"
	}
	fence := int64(0)
	summary, err := t.summary(ctx, cypher+" RETURN met, changed, "+last, parameters, func(row []any) {
		met, _ = row[0].(int64)
		changed, _ = row[1].(int64)
		fence, _ = row[2].(int64)
	})
	if err != nil {
		return 0, 0, 0, err
	}
	set = int64(summary.Counters().PropertiesSet())
	switch {
	case lease == nil:
		return met, changed, set, nil
	case fence == lease.Fence():
		return met, changed, set - 1, nil // without the fence's own
	}
	h, err := t.holder(ctx, w.options.Job)
	if err != nil {
		return 0, 0, 0, err
	}
	return 0, 0, 0, lost(w.options.Job, h)
}

// nodes prepares the scores of nodes.
func (w *writer) nodes(columns []connector.Column) *batch {
	b := &batch{writer: w, on: connector.OnNodes, ids: w.snapshot.Nodes, pattern: "(x)"}
	guard := w.options.Projection.Labels
	b.guard = " AND NOT x:" + quoteAll(ownLabels())
	if len(guard) > 0 {
		b.guard = " AND x:" + quoteAll(guard)
	}
	return b.take(columns)
}

// relationships prepares the scores of relationships. The guard makes sure that an id is still that of the same one:
// Neo4j gives ids of what was deleted to what comes next.
func (w *writer) relationships(columns []connector.Column) *batch {
	var types []string
	for _, r := range w.options.Projection.Relationships {
		types = append(types, r.Type)
	}
	b := &batch{writer: w, on: connector.OnRelationships, ids: w.snapshot.Rels.IDs}
	b.pattern = "(a)-[x:" + quoteAll(types) + "]->(b)"
	b.guard = fmt.Sprintf(" AND %s = $sources[i] AND %s = $targets[i]", w.db.id("a"), w.db.id("b"))
	return b.take(columns)
}

// writeAll writes the parts, several at the same time. Writers of nodes never wait for each other; those of relationships
// do where what they commit has an end node in common.
func (w *writer) writeAll(ctx context.Context, b *batch) error {
	if len(b.columns) == 0 || b.len() == 0 {
		return nil
	}
	g, ctx := errgroup.WithContext(ctx)
	for writer := range w.writers {
		g.Go(func() error {
			for {
				low, high := b.next(writer)
				if low == high {
					return nil
				}
				if err := b.write(ctx, writer, low, high); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

// count adds to the totals and reports progress.
func (w *writer) count(s connector.WriteStats) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stats.Written += s.Written
	w.stats.Unchanged += s.Unchanged
	w.stats.Missing += s.Missing
	w.stats.Cleared += s.Cleared
	if w.progress != nil {
		done := w.stats.Written + w.stats.Unchanged + w.stats.Missing
		w.progress(done, w.expected)
	}
}

func hasNaN(values []float64) bool { return slices.ContainsFunc(values, math.IsNaN) }
