//go:build cuda || emulate

package worker

import (
	"fmt"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// subdivided is a grid with a node in the middle of every edge: chains end at nearly all of its other nodes.
func subdivided(t testing.TB, side int32) *export.Graph {
	var links []graphtest.Link
	n := side * side
	for v := range side * side {
		for _, u := range []int32{v + 1, v + side} {
			if u == v+1 && u%side == 0 || u >= side*side {
				continue
			}
			links = append(links, graphtest.Link{From: v, To: n, Weight: 1}, graphtest.Link{From: n, To: u, Weight: 1})
			n++
		}
	}
	return graphtest.Links(t, int(n), false, false, links)
}

// TestChunksDoNotMatter: a slow device, or one that others keep busy, gives the same bits.
func TestChunksDoNotMatter(t *testing.T) {
	d := devicetest.Open(t)
	differ := func(name string, slowly int, compute func(gpu.Device) (*kernels.Scores, error)) {
		quick, err := compute(d)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again, err := compute(&devicetest.Slow{Device: d, Left: slowly}); err != nil ||
			!sameBits(&outcome{Scores: *again}, &outcome{Scores: *quick}) || again.Totals != quick.Totals {
			t.Errorf("%s: other bits in smaller chunks, %v", name, err)
		}
	}
	for _, g := range []*export.Graph{subdivided(t, 13)} {
		for _, measure := range []string{"betweenness", "closeness"} {
			r := kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOn}
			differ(fmt.Sprintf("%s by chains, %d nodes", measure, g.N()), 20, func(d gpu.Device) (*kernels.Scores, error) {
				got, err := onDevice(t.Context(), d, g, measure, r, "auto", false)
				if err != nil {
					return nil, err
				}
				return &got.Scores, nil
			})
		}
	}
	g := subdivided(t, 5)
	g.Weights = make([]float64, len(g.Targets))
	for k := range g.Weights {
		g.Weights[k] = float64(1 + g.Edge(int64(k))%3)
	}
	eachCase(t, func(name, strategy string, m kernels.Measure, r kernels.Request) {
		differ(name, 3, func(d gpu.Device) (*kernels.Scores, error) {
			got, err := onDevice(t.Context(), d, g, m.Name, r, strategy, false)
			if err != nil {
				return nil, err
			}
			return &got.Scores, nil
		})
	})
}
