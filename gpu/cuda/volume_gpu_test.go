//go:build cuda || emulate

package cuda

import (
	"testing"

	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestVolumes: hubs with long rows, and a graph whose bitmap does not fit in shared memory.
func TestVolumes(t *testing.T) {
	d := open(t)
	if emulated {
		d.info.SharedBlock = 2048 // for the last graph
	}
	for _, spec := range []generate.Spec{
		{Kind: generate.BarabasiAlbert, Nodes: sized(30_000, 700), Degree: 4, Seed: 1},
		{Kind: generate.RMAT, Nodes: sized(1<<12, 1<<8), Degree: 16, Seed: 2},
		{Kind: generate.BarabasiAlbert, Nodes: sized(2_000_003, 3_001), Degree: 2, Seed: 3},
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
