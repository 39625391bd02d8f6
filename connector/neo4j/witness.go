package neo4j

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// Neo4j gives the ids of deleted nodes to new ones, and hours may lie between export and write. A node gets its scores
// only with a witness that it is still the one that was exported: the value of its key, if the projection names a
// property; otherwise one of the relationships that it had in the graph, which must still join the same two ids under
// the same id and type. A new node has none of those, unless ids of relationships are used again in the same way, too.
// A node that had no relationship in the graph has no witness without a key; what graphs give it is the score of a node
// alone.

// mostWitnesses is how many of a node's relationships are looked for before the node is refused: each but the first
// costs a statement, for those nodes alone of which none was found so far.
const mostWitnesses = 8

// writeNodes writes the scores of nodes, and returns the places of those that were not met.
func (w *writer) writeNodes(ctx context.Context, columns []connector.Column) ([]int32, error) {
	var gone []int32
	var err error
	switch {
	case w.options.Projection.Key != "": // without columns, too: relationships ask for their ends
		gone, err = w.writeAll(ctx, w.byKey(columns))
	case len(columns) == 0:
	case w.snapshot.Rels.IDs.Len() == 0:
		gone, err = w.writeAll(ctx, w.byLabel(columns, nil))
	default:
		gone, err = w.writeByRelationships(ctx, columns)
	}
	if err != nil || len(gone) == 0 {
		return gone, err
	}
	refused, err := w.countNodes(ctx, pick(w.snapshot.Nodes, gone))
	w.count(connector.WriteStats{Missing: int64(len(gone)) - refused, Refused: refused})
	return gone, err
}

// nodeLabels is a condition that the graph's nodes x meet.
func (w *writer) nodeLabels() string {
	if labels := w.options.Projection.Labels; len(labels) > 0 {
		return "x:" + quoteAll(labels)
	}
	return "NOT x:" + quoteAll(ownLabels())
}

// nodeGuard is nodeLabels without nodes that may be another job's. There were none before the write.
func (w *writer) nodeGuard() string {
	if len(w.others) == 0 {
		return w.nodeLabels()
	}
	return w.nodeLabels() + " AND NOT x:" + quoteAll(w.others)
}

// byLabel writes nodes that have no witness.
func (w *writer) byLabel(columns []connector.Column, at []int32) *batch {
	return &batch{
		writer: w, on: connector.OnNodes, ids: w.snapshot.Nodes, columns: columns, order: at,
		match: fmt.Sprintf("UNWIND range(0, size($ids) - 1) AS i MATCH (x) WHERE %s = $ids[i] AND %s", w.db.id("x"),
			w.nodeGuard()),
	}
}

// byKey writes nodes that still have their key.
func (w *writer) byKey(columns []connector.Column) *batch {
	b := w.byLabel(columns, nil)
	b.match += " AND " + keyText("x", w.options.Projection.Key) + " = $keys[i]"
	b.guards = func(at []int32, p map[string]any) { p["keys"] = gather(w.snapshot.Keys, at) }
	return b
}

// byRelationship writes nodes that still have the relationship of the given place each.
func (w *writer) byRelationship(columns []connector.Column, at, witness []int32) *batch {
	s := w.snapshot
	return &batch{
		writer: w, on: connector.OnNodes, ids: s.Nodes, columns: columns, order: at,
		match: fmt.Sprintf("UNWIND range(0, size($ids) - 1) AS i MATCH (a)-[w:%s]->(b) "+
			"WHERE %s = $witness[i] AND %s = $sources[i] AND %s = $targets[i] "+
			"WITH i, CASE %[3]s WHEN $ids[i] THEN a ELSE b END AS x WHERE %[5]s", w.types(), w.db.id("w"), w.db.id("a"),
			w.db.id("b"), w.nodeGuard()),
		guards: func(at []int32, p map[string]any) {
			rels := gather(witness, at)
			p["witness"] = parameter(pick(s.Rels.IDs, rels))
			p["targets"] = parameter(pick(s.Nodes, gather(s.Rels.Targets, rels)))
			for i, r := range rels {
				rels[i] = sourceOf(&s.Rels, r)
			}
			p["sources"] = parameter(pick(s.Nodes, rels))
		},
	}
}

// writeByRelationships writes nodes by one of their relationships each, and those of which it has gone by another.
func (w *writer) writeByRelationships(ctx context.Context, columns []connector.Column) ([]int32, error) {
	var gone []int32
	left := identity(w.snapshot.Nodes.Len())
	for round := int32(0); round < mostWitnesses; round++ {
		witness := witnesses(w.snapshot, round)
		with, without := apart(left, func(v int32) bool { return witness[v] < 0 })
		if round == 0 { // it has no relationship, so that nothing else can be asked for
			var err error
			if without, err = w.writeAll(ctx, w.byLabel(columns, without)); err != nil {
				return nil, err
			}
		}
		gone = append(gone, without...)
		var err error
		if left, err = w.writeAll(ctx, w.byRelationship(columns, with, witness)); err != nil {
			return nil, err
		}
		if len(left) == 0 {
			break
		}
		slices.Sort(left) // in the order of the store again
	}
	return append(gone, left...), nil
}

func identity(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// witnesses returns the place of the k-th relationship of each node, counted from 0, or -1: those that leave it come
// first, then those that arrive.
func witnesses(s *export.Snapshot, k int32) []int32 {
	r := &s.Rels
	out, arrived := make([]int32, s.Nodes.Len()), make([]int32, s.Nodes.Len())
	for v := range out {
		out[v] = -1
		if i := r.Offsets[v] + int64(k); i < r.Offsets[v+1] {
			out[v] = int32(i)
		}
	}
	for i, v := range r.Targets {
		if out[v] < 0 && r.Offsets[v+1]-r.Offsets[v]+int64(arrived[v]) == int64(k) {
			out[v] = int32(i)
		}
		arrived[v]++
	}
	return out
}

// sourceOf returns the node that a relationship starts at.
func sourceOf(r *export.Relationships, place int32) int32 {
	return int32(sort.Search(len(r.Offsets)-1, func(v int) bool { return r.Offsets[v+1] > int64(place) }))
}

// countNodes counts the nodes of the graph's labels that have one of the ids.
func (w *writer) countNodes(ctx context.Context, ids export.IDs) (int64, error) {
	total := int64(0)
	cypher := fmt.Sprintf("UNWIND $ids AS i MATCH (x) WHERE %s = i AND %s RETURN count(x)", w.db.id("x"), w.nodeLabels())
	for low := 0; low < ids.Len(); low += usualBatch {
		n, err := w.db.count(ctx, "write", cypher, map[string]any{"ids": parameter(part(ids, low,
			min(low+usualBatch, ids.Len())))})
		if total += n; err != nil {
			return total, err
		}
	}
	return total, nil
}
