// Package graphtest makes graphs for tests.
package graphtest

import (
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

// Build makes a graph of n nodes through the builder that every connector uses. Sources and targets are nodes; parallel
// edges are kept. The graph has weights where rels.Weights is not nil, empty or not. What the builder refuses ends the
// test.
func Build(t testing.TB, orientation export.Orientation, n int, rels export.Rels) *export.Graph {
	t.Helper()
	return Snapshot(t, orientation, n, rels).Graph
}

// Orientation is that of the edges of a directed graph, or of one that is not.
func Orientation(directed bool) export.Orientation {
	if directed {
		return export.Natural
	}
	return export.Undirected
}

// Snapshot is Build with what a snapshot has beside its graph.
func Snapshot(t testing.TB, orientation export.Orientation, n int, rels export.Rels) *export.Snapshot {
	t.Helper()
	b := export.NewBuilder(export.Group{Orientation: orientation, Parallel: export.Keep, Weighted: rels.Weights != nil})
	ids := make([]int64, n)
	for v := range ids {
		ids[v] = int64(v)
	}
	b.AddNodes(ids)
	if _, err := b.Freeze(); err != nil {
		t.Fatal(err)
	}
	if err := b.AddRelationships(rels); err != nil {
		t.Fatal(err)
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Graph.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}
