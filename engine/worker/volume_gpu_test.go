//go:build cuda || emulate

package worker

import (
	"testing"

	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestVolumes: hubs with long rows, and a graph whose bitmap does not fit in shared memory.
func TestVolumes(t *testing.T) {
	d := devicetest.Shown{OpenDevice: devicetest.Open(t)}
	if d.About = d.OpenDevice.Info(); devicetest.Emulated {
		d.About.SharedBlock = 2048 // for the last graph
	}
	for _, spec := range []generate.Spec{
		{Kind: generate.BarabasiAlbert, Nodes: devicetest.Sized(30_000, 700), Degree: 4, Seed: 1},
		{Kind: generate.BarabasiAlbert, Nodes: devicetest.Sized(30_000, 700), Degree: 1, Seed: 4},
		{Kind: generate.RMAT, Nodes: devicetest.Sized(1<<12, 1<<8), Degree: 16, Seed: 2},
		{Kind: generate.BarabasiAlbert, Nodes: devicetest.Sized(2_000_003, 3_001), Degree: 2, Seed: 3},
	} {
		s, err := generate.Graph(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		for radius := range 3 {
			r := kernels.Request{Params: kernels.Params{Radius: &radius}, Nodes: true}
			check(t, d, s.Graph, "volume", r, "volume-bitmap", false, 0)
		}
	}
}

// TestVolumesOfLeaves: leaves, which take their neighbour's volume, of a hub whose row a warp reads and of one whose row a block reads, among parallel
// edges, loops, edges with two leaves for ends, and edges among the hub's neighbours.
func TestVolumesOfLeaves(t *testing.T) {
	d := devicetest.Open(t)
	for _, hub := range []int32{40, 1500} {
		links := []graphtest.Link{{From: 0, To: 0}, {From: 1, To: 2}, {From: 1, To: 2}, {From: 3, To: 3}, {From: hub + 1, To: hub + 2}, {From: hub + 3, To: hub + 3}}
		for v := int32(1); v <= hub; v++ {
			links = append(links, graphtest.Link{From: 0, To: v})
			if v%7 == 0 {
				links = append(links, graphtest.Link{From: 0, To: v}, graphtest.Link{From: v, To: v/2 + 1})
			}
		}
		for _, directed := range []bool{false, true} {
			g := graphtest.Links(t, int(hub)+6, directed, false, links)
			for radius := range 3 {
				r := kernels.Request{Params: kernels.Params{Radius: &radius}, Nodes: true}
				check(t, d, g, "volume", r, "volume-bitmap", false, 0)
			}
		}
	}
}
