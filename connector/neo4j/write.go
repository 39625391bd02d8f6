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
	others   []string       // labels of nodes that are left to other jobs

	mu       sync.Mutex
	stats    connector.WriteStats
	progress connector.Progress
	expected int64
}

// Write implements connector.Sink. Scores that are NaN are written as no property at all. Every transaction holds up
// the lease's fence to the database: once the lock has gone to another process nothing more of this one is committed.
func (db *DB) Write(ctx context.Context, s *export.Snapshot, columns []connector.Column, o connector.WriteOptions,
	progress connector.Progress) (connector.WriteStats, error) {
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
	nodes, relationships := columnsOf(connector.OnNodes, columns), columnsOf(connector.OnRelationships, columns)
	if len(nodes) > 0 {
		w.expected += int64(w.snapshot.Nodes.Len())
	}
	if len(relationships) > 0 {
		w.expected += int64(w.snapshot.Rels.Len())
	}
	goneNodes, err := w.writeNodes(ctx, nodes)
	if err != nil {
		return err
	}
	gone, err := w.writeRelationships(ctx, relationships, goneNodes)
	if err != nil {
		return err
	}
	if err := w.clearUnmeasured(ctx, owners); err != nil || !w.options.ClearStale {
		return err
	}
	if err := w.clearStale(ctx, nodes, without(w.snapshot.Nodes, goneNodes), owners); err != nil {
		return err
	}
	return w.clearStale(ctx, relationships, without(w.snapshot.Rels.IDs, gone), owners)
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
			return fmt.Errorf("write %s: the snapshot has no ids for its %s: it was not exported from a database", c.Property,
				c.On)
		case w.options.Projection.Key != "" && len(s.Keys) != s.Nodes.Len():
			return fmt.Errorf("write %s: the snapshot was exported without the key %s of its nodes: export again", c.Property,
				w.options.Projection.Key)
		case n > 0 && (ids.Texts != nil) == w.db.server.IntegerIDs:
			return fmt.Errorf("write %s: the snapshot and this connection name %s in different ways: export again", c.Property,
				c.On)
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

// written says what came of a writer's statement.
type written struct {
	met     int64
	places  []any // of those met, within the part, if the statement returns them
	changed int64
	set     int64 // properties that the server has set
}

// run runs a writer's statement, which ends in WITH met, changed. It ends the transaction with an error when the job's
// lock has gone to another process. The statement itself takes the fence at its end, and reads it: sending that by
// itself would cost two statements a transaction.
func (w *writer) run(ctx context.Context, t tx, writer int, cypher string,
	parameters map[string]any) (out written, err error) {
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
		if out.places = list(row[0]); out.places != nil {
			out.met = int64(len(out.places))
		} else {
			out.met, _ = row[0].(int64)
		}
		out.changed, _ = row[1].(int64)
		fence, _ = row[2].(int64)
	})
	if err != nil {
		return written{}, err
	}
	out.set = int64(summary.Counters().PropertiesSet())
	switch {
	case lease == nil:
		return out, nil
	case fence == lease.Fence():
		out.set-- // the fence's own
		return out, nil
	}
	h, err := t.holder(ctx, w.options.Job)
	if err != nil {
		return written{}, err
	}
	return written{}, lost(w.options.Job, h)
}

// writeRelationships writes the scores of relationships, and returns the places of those that were not met. They go by
// windows of ids, which bounds the pages of its store that the server meets at a time, and by source node within a
// window: for each end node of what it changes a transaction keeps a state, locks the node and reads it, so the fewer
// nodes it meets the less it does. The guard makes sure that an id is still that of the same relationship: Neo4j gives
// ids of what was deleted to what comes next. Where nodes have keys, a relationship goes with an end that has gone.
func (w *writer) writeRelationships(ctx context.Context, columns []connector.Column,
	goneNodes []int32) ([]int32, error) {
	if len(columns) == 0 {
		return nil, nil
	}
	s := w.snapshot
	sources := make([]int32, s.Rels.Len())
	for v := range len(s.Rels.Offsets) - 1 {
		for i := s.Rels.Offsets[v]; i < s.Rels.Offsets[v+1]; i++ {
			sources[i] = int32(v)
		}
	}
	order, gone := inWindows(s.Rels.IDs), []int32(nil)
	if w.options.Projection.Key != "" && len(goneNodes) > 0 {
		left := make([]bool, s.Nodes.Len())
		for _, v := range goneNodes {
			left[v] = true
		}
		order, gone = apart(order, func(i int32) bool { return left[sources[i]] || left[s.Rels.Targets[i]] })
	}
	b := &batch{
		writer: w, on: connector.OnRelationships, ids: s.Rels.IDs, columns: columns, order: order,
		match: fmt.Sprintf("UNWIND range(0, size($ids) - 1) AS i MATCH (a)-[x:%s]->(b) "+
			"WHERE %s = $ids[i] AND %s = $sources[i] AND %s = $targets[i]",
			w.types(), w.db.id("x"), w.db.id("a"), w.db.id("b")),
		guards: func(at []int32, p map[string]any) {
			p["sources"] = parameter(pick(s.Nodes, gather(sources, at)))
			p["targets"] = parameter(pick(s.Nodes, gather(s.Rels.Targets, at)))
		},
	}
	unmet, err := w.writeAll(ctx, b)
	gone = append(gone, unmet...)
	w.count(connector.WriteStats{Missing: int64(len(gone))})
	return gone, err
}

// apart takes the places that meet a condition out of others.
func apart(places []int32, meets func(int32) bool) (rest, out []int32) {
	out = []int32{} // which a batch takes for none, and nil for all
	rest = slices.DeleteFunc(places, func(i int32) bool {
		if meets(i) {
			out = append(out, i)
			return true
		}
		return false
	})
	return rest, out
}

// types are those of the projection's relationships, as a pattern has them.
func (w *writer) types() string {
	var types []string
	for _, r := range w.options.Projection.Relationships {
		types = append(types, r.Type)
	}
	return quoteAll(types)
}

// writeAll writes the parts, several at the same time. Writers of nodes never wait for each other; those of
// relationships do where what they commit has an end node in common. It returns the places of entities that were not
// met.
func (w *writer) writeAll(ctx context.Context, b *batch) ([]int32, error) {
	if b.len() == 0 {
		return nil, nil
	}
	b.divide()
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
	err := g.Wait()
	return b.unmet, err
}

// count adds to the totals and reports progress.
func (w *writer) count(s connector.WriteStats) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stats.Written += s.Written
	w.stats.Unchanged += s.Unchanged
	w.stats.Missing += s.Missing
	w.stats.Refused += s.Refused
	w.stats.Cleared += s.Cleared
	if w.progress != nil {
		done := w.stats.Written + w.stats.Unchanged + w.stats.Missing + w.stats.Refused
		w.progress(done, w.expected)
	}
}

func hasNaN(values []float64) bool { return slices.ContainsFunc(values, math.IsNaN) }
