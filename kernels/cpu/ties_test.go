package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestSumsOfParallelWeightsTie: an edge of parallel relationships under the rule sum is as long as a path of edges with
// the same weights, whatever these are.
func TestSumsOfParallelWeightsTie(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 21))
	rests := 0
	for i := range 200 {
		weights := []float64{0.1, 0.2}
		for range random.IntN(4) * min(i, 1) {
			weights = append(weights, random.Float64()*math.Pow10(random.IntN(13)-6))
		}
		g := sumBesidePath(t, weights)
		if g.Rests != nil {
			rests++
		}
		got := compute(t, g, "betweenness", kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true})
		if got.Ties != "exact" {
			t.Fatalf("%v: ties %s", weights, got.Ties)
		}
		if want := float64(len(weights)) - 1.5; got.Nodes[2] != want {
			// all of the pairs with a node of the path, half of 0 and 1
			t.Fatalf("%v: betweenness of the path's second node is %g, want %g", weights, got.Nodes[2], want)
		}
	}
	if rests == 0 {
		t.Error("all sums are float64s: nothing was carried")
	}
}

// TestWeightThatIsNotKnown: a sum that no two numbers show leaves ties to the tolerance, and the scores report it.
func TestWeightThatIsNotKnown(t *testing.T) {
	g := sumBesidePath(t, []float64{0.1, 0.2})
	g.Rests = make([]float64, g.Arcs())
	g.Rests[0] = math.NaN()
	if got := compute(t, g, "betweenness",
		kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true}); got.Ties != "tolerance" {
		t.Errorf("ties %s", got.Ties)
	}
}

// sumBesidePath has an edge from 0 to 1 that is the sum of the weights, and a path with an edge of each.
func sumBesidePath(t *testing.T, weights []float64) *export.Graph {
	t.Helper()
	b := export.NewBuilder(export.Group{Orientation: export.Natural, Parallel: export.Sum, Weighted: true})
	for v := range int64(len(weights) + 1) {
		b.AddNodes([]int64{v})
	}
	rels, at := export.Rels{}, int32(0)
	for k, w := range weights {
		to := int32(k + 2)
		if k == len(weights)-1 {
			to = 1
		}
		rels.Source, rels.Target = append(rels.Source, 0, at), append(rels.Target, 1, to)
		rels.Weights = append(rels.Weights, w, w)
		at = to
	}
	if err := b.AddRelationships(rels); err != nil {
		t.Fatal(err)
	}
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s.Graph
}
