package weighted

import (
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// TestTeamsFitWhatIsPlanned: whatever memory there is, the same teams fit into what the plan says as into all of it.
func TestTeamsFitWhatIsPlanned(t *testing.T) {
	d, byWeights := gpu.Info{SMs: 132, SharedBlock: 1 << 17}, kernels.Params{Weighted: true}
	for _, want := range []device.Want{
		{Measure: "betweenness", Params: byWeights, Nodes: true, Edges: true},
		{Measure: "stress", Params: byWeights, Edges: true, Sources: 5000},
		{Measure: "harmonic", Params: byWeights, Nodes: true},
		{Measure: device.Distances, Params: byWeights, Summary: true},
		{Measure: device.Distances, Params: byWeights, Sources: 5000},
	} {
		for _, size := range []kernels.Size{
			{Nodes: 1}, {Nodes: 5000, Edges: 90_000}, {Nodes: 1 << 20, Edges: 3 << 20},
			{Nodes: 1 << 20, Edges: 44 << 20, Directed: true},
		} {
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
	p, err := Engine{}.Prepare(&device.Job{Want: w}, d, free)
	if err != nil {
		return
	}
	if p.Plan().DeviceBytes > free {
		t.Fatalf("%v: planned %d bytes of %d", w, p.Plan().DeviceBytes, free)
	}
	planned := p.(*prepared).team
	run, least := fitTeams(w, d, p.Plan().DeviceBytes)
	if run != planned || run.blocks < 1 || run.blocks*run.teams > d.SMs*batchesPerSM {
		t.Errorf("%v, %d bytes free: planned %+v, runs %+v (least %d)", w, free, planned, run, least)
	}
}
