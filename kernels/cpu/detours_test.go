package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// TestDetoursForAnyThreads: scores from many sources, for which detours are dropped, are those from few, for which they
// are not, and have the same bits for any number of threads.
func TestDetoursForAnyThreads(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 3))
	for _, whole := range []bool{false, true} {
		const n = 700
		var links []graphtest.Link
		for v := range int32(n) {
			for d := range int32(6) { // a ring of many triangles
				w := 1 - random.Float64()
				if whole {
					w = float64(1 + random.IntN(20))
				}
				links = append(links, graphtest.Link{From: v, To: (v + d + 1) % n, Weight: w})
			}
		}
		g := graphtest.Links(t, n, whole, true, links)
		r := kernels.Request{Nodes: true, Edges: true, Threads: 1, Params: kernels.Params{Weighted: true}}
		r.Reduce = kernels.ReduceOff
		want := compute(t, g, "betweenness", r)
		few := r
		nodes, edges := make([]float64, g.N()), make([]float64, g.M())
		for part := range slices.Chunk(order.OrAll(g, r.Sources), n/2) {
			few.Sources = part
			got := compute(t, g, "betweenness", few)
			for v, x := range got.Nodes {
				nodes[v] += x
			}
			for e, x := range got.Edges {
				edges[e] += x
			}
		}
		for i, x := range append(nodes, edges...) {
			if y := append(slices.Clone(want.Nodes), want.Edges...)[i]; !within(x, y, 1e-12) {
				t.Fatalf("score %d is %v, and %v from few sources", i, y, x)
			}
		}
		for _, r.Threads = range []int{2, 3, 16} {
			if got := compute(t, g, "betweenness", r); !slices.Equal(got.Nodes, want.Nodes) ||
				!slices.Equal(got.Edges, want.Edges) {
				t.Errorf("%d threads: other bits", r.Threads)
			}
		}
	}
}
