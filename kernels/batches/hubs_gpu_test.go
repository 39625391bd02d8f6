//go:build cuda || emulate

package batches

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// hubGraph is a random graph of n nodes in two parts, some of them without arcs: most have few arcs, some a warp's, and
// two a block's. At the end of one part is a path that is longer than distances can say.
func hubGraph(t *testing.T, n int32, directed bool) *export.Graph {
	random := rand.New(rand.NewPCG(31, uint64(n)))
	var links []graphtest.Link
	link := func(u, v int32) { links = append(links, graphtest.Link{From: u, To: v, Weight: 1}) }
	for v := range n {
		for range random.IntN(4) {
			link(v, min(v/2+random.Int32N(5), n-1))
		}
	}
	for hub, arcs := range map[int32]int{n / 3: 1100, n / 2: 2500, n / 5: 40, n / 7: 100} {
		for range arcs {
			link(hub, random.Int32N(n))
		}
	}
	end := n + 300
	for v := n; v < end; v++ {
		link(v, v-1)
	}
	link(end+1, end+2)
	return graphtest.Links(t, int(end)+4, directed, false, links)
}

// TestHubDistances compares the distances to hubs with those of a search on the host, and sees sources that are alike
// side by side.
func TestHubDistances(t *testing.T) {
	d := devicetest.Open(t)
	for _, n := range []int32{3, 40, 700, int32(devicetest.Sized(300_000, 5000))} {
		for _, directed := range []bool{false, true} {
			g := hubGraph(t, n, directed)
			at := fmt.Sprintf("%d nodes, directed %v", n, directed)
			memory := &gpu.Arena{Device: d}
			on, err := device.UploadGraph(memory, g, device.Parts{Transpose: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			c := &device.Calls{Ctx: t.Context(), Device: memory}
			sources := order.All(g)
			nodes, ends := order.ByHops(g, sources, order.Depth{}, 64, g.N()+1)
			o := InOrder(c, &device.Job{Host: g, Graph: on}, nodes, nodes, false)
			o.Ends = ends
			got := o.hubDistances(sources)
			far := 0
			for i, want := range order.HopsTo(g, ends, sources) {
				switch d := got[i]; {
				case d == 255 && want < 255: // the search ended before it came there
					far++
				case d != want:
					t.Fatalf("%s: from %d to %d: %d hops, want %d", at, i/order.Ends, ends[i%order.Ends], d, want)
				}
			}
			if far > len(got)/8 && n > 700 {
				t.Errorf("%s: %d of %d distances are not known", at, far, len(got))
			}
			turns := o.Alike(order.All(g), 64)
			if slices.Sort(turns); !slices.Equal(turns, sources) {
				t.Errorf("%s: other sources", at)
			}
			err = c.Err
			if memory.ReleaseAfter(&err); err != nil {
				t.Fatal(err)
			}
		}
	}
}
