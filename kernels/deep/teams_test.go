package deep

import (
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// TestTeamsFitWhatIsPlanned: whatever memory there is, the same teams fit into what the plan says as into all of it.
func TestTeamsFitWhatIsPlanned(t *testing.T) {
	d := gpu.Info{SMs: 132, SharedBlock: 1 << 17}
	for _, want := range []device.Want{
		{Measure: "betweenness", Nodes: true, Sources: 1}, {Measure: "betweenness", Nodes: true, Edges: true},
		{Measure: "betweenness", Edges: true, Single: true, Sources: 5000},
	} {
		for _, size := range []kernels.Size{{Nodes: 1}, {Nodes: 5000, Edges: 90_000}, {Nodes: 1 << 20, Edges: 3 << 20}} {
			w := want
			if w.Size = size; w.Sources == 0 {
				w.Sources = int(size.Nodes)
			}
			for free := int64(1 << 20); free < 1<<38; free *= 2 {
				teamsFit(t, w, d, free)
			}
		}
	}
}

func teamsFit(t *testing.T, w device.Want, d gpu.Info, free int64) {
	t.Helper()
	planned, least := fitTeams(w, d, free)
	if planned.teams == 0 {
		if least <= free {
			t.Errorf("%v: none of %d bytes, least %d", w, free, least)
		}
		return
	}
	if planned.bytes(w) > free {
		t.Fatalf("%v: planned %d bytes of %d", w, planned.bytes(w), free)
	}
	if run, least := fitTeams(w, d, planned.bytes(w)); run != planned {
		t.Errorf("%v, %d bytes free: planned %+v, runs %+v (least %d)", w, free, planned, run, least)
	}
}
