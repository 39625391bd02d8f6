package lengths

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestTellsApart: what the least and the greatest weight promise holds, and they do promise it of reals and of whole
// numbers.
func TestTellsApart(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sure := 0
	for range 3000 {
		spread := random.Float64() * 45
		weights := make([]float64, 6)
		for i := range weights {
			switch weights[i] = math.Pow(10, (random.Float64()-0.5)*spread); random.IntN(3) {
			case 0:
				weights[i] = math.Ceil(weights[i])
			case 1:
				weights[i] = math.Ldexp(1, math.Ilogb(weights[i]))
			}
		}
		var links []graphtest.Link
		for i, w := range weights {
			links = append(links, graphtest.Link{From: int32(i), To: int32(i) + 1, Weight: w})
		}
		g := graphtest.Links(t, len(weights)+1, false, true, links)
		if !tellsApart(g) {
			continue
		}
		sure++
		if ties := convertWeights(t.Context(), g, 0).Ties(); ties != "exact" {
			t.Fatalf("%v: %s", weights, ties)
		}
	}
	if sure < 500 {
		t.Errorf("sure of %d of 3000", sure)
	}
}
