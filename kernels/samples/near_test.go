package samples

import (
	"math"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// TestPairsInTheOrderOfNeighbours: on a large deep graph, nodes lie next to their neighbours while pairs are drawn. The
// paths are those of the graph.
func TestPairsInTheOrderOfNeighbours(t *testing.T) {
	r, a := kernels.Request{Nodes: true, Edges: true}, kernels.Accuracy{Error: 0.05, Confidence: 0.9, Seed: 3}
	whole := order.NearNodes
	defer func() { order.NearNodes = whole }()
	for _, g := range []*export.Graph{graphtest.Grid(t, 60, false), graphtest.Ring(t, 3000, 100)} {
		order.NearNodes = whole
		want, _ := drawPairs(t, g, r, a)
		order.NearNodes = 1
		counts := newTally(t.Context(), g, r)
		counts.stop.Release()
		if !counts.near {
			t.Fatalf("%d nodes lie as in the graph", g.N())
		}
		if got, _ := drawPairs(t, g, r, a); !slices.Equal(got.Nodes, want.Nodes) || !slices.Equal(got.Edges, want.Edges) {
			t.Errorf("%d nodes: other scores", g.N())
		}
	}
}

// TestSourcesInTheOrderOfNeighbours: a sample of sources of a large deep graph has the scores and bounds of one in
// which the nodes lie as they are, and none where exact scores take less work.
func TestSourcesInTheOrderOfNeighbours(t *testing.T) {
	a := kernels.Accuracy{Error: 0.1, Confidence: 0.9, Seed: 3, Each: true}
	doubled := graphtest.Links(t, 2400, false, false, doubledLinks(1200)) // more paths than Hops counts
	for i, g := range []*export.Graph{graphtest.Grid(t, 60, false), graphtest.Ring(t, 3000, 100), doubled} {
		r := kernels.Request{Nodes: true, Params: kernels.Params{Endpoints: i == 0}}
		by := oneByOne(t, g, r)
		want, wanted, err := OfSources(t.Context(), g, r, a, by, StrataOf(g), math.Inf(1))
		if err != nil {
			t.Fatal(err)
		}
		got, found, err := drawnNear(t.Context(), g, r, a, math.Inf(1))
		if err != nil || found.Sources != wanted.Sources || got.Totals != by.found() {
			t.Fatalf("graph %d: %+v of %+v and %+v of %+v, %v", i, got.Totals, found, by.found(), wanted, err)
		}
		same(t, "node", got.Nodes, want.Nodes)
		same(t, "bound", found.Nodes, wanted.Nodes)
		if got, found, err := drawnNear(t.Context(), g, r, a, 1); got != nil || err != nil || !found.Exact {
			t.Errorf("graph %d: a sample that takes more than exact scores: %+v, %v", i, found, err)
		}
	}
}
