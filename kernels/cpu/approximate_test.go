package cpu

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// hubs is a graph whose nodes have very unlike scores: stars whose middles are joined in a line.
func hubs(t testing.TB, stars, leaves int) *export.Graph {
	var edges []edge
	for s := range int32(stars) {
		if s > 0 {
			edges = append(edges, edge{s - 1, s, 1})
		}
		for l := range int32(leaves) {
			edges = append(edges, edge{s, int32(stars) + s*int32(leaves) + l, 1})
		}
	}
	return build(t, stars*(leaves+1), false, edges)
}

func TestApproximationKeepsItsBound(t *testing.T) {
	g := hubs(t, 5, 800)
	exact := compute(t, g, "betweenness", kernels.Request{Nodes: true, Edges: true})
	pairs := float64(g.N()) * float64(g.N()-1) / 2
	r := kernels.Request{Nodes: true, Edges: true}
	m, _ := kernels.Lookup("betweenness")
	for seed := range int64(10) {
		got, e, err := ApproximateBetweenness(context.Background(), g, r, Approximation{Epsilon: 0.06, Delta: 0.1, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if e.Exact || e.Bound > 0.06 || e.Sources >= g.N() {
			t.Fatalf("seed %d: %+v; want fewer sources and a bound of 0.06", seed, *e)
		}
		if err := kernels.Check(m, g, e.Request, got); err != nil {
			t.Fatal(err)
		}
		for v := range got.Nodes {
			if d := math.Abs(got.Nodes[v]-exact.Nodes[v]) / pairs; d > e.Bound {
				t.Fatalf("seed %d: node %d is off by %v, bound %v", seed, v, d, e.Bound)
			}
		}
		for i := range got.Edges {
			if d := math.Abs(got.Edges[i]-exact.Edges[i]) / pairs; d > e.Bound {
				t.Fatalf("seed %d: edge %d is off by %v, bound %v", seed, i, d, e.Bound)
			}
		}
	}
}

func TestApproximationEndsAtAllSources(t *testing.T) {
	g := graphtest.Random(t, rand.New(rand.NewPCG(1, 1)), 300, true, true, true)
	r := kernels.Request{Params: kernels.Params{Weighted: true, Endpoints: true}, Nodes: true, Edges: true}
	exact := compute(t, g, "betweenness", r)
	for _, a := range []Approximation{{Epsilon: 1e-9, Delta: 0.1}, {TopK: 150, Delta: 0.1}} {
		got, e, err := ApproximateBetweenness(context.Background(), g, r, a)
		if err != nil {
			t.Fatal(err)
		}
		if !e.Exact || e.Bound != 0 || e.Sources != 300 {
			t.Fatalf("%+v: %+v; want all sources", a, *e)
		}
		same(t, "node", got.Nodes, exact.Nodes)
		same(t, "edge", got.Edges, exact.Edges)
	}
}

func TestTopK(t *testing.T) {
	g := hubs(t, 5, 2000)
	_, e, err := ApproximateBetweenness(context.Background(), g, kernels.Request{Nodes: true}, Approximation{TopK: 5, Delta: 0.1, Seed: 3})
	if err != nil || e.Exact {
		t.Fatalf("5 hubs over 10,000 leaves: %+v, %v; want a part of the sources", e, err)
	}
	got, _, err := ApproximateBetweenness(context.Background(), g, kernels.Request{Nodes: true}, Approximation{TopK: 3, Delta: 0.1, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, hub := range []int{1, 2, 3} {
		if got.Nodes[hub] <= max(got.Nodes[0], got.Nodes[4]) {
			t.Fatalf("scores of the hubs: %v; the middle three are the best", got.Nodes[:5])
		}
	}
}

// TestSamplesAreUnbiased averages over samples that together hold every source as often as any other.
func TestSamplesAreUnbiased(t *testing.T) {
	g := graphtest.Random(t, rand.New(rand.NewPCG(5, 5)), 60, false, true, false)
	exact := compute(t, g, "betweenness", kernels.Request{Nodes: true}).Nodes
	mean := make([]float64, g.N())
	order := kernels.ShuffleSources(60, 60, 9)
	for i := range 6 {
		part := compute(t, g, "betweenness", kernels.Request{Nodes: true, Sources: order[10*i : 10*i+10], Scale: 6}).Nodes
		for v, x := range part {
			mean[v] += x / 6
		}
	}
	same(t, "mean of samples of node", mean, exact)
}

func TestAdaptiveBetweenness(t *testing.T) {
	g := hubs(t, 5, 200)
	exact := compute(t, g, "betweenness", kernels.Request{Nodes: true}).Nodes
	var first []float64
	for _, threads := range []int{1, 3} {
		got, taken, err := AdaptiveBetweenness(context.Background(), g, kernels.Request{Nodes: true, Threads: threads}, kernels.Adaptive{C: 10, Seed: 1})
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
	_, taken, err := AdaptiveBetweenness(context.Background(), g, kernels.Request{Nodes: true}, kernels.Adaptive{C: 10, Nodes: []int32{2}, Seed: 1})
	if err != nil || slices.Max(taken) > 100 {
		t.Errorf("for one hub alone: %d sources, %v", slices.Max(taken), err)
	}
	got, _, err := AdaptiveBetweenness(context.Background(), g, kernels.Request{Nodes: true}, kernels.Adaptive{C: 1e9})
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
		a := kernels.Adaptive{C: []float64{.3, 1, 3}[i%3], Seed: int64(i), Limit: []int{0, 7}[i%2]}
		got, taken, err := AdaptiveBetweenness(t.Context(), g, r, a)
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
			scores := compute(t, g, "betweenness", one)
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
			if expected := sums[k] / ordered(g) * float64(g.N()) / float64(want[k]); taken[k] != want[k] || !within(x, expected, 1e-12) {
				t.Errorf("graph %d, entry %d of %d nodes and edges: %v from %d sources, want %v from %d", i, k, g.N(), x, taken[k], expected, want[k])
			}
		}
	}
}

// ordered is how many ordered pairs count as one.
func ordered(g *export.Graph) float64 {
	if g.Directed {
		return 1
	}
	return 2
}

func TestApproximationRefusals(t *testing.T) {
	g := build(t, 4, false, path(4))
	for _, a := range []Approximation{{}, {Epsilon: 0.1}, {Epsilon: 0.1, TopK: 2, Delta: 0.1}, {Epsilon: -1, Delta: 0.1}, {TopK: -1, Delta: 0.1}, {Epsilon: 0.1, Delta: 1}, {Epsilon: math.NaN(), Delta: 0.1}} {
		if _, _, err := ApproximateBetweenness(context.Background(), g, kernels.Request{Nodes: true}, a); err == nil {
			t.Errorf("%+v: no error", a)
		}
	}
	empty := build(t, 0, false, nil)
	if _, e, err := ApproximateBetweenness(context.Background(), empty, kernels.Request{Nodes: true, Edges: true}, Approximation{Epsilon: 0.1, Delta: 0.1}); err != nil || !e.Exact {
		t.Errorf("no nodes: %+v, %v", e, err)
	}
}
