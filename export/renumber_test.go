package export_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestInOrder: a graph in another order is valid and has the same arcs, edges and weights, also those that are parallel
// or loops.
func TestInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, directed := range []bool{false, true} {
		for _, weighted := range []bool{false, true} {
			const n = 50
			var links []graphtest.Link
			for range 300 {
				links = append(links, graphtest.Link{From: random.Int32N(n), To: random.Int32N(n),
					Weight: float64(1 + random.IntN(9))})
			}
			g := graphtest.Links(t, n, directed, weighted, links)
			nodes := make([]int32, n)
			for i, v := range random.Perm(n) {
				nodes[i] = int32(v)
			}
			r := g.InOrder(nodes)
			if err := r.Validate(); err != nil {
				t.Fatal(err)
			}
			for i, v := range nodes {
				if r.Places[v] != int32(i) || r.Degree(int32(i)) != g.Degree(v) {
					t.Fatalf("node %d is number %d, not %d, or has other arcs", v, r.Places[v], i)
				}
				for k := r.Offsets[i]; k < r.Offsets[i+1]; k++ {
					was := r.Arcs[k]
					if was < g.Offsets[v] || was >= g.Offsets[v+1] || r.Targets[k] != r.Places[g.Targets[was]] ||
						r.Edge(k) != g.Edge(was) || r.Weight(k) != g.Weight(was) {
						t.Fatalf("arc %d of node %d is another one", k, v)
					}
				}
			}
			if arcs := slices.Sorted(slices.Values(r.Arcs)); len(slices.Compact(arcs)) != g.Arcs() {
				t.Fatal("an arc is there twice")
			}
		}
	}
}
