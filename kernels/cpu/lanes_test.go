package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// TestLanesForAnyThreads takes a graph whose batches have 64 lanes with one thread and 8 with 16, in one shard and in three.
func TestLanesForAnyThreads(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 1))
	var links []graphtest.Link
	for range 3000 {
		links = append(links, graphtest.Link{From: random.Int32N(500), To: random.Int32N(500)})
	}
	for _, directed := range []bool{false, true} {
		g := graphtest.Links(t, 500, directed, false, links)
		if pays, err := lanes.Pays(t.Context(), g, sourcesOf(g, kernels.Request{})); !pays || err != nil {
			t.Fatalf("no lanes: %v", err)
		}
		m, _ := kernels.Lookup("betweenness")
		r := kernels.Request{Nodes: true, Edges: true, Threads: 1}
		r.Reduce, r.Endpoints = kernels.ReduceOff, true
		want := compute(t, g, "betweenness", r)
		for _, r.Threads = range []int{2, 3, 16} {
			for _, shards := range []int{1, 3} {
				got, err := InShards(t.Context(), m, g, r, nil, shards)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) || got.Totals != want.Totals {
					t.Errorf("directed %t, %d threads, %d shards: other bits", directed, r.Threads, shards)
				}
			}
		}
	}
}

// TestReducedBatches takes what trees and blocks leave of a ring with trees whose parallel edges are so many that counts of paths
// do not fit a lane, and of one whose counts fit.
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
			p := reducedBatches{reducedPaths{task{m, g, r}, plan}, union}
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

// TestBlocksOrChains asks for whichever leaves the smaller part of what may be left: of a ring chains, of a dense graph with
// trees blocks.
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
