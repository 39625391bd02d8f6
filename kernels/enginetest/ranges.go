//go:build cuda || emulate

package enginetest

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// ranges are some that hold nothing, a few nodes, and all; the weights of random graphs have paths of just that length.
var ranges = []float64{0.05, 1, 2, 0.3, 3.7, 5, 12, 1e12 + 1, 1e300}

// AgreeWithinRanges compares what engines compute within a range with the CPU, and shards with the whole, bit by bit,
// in another way on each graph.
func AgreeWithinRanges(t *testing.T, d gpu.Device, engines []device.Engine, weighted bool) {
	t.Helper()
	graphs := append(Some(t, devicetest.Sized(40, 6), weighted), Decimals(t))
	if !devicetest.Emulated || len(engines) == 1 {
		graphs = append(graphs, Batches(t, false, weighted), Batches(t, true, weighted))
	}
	turn, compared := 0, 0
	for i, e := range engines {
		for k, g := range graphs {
			if devicetest.Emulated && len(engines) > 1 && (i+k)%5 > 0 {
				continue
			}
			for _, m := range measuresOf(device.Want{Params: kernels.Params{Weighted: weighted},
				Nodes: true, Within: 1}, e, turn) {
				turn++
				r := Request(m, turn, g.Graph)
				r.Weighted, r.Reduce, r.Pairs = weighted, kernels.ReduceOff, &kernels.Pairs{Within: ranges[turn%len(ranges)]}
				r.Edges = r.Edges && e.Accepts(device.Want{Measure: m.Name, Params: r.Params, Edges: true, Within: r.Within()},
					g.Graph.Directed)
				task := Task{Engine: e, Graph: g.Graph, Measure: m.Name, Request: r, Single: turn%4 == 0}
				unsuited := (*device.Unsuited)(nil)
				if _, err := Compute(t.Context(), d, task); weighted && errors.As(err, &unsuited) {
					continue // lengths that only 128 bits hold
				}
				compared++
				Agree(t, d, e.Name()+", "+g.At(m.Name, r), task)
			}
		}
	}
	if compared < turn/2 {
		t.Errorf("%d of %d comparisons were made", compared, turn)
	}
}

// Decimals is a path of steps of 0.1, of which three are just as long as 0.3 and in float64 longer.
func Decimals(t *testing.T) Named {
	random := rand.New(rand.NewPCG(3, 3))
	var links []graphtest.Link
	n := int32(devicetest.Sized(300, 120))
	for v := range n {
		links = append(links, graphtest.Link{From: v, To: v + 1, Weight: 0.1})
		if v%50 == 0 {
			links = append(links, graphtest.Link{From: v, To: random.Int32N(n), Weight: 0.2})
		}
	}
	return Named{"decimals", graphtest.Links(t, int(n)+1, false, true, links)}
}
