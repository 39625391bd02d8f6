package samples

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// lengthsOf are the lengths of a request's paths.
func lengthsOf(t *testing.T, g *export.Graph, r kernels.Request) lengths.Lengths {
	t.Helper()
	l, err := lengths.New(t.Context(), g, r.Weighted, r.Tolerance)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// oneByOne is the summer that searches from one source at a time.
func oneByOne(t *testing.T, g *export.Graph, r kernels.Request) *summer {
	return newSummer(g, r, search.Of(g, lengthsOf(t, g, r)))
}

// TestSampledSourcesKeepTheirBound: over 200 seeds on ten graphs, the bound of all scores, and those of each at once,
// hold at least as often as asked. The mean of the samples is the exact score.
func TestSampledSourcesKeepTheirBound(t *testing.T) {
	const seeds = 200
	for i, g := range unlikeGraphs(t) {
		r := kernels.Request{Nodes: true, Edges: i%3 != 0, Params: kernels.Params{Endpoints: i%4 == 3}}
		exact := exactly(t, g, r)
		missed, missedBounds, mean := 0, 0, meanOf{}
		for seed := range int64(seeds) {
			a := kernels.Accuracy{Error: 0.1, Confidence: 0.8, Seed: seed, Each: true}
			got, e, err := OfSources(t.Context(), g, r, a, oneByOne(t, g, r), StrataOf(g), math.Inf(1))
			if err != nil || !(e.Bound > 0 && e.Bound <= 0.1) {
				t.Fatalf("graph %d, seed %d: %+v, %v", i, seed, e, err)
			}
			mean.add(got, float64(e.Sources))
			if missedEach(got, exact, e) > 0 {
				missedBounds++
			}
			if greatestMiss(g, got, exact) > e.Bound {
				missed++
			}
		}
		if missed > seeds/5 || missedBounds > seeds/5 {
			t.Errorf("graph %d: %d bounds, and those of some score with %d seeds, missed, of %d", i, missed, missedBounds, seeds)
		}
		if !mean.isUnbiased(g, exact) {
			t.Errorf("graph %d: the mean of the samples is not the exact score", i)
		}
	}
}

// TestBoundsOfSources: the bound covers draws of 0 and 1 from strata that differ, as often as asked, also where few
// draws are 1 and the two draws of no stratum differ.
func TestBoundsOfSources(t *testing.T) {
	const strata, trials = 300, 4000
	random, g := rand.New(rand.NewPCG(1, 2)), graphtest.Ring(t, 1, 0)
	b := boundOf(g, kernels.Request{Nodes: true}, kernels.Accuracy{Confidence: 0.8})
	for _, ones := range []func(stratum int) float64{
		func(int) float64 { return 0.001 },
		func(int) float64 { return 0.5 },
		func(stratum int) float64 { return float64(stratum%2) * 0.02 },
		func(stratum int) float64 { return float64(stratum) / strata },
	} {
		missed := 0
		for range trials {
			sum, mean, differences := 0.0, 0.0, 0.0
			for h := range strata {
				x, y := draw(random, ones(h)), draw(random, ones(h))
				sum, mean, differences = sum+x+y, mean+ones(h)/strata, differences+(x-y)*(x-y)
			}
			if math.Abs(sum-2*strata*mean) > b(differences) {
				missed++
			}
		}
		if missed > trials/5 {
			t.Errorf("%d of %d missed", missed, trials)
		}
	}
	if !slices.IsSorted([]float64{b(0), b(1e-9), b(1), b(10), b(100)}) {
		t.Error("the bound does not grow with what strata differ by")
	}
}

// TestLemmaOfTheBound: what the bound follows from, of many distributions on [0, 1].
func TestLemmaOfTheBound(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	nearest := 0.0
	for range 20000 {
		atoms, chances := make([]float64, 2+random.IntN(4)), []float64{}
		all, mean := 0.0, 0.0
		for i := range atoms {
			atoms[i] = random.Float64()
			if random.IntN(2) == 0 {
				atoms[i] = math.Round(atoms[i])
			}
			chances = append(chances, math.Exp(6*random.NormFloat64()))
			all += chances[i]
		}
		for i, x := range atoms {
			chances[i] /= all
			mean += chances[i] * x
		}
		for _, rate := range rates {
			below, above := 0.0, 0.0
			for i, x := range atoms {
				for k, y := range atoms {
					chance := chances[i] * chances[k]
					below += chance * math.Exp(rate*(2*mean-x-y)-psi(rate)*(x-y)*(x-y))
					above += chance * math.Exp(rate*(x+y-2*mean)-psi(rate)*(x-y)*(x-y))
				}
			}
			if nearest = max(nearest, below, above); nearest > 1+1e-12 {
				t.Fatalf("%v with chances %v at %v: %v below, %v above", atoms, chances, rate, below, above)
			}
		}
	}
	t.Log("at most", nearest)
}

// draw draws 1 with probability p, and else 0.
func draw(random *rand.Rand, p float64) float64 {
	if random.Float64() < p {
		return 1
	}
	return 0
}

// TestStrata: two sources are of each stratum, which are as large as one another and leave no node out.
func TestStrata(t *testing.T) {
	g := graphtest.Grid(t, 20, false)
	s := &sourceSample{g: g, strata: StrataOf(g)}
	place, drawn := make([]int, g.N()), make([]int, g.N())
	for i, v := range s.strata() {
		place[v] = i
	}
	const rounds, strata = 3000, 7
	for stream := range uint64(rounds) {
		for i, v := range s.draw(strata, stream) {
			if low := float64(i/2) * float64(g.N()) / strata; float64(place[v]) < math.Floor(low) ||
				float64(place[v]) > low+float64(g.N())/strata {
				t.Fatalf("draw %d is number %d of all", i, place[v])
			}
			drawn[v]++
		}
	}
	want := 2.0 * rounds * strata / float64(g.N())
	for v, count := range drawn {
		if math.Abs(float64(count)-want) > 6*math.Sqrt(want) {
			t.Errorf("node %d is drawn %d times, want about %.0f", v, count, want)
		}
	}
}

// TestSummersAgree: searches from many sources at a time add up to those from one at a time, whatever the threads. Some
// graphs have more paths than a lane counts, some nodes that a source does not reach.
func TestSummersAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	chain := graphtest.Links(t, 2500, false, false, doubledLinks(1250))
	for i, g := range []*export.Graph{
		graphtest.Grid(t, 30, true), graphtest.Ring(t, 500, 30), chain, graphtest.Random(t, random, 400, true, true, false),
		graphtest.Links(t, 90, false, true, graphtest.GridLinks(6)),
	} {
		for _, way := range []lanes.Way{lanes.Levels, lanes.Distances} {
			for _, weighted := range []bool{false, true} {
				r := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: weighted, Endpoints: i%2 == 0}}
				if _, ticks := lengthsOf(t, g, r).(*lengths.Ticks); weighted && (way == lanes.Levels || !ticks) {
					continue
				}
				at := fmt.Sprintf("graph %d, way %v, weighted %t", i, way, weighted)
				sources := (&sourceSample{g: g, strata: StrataOf(g)}).draw(100, 0)
				sources[1] = sources[0] // two lanes of one source
				want := oneByOne(t, g, r)
				var all []adaptive.Moments
				for threads := range 3 {
					r.Threads = threads + 1
					got := newLaneSummer(g, lengthsOf(t, g, r), r, way, StrataOf(g))
					for _, part := range [][]int32{sources[:80], sources[80:]} {
						if err := got.Search(t.Context(), part, func(int) {}); err != nil {
							t.Fatal(err)
						}
					}
					nodes, _, _ := got.Moments()
					if all = append(all, nodes); !slices.Equal(nodes.Sums, all[0].Sums) ||
						!slices.Equal(nodes.Differences, all[0].Differences) {
						t.Errorf("%s: other bits on %d threads", at, threads+1)
					}
					if threads == 0 {
						if err := want.Search(t.Context(), sources, func(int) {}); err != nil {
							t.Fatal(err)
						}
						if a, b := got.found(), want.found(); a.Pairs != b.Pairs || !within(a.Distance, b.Distance, 1e-9) {
							t.Errorf("%s: totals %+v, want %+v", at, a, b)
						}
					}
				}
				near(t, at+", sums", all[0].Sums, want.nodes.Sums)
				near(t, at+", differences", all[0].Differences, want.nodes.Differences)
			}
		}
	}
}

// near compares numbers by their greatest.
func near(t *testing.T, at string, got, want []float64) {
	t.Helper()
	for v := range want {
		if math.Abs(got[v]-want[v]) > 1e-9*greatest(want) {
			t.Fatalf("%s: node %d has %v, want %v", at, v, got[v], want[v])
		}
	}
}

// doubledLinks is a path of two parallel steps between neighbours: paths double at each.
func doubledLinks(steps int32) (links []graphtest.Link) {
	for v := range steps - 1 {
		links = append(links, graphtest.Link{From: 2 * v, To: 2*v + 2}, graphtest.Link{From: 2 * v, To: 2*v + 3},
			graphtest.Link{From: 2*v + 1, To: 2*v + 2}, graphtest.Link{From: 2*v + 1, To: 2*v + 3})
	}
	return links
}

// TestBySources: sources are drawn of a large deep graph by hops, but not of a small one, of a shallow one, or where a
// sample would take too many.
func TestBySources(t *testing.T) {
	onDevice, onCPU := DeepNodes, order.NearNodes
	defer func() { DeepNodes, order.NearNodes = onDevice, onCPU }()
	DeepNodes, order.NearNodes = 20000, 20000
	a, r := kernels.Accuracy{Error: 0.02, Confidence: 0.9}, kernels.Request{Nodes: true}
	weighted, few := kernels.Request{Params: kernels.Params{Weighted: true}},
		kernels.Accuracy{Error: 0.001, Confidence: 0.9}
	large, small := graphtest.Grid(t, 150, false), graphtest.Grid(t, 140, false)
	for _, onDevice := range []bool{false, true} {
		sources := func(g *export.Graph, r kernels.Request, a kernels.Accuracy) bool { return BySources(g, r, a, onDevice) }
		if !sources(large, r, a) || !sources(small, weighted, a) {
			t.Error("pairs are drawn, though sources tell more")
		}
		if sources(small, r, a) || sources(graphtest.Stars(t, 30000), r, a) || sources(large, r, few) ||
			sources(large, r, kernels.Accuracy{Top: 3}) {
			t.Error("sources are drawn, though pairs take less")
		}
	}
	r.Edges, a.Error = true, 0.05
	if BySources(large, r, kernels.Accuracy{Error: 0.02, Confidence: 0.9}, false) ||
		BySources(large, kernels.Request{Nodes: true}, a, false) {
		t.Error("the CPU draws sources, though pairs take less")
	}
}

// TestPilotForeseesSources: samples of meshes reach their error in one check or two, and are not much too large. The
// sources of the pilot do not count.
func TestPilotForeseesSources(t *testing.T) {
	for _, spec := range []generate.Spec{
		{Kind: generate.Delaunay, Scale: 13, Seed: 1}, {Kind: generate.Geometric, Scale: 13, Seed: 1},
	} {
		made, err := generate.Graph(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		const seeds = 2
		r, sum, checks := kernels.Request{Nodes: true}, 0.0, 0
		for seed := range int64(seeds) {
			a := kernels.Accuracy{Error: 0.015, Confidence: 0.9, Seed: seed}
			scores, est, err := DrawnSources(t.Context(), made.Graph, r, a, math.Inf(1))
			if err != nil || est.Exact {
				t.Fatalf("%+v, %v", est, err)
			}
			connected := spec.Kind == generate.Delaunay
			if pairs := int64(est.Sources) * int64(made.Graph.N()-1); connected && scores.Totals.Pairs != pairs {
				t.Errorf("%d pairs from %d sources, not %d", scores.Totals.Pairs, est.Sources, pairs)
			}
			sum, checks = sum+est.Bound/a.Error, checks+est.Checks
		}
		if sum < 0.85*seeds || checks > 2*seeds {
			t.Errorf("%+v: bounds are %.2f of the error, after %d checks of %d samples", spec, sum/seeds, checks, seeds)
		}
	}
}
