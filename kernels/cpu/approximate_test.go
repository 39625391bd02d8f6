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
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/check"
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

// drawPairs samples pairs whatever exact scores would take.
func drawPairs(t *testing.T, g *export.Graph, r kernels.Request, a kernels.Accuracy) (*kernels.Scores, *kernels.Estimate) {
	t.Helper()
	s := newPairSample(t.Context(), g, r, a)
	defer s.stop.Release()
	if ok, err := s.approximate(t.Context(), math.Inf(1)); !ok || err != nil {
		t.Fatal(ok, err)
	}
	return s.scores(), s.estimate
}

// unlikeGraphs are ten small graphs: hubs, random ones of both directions, in parts, a ring, a grid, and some without paths.
func unlikeGraphs(t *testing.T) []*export.Graph {
	random := rand.New(rand.NewPCG(11, 12))
	all := []*export.Graph{
		hubs(t, 5, 40), hubs(t, 2, 3), graphtest.Grid(t, 9, false), graphtest.Ring(t, 60, 5), graphtest.Stars(t, 50),
		build(t, 6, false, []edge{{0, 1, 1}, {2, 3, 1}, {3, 4, 1}, {4, 4, 1}}),
	}
	for i := range 4 {
		all = append(all, graphtest.Random(t, random, 30+20*i, i%2 == 0, true, false))
	}
	return all
}

// greatestMiss is the greatest error of any score, as a share of all pairs.
func greatestMiss(g *export.Graph, got, exact *kernels.Scores) (most float64) {
	pairs := float64(g.N()) * float64(g.N()-1) / ordered(g)
	for v := range got.Nodes {
		most = max(most, math.Abs(got.Nodes[v]-exact.Nodes[v])/pairs)
	}
	for e := range got.Edges {
		most = max(most, math.Abs(got.Edges[e]-exact.Edges[e])/pairs)
	}
	return most
}

func TestSampledPairsKeepTheirBound(t *testing.T) {
	const seeds = 200
	for i, g := range unlikeGraphs(t) {
		r := kernels.Request{Nodes: true, Edges: i%3 != 0, Params: kernels.Params{Endpoints: i%4 == 3}}
		exact := compute(t, g, "betweenness", r)
		missed, ratios := 0, []float64{}
		for seed := range int64(seeds) {
			got, e := drawPairs(t, g, r, kernels.Accuracy{Error: 0.05, Confidence: 0.8, Seed: seed})
			miss := greatestMiss(g, got, exact)
			if miss > e.Bound {
				missed++
			}
			if e.Bound > 0.05 {
				t.Fatalf("graph %d, seed %d: bound %v", i, seed, e.Bound)
			}
			if miss > 0 {
				ratios = append(ratios, e.Bound/miss)
			}
		}
		if missed > seeds/5 {
			t.Errorf("graph %d: %d of %d bounds missed, at most %d expected", i, missed, seeds, seeds/5)
		}
		slices.Sort(ratios)
		if median := ratios[len(ratios)/2]; median > 5 {
			t.Errorf("graph %d: the bound is %v times the error in the median", i, median)
		} else {
			t.Logf("graph %d: %d missed, the bound is %.2f times the error in the median", i, missed, median)
		}
	}
}

// TestSampledPairsAreUnbiased compares the mean over seeds with exact scores, by its standard error.
func TestSampledPairsAreUnbiased(t *testing.T) {
	for i, g := range unlikeGraphs(t) {
		r := kernels.Request{Nodes: true, Edges: true}
		exact := compute(t, g, "betweenness", r)
		mean := kernels.Scores{Nodes: make([]float64, g.N()), Edges: make([]float64, g.M())}
		pairs := 0.0
		for seed := range int64(100) {
			got, e := drawPairs(t, g, r, kernels.Accuracy{Error: 0.05, Confidence: 0.8, Seed: seed})
			for v, x := range got.Nodes {
				mean.Nodes[v] += x / 100
			}
			for k, x := range got.Edges {
				mean.Edges[k] += x / 100
			}
			pairs += float64(e.Pairs)
		}
		if miss := greatestMiss(g, &mean, exact); miss > 2.5/math.Sqrt(pairs) { // 5 deviations of a mean of 1/2
			t.Errorf("graph %d: the mean is off by %v", i, miss)
		}
	}
}

func TestApproximationDoesNotDependOnThreads(t *testing.T) {
	g := hubs(t, 5, 400)
	a := kernels.Accuracy{Error: 0.01, Confidence: 0.9, Seed: 5}
	first, e := drawPairs(t, g, kernels.Request{Nodes: true, Edges: true, Threads: 1}, a)
	for _, threads := range []int{2, 7} {
		got, again := drawPairs(t, g, kernels.Request{Nodes: true, Edges: true, Threads: threads}, a)
		if !slices.Equal(first.Nodes, got.Nodes) || !slices.Equal(first.Edges, got.Edges) || e.Pairs != again.Pairs || e.Bound != again.Bound {
			t.Errorf("%d threads: other scores", threads)
		}
	}
}

func TestApproximationIsExactWhereThatIsCheaper(t *testing.T) {
	for i, g := range unlikeGraphs(t) {
		r := kernels.Request{Nodes: true, Edges: true}
		exact := compute(t, g, "betweenness", r)
		for _, a := range []kernels.Accuracy{{Error: 1e-9, Confidence: 0.9}, {Top: 3, Confidence: 0.9}} {
			got, e, err := ApproximateBetweenness(t.Context(), g, r, a)
			if err != nil || !e.Exact || e.Bound != 0 || e.Why == "" {
				t.Fatalf("graph %d, %+v: %+v, %v", i, a, e, err)
			}
			same(t, "node", got.Nodes, exact.Nodes)
			same(t, "edge", got.Edges, exact.Edges)
		}
	}
}

func TestWeightedApproximation(t *testing.T) {
	g := hubs(t, 5, 800)
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true}
	exact := compute(t, g, "betweenness", r)
	m, _ := kernels.Lookup("betweenness")
	for seed := range int64(2) {
		got, e, err := ApproximateBetweenness(t.Context(), g, r, kernels.Accuracy{Error: 0.06, Confidence: 0.9, Seed: seed})
		if err != nil || e.Exact || e.Bound > 0.06 || e.Sources >= g.N() {
			t.Fatalf("seed %d: %+v, %v; want fewer sources and a bound of 0.06", seed, *e, err)
		}
		if err := check.Scores(m, g, e.Request, got); err != nil {
			t.Fatal(err)
		}
		if miss := greatestMiss(g, got, exact); miss > e.Bound {
			t.Fatalf("seed %d: off by %v, bound %v", seed, miss, e.Bound)
		}
	}
	small := graphtest.Random(t, rand.New(rand.NewPCG(1, 1)), 300, true, true, true)
	for _, a := range []kernels.Accuracy{{Error: 1e-9, Confidence: 0.9}, {Top: 150, Confidence: 0.9}} {
		got, e, err := ApproximateBetweenness(t.Context(), small, r, a)
		if err != nil || !e.Exact || e.Bound != 0 || e.Sources != 300 {
			t.Fatalf("%+v: %+v, %v; want all sources", a, *e, err)
		}
		same(t, "node", got.Nodes, compute(t, small, "betweenness", r).Nodes)
	}
}

func TestTopOfPairs(t *testing.T) {
	g := hubs(t, 5, 400)
	exact := compute(t, g, "betweenness", kernels.Request{Nodes: true}).Nodes
	for seed := range int64(4) {
		for _, k := range []int{1, 3, 5} {
			got, e := drawPairs(t, g, kernels.Request{Nodes: true}, kernels.Accuracy{Top: k, Confidence: 0.9, Seed: seed})
			least := slices.Sorted(slices.Values(exact))[g.N()-k]
			for hub := range 5 {
				if exact[hub] > least*(1+tied) && got.Nodes[hub] < slices.Sorted(slices.Values(got.Nodes))[g.N()-k] {
					t.Errorf("seed %d, top %d: node %d is missing (%d pairs)", seed, k, hub, e.Pairs)
				}
			}
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
		got, taken, err := AdaptiveBetweenness(context.Background(), g, kernels.Request{Nodes: true, Threads: threads}, adaptive.Sample{C: 10, Seed: 1})
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
	_, taken, err := AdaptiveBetweenness(context.Background(), g, kernels.Request{Nodes: true}, adaptive.Sample{C: 10, Nodes: []int32{2}, Seed: 1})
	if err != nil || slices.Max(taken) > 100 {
		t.Errorf("for one hub alone: %d sources, %v", slices.Max(taken), err)
	}
	got, _, err := AdaptiveBetweenness(context.Background(), g, kernels.Request{Nodes: true}, adaptive.Sample{C: 1e9})
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
	for _, a := range []kernels.Accuracy{
		{}, {Error: 0.1}, {Error: 0.1, Top: 2, Confidence: 0.9}, {Error: -1, Confidence: 0.9}, {Top: -1, Confidence: 0.9}, {Top: 5, Confidence: 0.9},
		{Error: 1, Confidence: 0.9}, {Error: 0.1, Confidence: 1}, {Error: 0.1, Confidence: math.NaN()}, {Error: math.NaN(), Confidence: 0.9},
	} {
		if _, _, err := ApproximateBetweenness(t.Context(), g, kernels.Request{Nodes: true}, a); err == nil {
			t.Errorf("%+v: no error", a)
		}
	}
	empty := build(t, 0, false, nil)
	a := kernels.Accuracy{Error: 0.1, Confidence: 0.9}
	if _, e, err := ApproximateBetweenness(t.Context(), empty, kernels.Request{Nodes: true, Edges: true}, a); err != nil || !e.Exact {
		t.Errorf("no nodes: %+v, %v", e, err)
	}
}
