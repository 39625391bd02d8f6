package graphtest

import (
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

// Ring is a ring of n nodes with chords random chords.
func Ring(t *testing.T, n, chords int) *export.Graph {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var r export.Rels
	for i := range n {
		r.Source, r.Target = append(r.Source, int32(i)), append(r.Target, int32((i+1)%n))
	}
	for range chords {
		r.Source, r.Target = append(r.Source, int32(random.IntN(n))), append(r.Target, int32(random.IntN(n)))
	}
	return Build(t, export.Undirected, n, r)
}

// Band is a ring of n nodes, each joined to so many of the next: deep.
func Band(t *testing.T, n, next int) *export.Graph {
	t.Helper()
	var r export.Rels
	for i := range n {
		for hop := 1; hop <= next; hop++ {
			r.Source, r.Target = append(r.Source, int32(i)), append(r.Target, int32((i+hop)%n))
		}
	}
	return Build(t, export.Undirected, n, r)
}

// Stars is a star of n leaves, and another one.
func Stars(t *testing.T, n int) *export.Graph {
	t.Helper()
	var r export.Rels
	for i := 2; i < n; i++ {
		r.Source, r.Target = append(r.Source, int32(i%2)), append(r.Target, int32(i))
	}
	return Build(t, export.Undirected, n, r)
}

// RingOfPaths is a ring of branch nodes, each joined to the next by two paths of so many hops.
func RingOfPaths(t *testing.T, branches, hops int) *export.Graph {
	t.Helper()
	var r export.Rels
	n := branches
	for v := range branches {
		for range 2 {
			at := v
			for range hops - 1 {
				r.Source, r.Target = append(r.Source, int32(at)), append(r.Target, int32(n))
				at, n = n, n+1
			}
			r.Source, r.Target = append(r.Source, int32(at)), append(r.Target, int32((v+1)%branches))
		}
	}
	return Build(t, export.Undirected, n, r)
}

// Weighing is a graph with other weights.
func Weighing(g *export.Graph, weight func(edge int32) float64) *export.Graph {
	out := &export.Graph{
		Directed: g.Directed, Offsets: g.Offsets, Targets: g.Targets, Edges: g.Edges, EdgeCount: g.EdgeCount,
		Weights: make([]float64, g.Arcs()),
	}
	for i := range out.Weights {
		out.Weights[i] = weight(g.Edge(int64(i)))
	}
	return out
}

// Doubtful has paths that only 128-bit integers tell apart, from few of its 500 nodes.
func Doubtful(t *testing.T) *export.Graph {
	var links []Link
	for i := range int32(20) { // two paths to every fourth node, whose lengths differ by 1 in 10^20 or not at all
		const far = 1e14
		links = append(links, Link{From: i, To: i + 20, Weight: far}, Link{From: i, To: i + 40, Weight: far},
			Link{From: i + 20, To: i + 60, Weight: 1}, Link{From: i + 40, To: i + 60, Weight: 1 + 1e-6*float64(i%2)})
	}
	return Links(t, 500, false, true, links)
}
