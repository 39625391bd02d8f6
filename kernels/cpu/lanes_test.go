package cpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// TestLanesForAnyThreads takes a graph whose batches have 64 lanes with one thread and 32 with 16, in one shard and in
// three.
func TestLanesForAnyThreads(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 1))
	var links []graphtest.Link
	for range 3000 {
		links = append(links, graphtest.Link{From: random.Int32N(500), To: random.Int32N(500)})
	}
	for _, directed := range []bool{false, true} {
		g := graphtest.Links(t, 500, directed, false, links)
		if way, err := lanes.Choose(t.Context(), g, lengths.Hops{}, nil); way != lanes.Levels || err != nil {
			t.Fatalf("no lanes: %v", err)
		}
		r := kernels.Request{Nodes: true, Edges: true}
		alikeForAnyThreads(t, g, "stress", r)
		r.Reduce, r.Endpoints = kernels.ReduceOff, true
		alikeForAnyThreads(t, g, "betweenness", r)
	}
}

// TestDistancesForAnyThreads takes graphs whose distances are found before paths are counted: a deep one by hops, and a
// deep and a shallow one by weights. Scores are those of searches from one source after another.
func TestDistancesForAnyThreads(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 3))
	for name, c := range map[string]struct {
		g        *export.Graph
		weighted bool
	}{
		"grid": {graphtest.Grid(t, 30, false), false}, "grid by weights": {graphtest.Grid(t, 30, true), true},
		"random":   {graphtest.Links(t, 500, false, true, drawn(random, 500, 2500)), true},
		"directed": {graphtest.Links(t, 500, true, true, drawn(random, 500, 3500)), true},
	} {
		t.Run(name, func(t *testing.T) {
			byEdge := make([]float64, c.g.M())
			for e := range byEdge {
				byEdge[e] = float64(2 * (1 + random.IntN(10)))
			}
			for k := range c.g.Weights {
				c.g.Weights[k] = byEdge[c.g.Edge(int64(k))]
			}
			l, err := lengths.New(t.Context(), c.g, c.weighted, 0)
			if err != nil {
				t.Fatal(err)
			}
			if way, err := lanes.Choose(t.Context(), c.g, l, nil); way != lanes.Distances || err != nil {
				t.Fatalf("way %d, %v", way, err)
			}
			r := kernels.Request{Nodes: true, Edges: true}
			r.Weighted = c.weighted
			alikeForAnyThreads(t, c.g, "stress", r)
			r.Reduce, r.Endpoints = kernels.ReduceOff, true
			alikeForAnyThreads(t, c.g, "betweenness", r)
			got := compute(t, c.g, "betweenness", r)
			single := kernels.NewPartial(mustLookup(t, "betweenness"), c.g.N(), c.g.M(), r, kernels.BoundsOf(c.g, r, 0))
			one, results := search.Of(c.g, l), workers.NewResults(single)
			if err := workers.Over(t.Context(), c.g.N(), r, func(stop *stopper.Stopper) workers.Worker {
				return newBetweennessWorker(c.g, r, one(true, stop), stop, results.One())
			}); err != nil {
				t.Fatal(err)
			}
			factor, _ := kernels.BetweennessFactors(c.g, r)
			want := single.Nodes.Values()
			scale(want, factor)
			same(t, "node", got.Nodes, want)
			if got.Totals != single.Totals {
				t.Errorf("totals %+v, want %+v", got.Totals, single.Totals)
			}
		})
	}
}

// drawn draws links among n nodes.
func drawn(random *rand.Rand, n int32, count int) (links []graphtest.Link) {
	for range count {
		links = append(links, graphtest.Link{From: random.Int32N(n), To: random.Int32N(n), Weight: 1})
	}
	return links
}

func mustLookup(t *testing.T, name string) kernels.Measure {
	t.Helper()
	m, ok := kernels.Lookup(name)
	if !ok {
		t.Fatalf("no measure %s", name)
	}
	return m
}

// alikeForAnyThreads computes a measure with 1 to 16 threads, in one shard and in three.
func alikeForAnyThreads(t *testing.T, g *export.Graph, measure string, r kernels.Request) {
	t.Helper()
	m, _ := kernels.Lookup(measure)
	r.Threads = 1
	want := compute(t, g, measure, r)
	for _, r.Threads = range []int{2, 3, 16} {
		for _, shards := range []int{1, 3} {
			got, err := InShards(t.Context(), m, g, r, nil, shards)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) || got.Totals != want.Totals {
				t.Errorf("%s, directed %t, %d threads, %d shards: other bits", measure, g.Directed, r.Threads, shards)
			}
		}
	}
}

// TestReducedBatches takes what trees and blocks leave of a ring with trees whose parallel edges are so many that
// counts of paths do not fit a lane, and of one whose counts fit.
func TestReducedBatches(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	for _, parallel := range []int{1, 400} {
		var links []graphtest.Link
		const ring = 210
		for v := range int32(ring) {
			for range parallel {
				links = append(links, graphtest.Link{From: v, To: (v + 1) % ring})
			}
			if v%3 == 0 {
				links = append(links, graphtest.Link{From: v, To: ring + v/3})
			}
		}
		g := graphtest.Links(t, ring+ring/3, false, false, links)
		r := kernels.Request{Nodes: true, Edges: true}
		for _, r.Endpoints = range []bool{false, parallel == 1} {
			r.Reduce = kernels.ReduceOff
			want := compute(t, g, "betweenness", r)
			r.Reduce = "trees,blocks"
			plan, err := reductions.PlanBetweenness(t.Context(), g, r)
			if err != nil || !plan.Reduced.Whole() {
				t.Fatal(err)
			}
			union, err := plan.Reduced.Union()
			if err != nil {
				t.Fatal(err)
			}
			for _, way := range []lanes.Way{lanes.Levels, lanes.Distances} {
				p := &reducedBatches{
					paths: reducedPaths{task{m, g, r}, plan}, union: union, way: way,
					request: kernels.Request{Nodes: true, Edges: true},
				}
				p.bounds = kernels.BoundsOf(union.Graph, p.request, 0)
				p.bounds.Mass = float64(g.N())
				all := p.empty()
				if err := p.search(t.Context(), kernels.Shard{}, all); err != nil {
					t.Fatal(err)
				}
				got, err := p.finish(all)
				if err != nil {
					t.Fatal(err)
				}
				same(t, "node", got.Nodes, want.Nodes)
				same(t, "edge", got.Edges, want.Edges)
			}
		}
	}
}

// TestBlocksOrChains asks for whichever leaves the smaller part of what may be left: of a ring chains, of a dense graph
// with trees blocks.
func TestBlocksOrChains(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 2))
	var dense []graphtest.Link
	for v := range int32(300) {
		dense = append(dense, graphtest.Link{From: v, To: 300 + v})
		for range 6 {
			dense = append(dense, graphtest.Link{From: v, To: random.Int32N(300)})
		}
	}
	for name, x := range map[string]struct {
		g      *export.Graph
		chains bool
	}{
		"chains": {graphtest.Subdivided(t, 30, 2, 5), true}, "blocks": {graphtest.Links(t, 600, false, false, dense), false},
	} {
		r := kernels.Request{Nodes: true, Edges: true, Threads: 1}
		r.Reduce = kernels.ReduceOff
		want := compute(t, x.g, "betweenness", r)
		r.Reduce, r.MostLeft, r.MostInBlocks = kernels.ReduceAuto, 0.5, 0.5
		got := compute(t, x.g, "betweenness", r)
		same(t, name+": node", got.Nodes, want.Nodes)
		same(t, name+": edge", got.Edges, want.Edges)
		if len(got.Reduction.Taken) == 0 || slices.Contains(got.Reduction.Taken, "chains") != x.chains {
			t.Errorf("%s: %v", name, got.Reduction)
		}
		m, _ := kernels.Lookup("betweenness")
		for _, r.Threads = range []int{2, 16} {
			again, err := InShards(t.Context(), m, x.g, r, nil, r.Threads%5)
			if err != nil || !slices.Equal(again.Nodes, got.Nodes) || !slices.Equal(again.Edges, got.Edges) {
				t.Errorf("%s: %d threads: other bits, %v", name, r.Threads, err)
			}
		}
	}
}

// TestStressInLanes compares numbers of paths in lanes with searches one by one, on random graphs and on a chain of
// diamonds, from whose ends more paths lead than fit a lane, for several widths of a batch.
func TestStressInLanes(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 2))
	graphs := []*export.Graph{diamonds(t, 1000)}
	for _, n := range []int{7, 8, 9, 63, 64, 65, 130, 200} {
		graphs = append(graphs, graphtest.Random(t, random, n, n%2 == 0, n%3 == 0, false))
	}
	m, _ := kernels.Lookup("stress")
	for i, g := range graphs {
		r := kernels.Request{Nodes: true, Edges: true, Threads: 2}
		if i == 0 {
			r.Sources = kernels.DrawSources(g.N(), 130, 1)
		}
		single := kernels.NewPartial(m, g.N(), g.M(), r, kernels.BoundsOf(g, r, 0))
		one := stressWorkers(g, r, single)
		if err := workers.Over(t.Context(), g.N(), r, func(stop *stopper.Stopper) workers.Worker {
			return one(stop)
		}); err != nil {
			t.Fatal(err)
		}
		inLanes := func(way lanes.Way) *kernels.Partial {
			batch := single.Empty()
			if err := addPathsInLanes(t.Context(), g, way, lengths.Hops{}, r, kernels.Shard{},
				stressWorkers(g, r, batch), batch); err != nil {
				t.Fatal(err)
			}
			return batch
		}
		for _, way := range []lanes.Way{lanes.Levels, lanes.Distances} {
			r.Threads = 3
			first := inLanes(way)
			for _, r.Threads = range []int{1, 2, 8} {
				batch := inLanes(way)
				if !slices.Equal(batch.WideNodes, first.WideNodes) || !slices.Equal(batch.WideEdges, first.WideEdges) {
					t.Fatalf("graph %d, way %d, %d threads: other bits", i, way, r.Threads)
				}
				if batch.Totals != single.Totals {
					t.Fatalf("graph %d, way %d: totals %+v, want %+v", i, way, batch.Totals, single.Totals)
				}
				sameWides(t, batch.WideNodes, single.WideNodes)
				sameWides(t, batch.WideEdges, single.WideEdges)
			}
		}
	}
}

// diamonds is a chain of diamonds: 2^count paths lead from end to end.
func diamonds(t *testing.T, count int32) *export.Graph {
	t.Helper()
	var links []graphtest.Link
	for i := range count {
		for _, middle := range []int32{3*i + 1, 3*i + 2} {
			links = append(links, graphtest.Link{From: 3 * i, To: middle}, graphtest.Link{From: middle, To: 3*i + 3})
		}
	}
	return graphtest.Links(t, int(3*count+1), false, false, links)
}

// sameWides compares sums.
func sameWides(t *testing.T, got, want []exact.Wide) {
	t.Helper()
	for i := range want {
		x, at := got[i].Value()
		y, there := want[i].Value()
		if (x == 0) != (y == 0) || y > 0 && !within(math.Ldexp(x, int(at-there)), y, 1e-12) {
			t.Fatalf("sum %d is %g * 2^%d, want %g * 2^%d", i, x, at, y, there)
		}
	}
}

// stressWorkers makes workers that search from one source after another.
func stressWorkers(
	g *export.Graph, r kernels.Request, into *kernels.Partial,
) func(stop *stopper.Stopper) *stressWorker {
	results := workers.Shared(into)
	return func(stop *stopper.Stopper) *stressWorker {
		return newStressWorker(g, r, search.NewBFS(g, true, stop), nil, stop, results.One())
	}
}
