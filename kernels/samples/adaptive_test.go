package samples

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
)

func TestAdaptive(t *testing.T) {
	g := hubs(t, 5, 200)
	exact := exactly(t, g, kernels.Request{Nodes: true}).Nodes
	var first []float64
	for _, threads := range []int{1, 3} {
		got, taken, err := Adaptive(t.Context(), g, kernels.Request{Nodes: true, Threads: threads},
			adaptive.Sample{C: 10, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for hub := range 5 {
			if taken[hub] >= 100 || !within(got.Nodes[hub], exact[hub], 0.35) {
				t.Errorf("hub %d: %v from %d sources, exact %v", hub, got.Nodes[hub], taken[hub], exact[hub])
			}
		}
		if got.Nodes[10] != 0 || int(taken[10]) != g.N() {
			t.Errorf("a leaf: %v from %d sources, want 0 from all", got.Nodes[10], taken[10])
		}
		if first != nil && !slices.Equal(first, got.Nodes) {
			t.Error("scores depend on the number of threads")
		}
		first = got.Nodes
	}
	_, taken, err := Adaptive(t.Context(), g, kernels.Request{Nodes: true},
		adaptive.Sample{C: 10, Nodes: []int32{2}, Seed: 1})
	if err != nil || slices.Max(taken) > 100 {
		t.Errorf("for one hub alone: %d sources, %v", slices.Max(taken), err)
	}
	got, _, err := Adaptive(t.Context(), g, kernels.Request{Nodes: true}, adaptive.Sample{C: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "node, never stopped", got.Nodes, exact)
}

// TestAdaptiveByItsDefinition adds up source by source what each node and each edge gets, until it has enough.
func TestAdaptiveByItsDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 24 {
		g := graphtest.Random(t, random, 4+i, i%2 == 0, true, i%3 == 0)
		r := kernels.Request{Params: kernels.Params{Weighted: i%3 == 0}, Nodes: true, Edges: true, Threads: 1 + i%3}
		a := adaptive.Sample{C: []float64{.3, 1, 3}[i%3], Seed: int64(i), Limit: []int{0, 7}[i%2]}
		got, taken, err := Adaptive(t.Context(), g, r, a)
		if err != nil {
			t.Fatal(err)
		}
		sums, want := make([]float64, g.N()+g.M()), make([]int32, g.N()+g.M())
		searched := int32(0)
		for _, s := range a.Sources(g) {
			if !slices.Contains(want, 0) {
				break
			}
			searched++
			one := r
			one.Sources, one.Scale = []int32{s}, 1
			scores := exactly(t, g, one)
			for k, x := range append(slices.Clone(scores.Nodes), scores.Edges...) {
				if want[k] > 0 {
					continue
				}
				if sums[k] += x * ordered(g); sums[k] > a.C*float64(g.N()) {
					want[k] = searched
				}
			}
		}
		for k, x := range append(slices.Clone(got.Nodes), got.Edges...) {
			if want[k] == 0 {
				want[k] = searched
			}
			if expected := sums[k] / ordered(g) * float64(g.N()) / float64(want[k]); taken[k] != want[k] ||
				!within(x, expected, 1e-12) {
				t.Errorf("graph %d, entry %d of %d nodes and edges: %v from %d sources, want %v from %d", i, k, g.N(), x, taken[k],
					expected, want[k])
			}
		}
	}
}
