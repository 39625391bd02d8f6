package export_test

import (
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestWith: a part of a graph is a valid graph, with the edges that were kept, in their order and with their weights.
func TestWith(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 2))
	for i := range 100 {
		g := graphtest.Random(t, r, 1+r.IntN(20), i%2 == 0, true, i%3 == 0)
		keep, count := make([]bool, g.M()), 0
		for e := range keep {
			if keep[e] = r.IntN(2) == 0; keep[e] {
				count++
			}
		}
		h := g.With(keep)
		if err := h.Validate(); err != nil || h.M() != count || h.N() != g.N() {
			t.Fatalf("graph %d: %v", i, err)
		}
		source, target := g.Ends()
		from, to := h.Ends()
		weights, kept := weightsOf(g), weightsOf(h)
		next := 0
		for e, k := range keep {
			if !k {
				continue
			}
			if from[next] != source[e] || to[next] != target[e] || kept[next] != weights[e] {
				t.Fatalf("graph %d: edge %d became %d-%d", i, e, from[next], to[next])
			}
			next++
		}
	}
}

func weightsOf(g *export.Graph) []float64 {
	out := make([]float64, g.M())
	for i := range int64(g.Arcs()) {
		out[g.Edge(i)] = g.Weight(i)
	}
	return out
}
