//go:build cuda || emulate

package cuda

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// strip is a grid of so many nodes by 5 with random diagonals, parallel edges and self-loops, a star beside it, and a node alone.
func strip(t *testing.T, length int32, random *rand.Rand) *export.Graph {
	const width, leaves = 5, 9
	var links []link
	for i := range length {
		for j := range int32(width) {
			v := width*i + j
			if j+1 < width && random.IntN(8) > 0 {
				links = append(links, link{v, v + 1, 1})
			}
			if i+1 < length {
				links = append(links, link{v, v + width, 1})
			}
			switch random.IntN(12) {
			case 0:
				links = append(links, link{v, v, 1})
			case 1, 2:
				w := min(v+width+1, width*length-1)
				links = append(links, link{v, w, 1}, link{w, v, 1})
			}
		}
	}
	hub := width * length
	for leaf := range int32(leaves) {
		links = append(links, link{hub, hub + 1 + leaf, 1})
	}
	return build(t, int(hub)+leaves+2, false, false, links)
}

// TestBatchedDeep: on deep graphs sources that are near make batches of 128, or 64; the others are searched level by level.
func TestBatchedDeep(t *testing.T) {
	d := open(t)
	random := rand.New(rand.NewPCG(8, 9))
	for i := range sized(40, 2) {
		g := strip(t, int32(sized(100, 30)+random.IntN(20)), random)
		all := kernels.Request{Nodes: true, Edges: i%2 == 0, Params: kernels.Params{Endpoints: i%3 == 0}}
		few := all
		for v := range int32(g.N()) {
			if v%64 < 24 || random.IntN(9) == 0 {
				few.Sources = append(few.Sources, v)
			}
		}
		for _, r := range []kernels.Request{all, few} {
			if emulated && r.Sources == nil && i > 0 {
				continue
			}
			notes := checkBatched(t, d, fmt.Sprintf("strip %d", i), g, r)
			if !strings.Contains(notes, "128 lanes") || !strings.Contains(notes, "teams of a block") {
				t.Errorf("strip %d: %s", i, notes)
			}
		}
	}
}
