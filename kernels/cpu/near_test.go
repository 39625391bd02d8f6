package cpu

import (
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// TestNear has searches one by one take a deep graph in another order: from all nodes and from some, by hops and by
// weights of all kinds, with parallel edges and loops. Scores are those of the graph as it is, and have the same bits
// for any number of threads and shards.
func TestNear(t *testing.T) {
	whole := order.NearNodes
	defer func() { order.NearNodes = whole }()
	random := rand.New(rand.NewPCG(28, 71))
	weighing := func(g *export.Graph, draw func() float64) *export.Graph {
		byEdge := make([]float64, g.M())
		for e := range byEdge {
			byEdge[e] = draw()
		}
		return graphtest.Weighing(g, func(e int32) float64 { return byEdge[e] })
	}
	real := func() float64 { return 0.5 + random.Float64() }
	ticks := func() float64 { return float64(1 + random.IntN(100_000)) }
	both := graphtest.GridLinks(20) // and back, and loops
	for _, x := range graphtest.GridLinks(20) {
		both = append(both, graphtest.Link{From: x.To, To: x.From}, graphtest.Link{From: x.From, To: x.From})
	}
	for name, c := range map[string]struct {
		g        *export.Graph
		weighted bool
		sources  int
	}{
		"ring": {graphtest.Ring(t, 900, 3), false, 20}, "paths": {graphtest.RingOfPaths(t, 12, 40), false, 24},
		"real":     {weighing(graphtest.Grid(t, 15, false), real), true, 0},
		"directed": {weighing(graphtest.Links(t, 20*20, true, false, both), real), true, 0},
		"multiple": {weighing(graphtest.Links(t, 20*20, false, false, both), real), true, 30},
		"ticks":    {weighing(graphtest.Grid(t, 15, false), ticks), true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOff}
			r.Weighted, r.Endpoints = c.weighted, true
			for i := range c.sources {
				r.Sources = append(r.Sources, int32(i*c.g.N()/c.sources))
			}
			l, err := lengths.New(t.Context(), c.g, c.weighted, 0)
			if err != nil {
				t.Fatal(err)
			}
			if way, err := lanes.Choose(t.Context(), c.g, l, r.Sources); way != lanes.Single || err != nil {
				t.Fatalf("not one by one: %v", err)
			}
			if !order.LikelyDepth(c.g).Deep {
				t.Fatal("not deep")
			}
			m := mustLookup(t, "betweenness")
			order.NearNodes = whole
			want, err := Compute(t.Context(), m, c.g, r)
			if err != nil {
				t.Fatal(err)
			}
			order.NearNodes = 1
			got, err := Compute(t.Context(), m, c.g, r)
			if err != nil {
				t.Fatal(err)
			}
			if got.Totals.Pairs != want.Totals.Pairs {
				t.Errorf("%d pairs, want %d", got.Totals.Pairs, want.Totals.Pairs)
			}
			for i, x := range append(got.Nodes, got.Edges...) {
				if y := append(want.Nodes, want.Edges...)[i]; !within(x, y, 1e-12) {
					t.Fatalf("score %d is %v, want %v", i, x, y)
				}
			}
			alikeForAnyThreads(t, c.g, "betweenness", r)
		})
	}
}
