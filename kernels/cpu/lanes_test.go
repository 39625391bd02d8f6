package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
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
