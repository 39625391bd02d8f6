package jobs

import (
	"context"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// ranked is an engine that ranks as it was told to.
type ranked struct {
	Engine
	ways []plan.Candidate
}

func (e ranked) Rank(context.Context, engine.Task, int64) (*engine.Ranking, error) {
	return &engine.Ranking{Ways: e.ways}, nil
}

// TestOnlyWhatNoWayFitsIsRefused: the CPU's memory refuses no job that a GPU has room for.
func TestOnlyWhatNoWayFitsIsRefused(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	plans := func(ways ...plan.Candidate) error {
		c := Computation{Measure: m, Task: engine.Task{Snapshot: &export.Snapshot{Graph: &export.Graph{}}}}
		return refused(m, c.Plan(t.Context(), ranked{ways: ways}, 4e9))
	}
	cpu := plan.Candidate{Device: plan.CPU, Engine: plan.Plain, HostBytes: 9e9,
		Misfit: "needs 9 GB of host memory, 4 GB are free"}
	gpu := plan.Candidate{Device: plan.GPU, Engine: plan.Levels, HostBytes: 1e9, DeviceBytes: 2e9}
	if err := plans(gpu, cpu); err != nil {
		t.Errorf("a GPU that fits: %v", err)
	}
	if err := plans(); err != nil {
		t.Errorf("a GPU that is missing: %v", err)
	}
	gpu.Misfit = "needs 90 GB of device memory, 80 GB are free"
	err := plans(cpu, gpu)
	for _, part := range []string{"betweenness needs ", cpu.Misfit, "gpu, levels " + gpu.Misfit} {
		if connector.KindOf(err) != connector.TooLarge || !strings.Contains(err.Error(), part) {
			t.Errorf("%v; want %q", err, part)
		}
	}
}

// TestRecordsTellShardsAndDevices: what the plan says of them stands in the record's ways.
func TestRecordsTellShardsAndDevices(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	r := &engine.Ranking{Ways: []plan.Candidate{{Device: plan.GPU, Engine: plan.Levels, Shards: 4, Devices: 2, Seconds: 30,
		Why: "batches by hops"}}}
	got := waysOf(pass{measure: m}, r)[0]
	if got.Parts != 4 || got.Devices != 2 || !strings.Contains(got.Reason, "about 30 s in 4 shards on 2 devices") {
		t.Errorf("%+v", got)
	}
}

// TestJobsNameTheirDevices: device and devices together are the policy of the engine.
func TestJobsNameTheirDevices(t *testing.T) {
	for _, c := range []struct {
		device  string
		devices config.Devices
		want    engine.Policy
	}{{"auto", "", "auto"}, {"auto", "all", "auto:all"}, {"gpu", "0,2", "gpu:0,2"},
		{"gpu:1", "", "gpu:1"}, {"cpu", "", "cpu"}} {
		if got := Policy(config.Compute{Device: c.device, Devices: c.devices}); got != c.want {
			t.Errorf("%s on %q: %s", c.device, c.devices, got)
		}
	}
}
