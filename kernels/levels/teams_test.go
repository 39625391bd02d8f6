package levels

import (
	"errors"
	"fmt"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
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
		for _, size := range []kernels.Size{
			{Nodes: 1}, {Nodes: 5000, Edges: 90_000}, {Nodes: 1 << 20, Edges: 3 << 20},
			{Nodes: 1 << 20, Edges: 44 << 20, Directed: true},
		} {
			w := want
			if w.Size = size; w.Sources == 0 {
				w.Sources = int(size.Nodes)
			}
			for free := int64(1 << 20); free < 1<<38; free *= 2 {
				teamsFit(t, w, d, false, free)
				teamsFit(t, w, d, true, free)
			}
		}
	}
}

func teamsFit(t *testing.T, w device.Want, d gpu.Info, deep bool, free int64) {
	t.Helper()
	at := fmt.Sprintf("%v, %d bytes free, deep %t", w, free, deep)
	planned, least := fitTeams(w, d, deep, free)
	if planned.teams == 0 {
		if least <= free {
			t.Errorf("%s: none, least %d", at, least)
		}
		return
	}
	if planned.bytes(w) > free {
		t.Fatalf("%s: planned %d bytes", at, planned.bytes(w))
	}
	if run, least := fitTeams(w, d, deep, planned.bytes(w)); run != planned {
		t.Errorf("%s: planned %+v, runs %+v (least %d)", at, planned, run, least)
	}
}

// TestSaysWhatItNeeds: too little memory is an error of a plan that is too large.
func TestSaysWhatItNeeds(t *testing.T) {
	w := device.Want{Measure: "betweenness", Nodes: true, Sources: 10, Size: kernels.Size{Nodes: 1 << 20, Edges: 1 << 22}}
	_, err := Engine{}.Prepare(&device.Job{Want: w, Host: graphtest.Ring(t, 100, 0)}, gpu.Info{SMs: 132}, 1<<20)
	if large := (*gpu.TooLarge)(nil); !errors.As(err, &large) {
		t.Errorf("error %v, want one of a plan that is too large", err)
	}
}

// TestAWaveTakesASecond: on large graphs teams grow, so that fewer batches run at a time.
func TestAWaveTakesASecond(t *testing.T) {
	d := gpu.Info{SMs: 132}
	w := device.Want{Measure: "betweenness", Nodes: true, Single: true, Sources: 1 << 20}
	for _, c := range []struct {
		size kernels.Size
		deep bool
		most int64
	}{
		{kernels.Size{Nodes: 1 << 20, Edges: 44 << 20}, false, shallowWave},
		{kernels.Size{Nodes: 1 << 20, Edges: 3 << 20}, true, deepWave},
		{kernels.Size{Nodes: 1 << 20, Edges: 7 << 20}, true, deepWave},
	} {
		w.Size = c.size
		team := wantTeams(w, d, c.deep)
		if wave := int64(team.teams) * team.lanes * device.Arcs(c.size); wave > c.most || wave < c.most/8 {
			t.Errorf("%v, deep %t: %+v make waves of %d lanes times arcs, bound %d", c.size, c.deep, team, wave, c.most)
		}
	}
}
