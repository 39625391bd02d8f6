//go:build cuda || emulate

package deep

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// TestWithinRanges compares batches that end at a range with the CPU, and shards with the whole: on strips, rings, and
// a path with many parallel edges, within nothing, a few hops, most of the graph and all of it.
func TestWithinRanges(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(6, 3))
	for i := range devicetest.Sized(30, 3) {
		graphs := map[string]*export.Graph{
			"strip": strip(t, int32(devicetest.Sized(100, 56)+random.IntN(20)), random),
			"ring":  graphtest.Ring(t, devicetest.Sized(500, 100)+random.IntN(40), 0),
			"band":  graphtest.Band(t, devicetest.Sized(600, 120)+random.IntN(40), 2),
			"heavy": heavyPath(t, int32(devicetest.Sized(400, 120))),
		}
		turn := i
		for _, name := range []string{"strip", "ring", "band", "heavy"} {
			g := graphs[name]
			ranges := []float64{0.5, 1, 2.7, 6, float64(g.N()) / 20, float64(g.N()) / 9, 1e12}
			for range devicetest.Sized(len(ranges), 2) {
				r := kernels.Request{
					Nodes: turn%3 != 1, Edges: turn%3 != 0, Params: kernels.Params{Endpoints: turn%4 == 0},
					Pairs: &kernels.Pairs{Within: ranges[turn%len(ranges)]},
				}
				agree(t, d, fmt.Sprintf("%s %d within %v", name, i, r.Within()), g, r)
				turn++
			}
		}
	}
}

// TestWithinRangesFromSome: sources in two places of a ring, whose ranges meet or do not.
func TestWithinRangesFromSome(t *testing.T) {
	d := devicetest.Open(t)
	n := devicetest.Sized(800, 150)
	g := graphtest.Ring(t, n, 0)
	r := kernels.Request{Nodes: true, Edges: true}
	for v := range int32(n) {
		if at := int(v) * 20 / n; at == 3 || at == 12 || v%61 == 0 {
			r.Sources = append(r.Sources, v)
		}
	}
	for _, within := range []float64{3, float64(n) / 8, float64(n) / 3} {
		r.Pairs = &kernels.Pairs{Within: within}
		agree(t, d, fmt.Sprintf("a ring from some within %v", within), g, r)
	}
}

// heavyPath is a path whose first edges are there 31 times: counts of its paths fit no float32.
func heavyPath(t *testing.T, length int32) *export.Graph {
	t.Helper()
	const heavy = 22
	var links []graphtest.Link
	for i := range length {
		links = append(links, graphtest.Link{From: i, To: i + 1, Weight: 1})
		for range 30 {
			if i < heavy {
				links = append(links, graphtest.Link{From: i, To: i + 1, Weight: 1})
			}
		}
	}
	return graphtest.Links(t, int(length)+1, false, false, links)
}

// TestRangesCostWhatLiesWithin: within a range, batches look at fewer arcs than without one.
func TestRangesCostWhatLiesWithin(t *testing.T) {
	d := devicetest.Open(t)
	g, seen := graphtest.Ring(t, devicetest.Sized(3000, 600), 0), map[float64]int64{}
	for _, within := range []float64{5, 50, 0} {
		task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: "betweenness", Single: true, Change: withProfile}
		task.Request = kernels.Request{Nodes: true, Sources: order.All(g)[:64], Pairs: &kernels.Pairs{Within: within}}
		got, err := enginetest.Compute(t.Context(), d, task)
		if err != nil {
			t.Fatal(err)
		}
		seen[within] = got.Profile.Arcs
	}
	if !(seen[5] < seen[50] && 2*seen[50] < seen[0]) {
		t.Errorf("arcs seen, by range: %v", seen)
	}
}
