package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestComponents compares with the searches: of an undirected graph, two nodes are in one component if there is a path.
func TestComponents(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		g := graphtest.Random(t, random, n, false, true, false)
		want, size := int64(0), int64(0)
		err := Distances(t.Context(), g, kernels.Request{Threads: 1}, func(source int32, distances []float64) error {
			reached, first := int64(0), int32(n)
			for v, d := range distances {
				if !math.IsInf(d, 1) {
					reached, first = reached+1, min(first, int32(v))
				}
			}
			if size = max(size, reached); first == source {
				want++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if count, largest := Components(g); count != want || largest != size {
			t.Errorf("%d nodes: %d components, the largest of %d, want %d of %d", n, count, largest, want, size)
		}
	}
	g := graphtest.Links(t, 6, true, false, []graphtest.Link{{From: 1, To: 0}, {From: 1, To: 2}, {From: 4, To: 3}})
	if count, largest := Components(g); count != 3 || largest != 3 {
		t.Errorf("directed: %d components, the largest of %d", count, largest)
	}
}
