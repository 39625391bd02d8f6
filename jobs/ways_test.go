package jobs

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestOnlyWhatNoWayFitsIsRefused: the CPU's memory refuses no job that a GPU has room for.
func TestOnlyWhatNoWayFitsIsRefused(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	p := pass{measure: m}
	cpu := plan.Candidate{Device: plan.CPU, Engine: plan.Plain, HostBytes: 9e9, Misfit: "needs 9 GB of host memory, 4 GB are free"}
	gpu := plan.Candidate{Device: plan.GPU, Engine: plan.Levels, HostBytes: 1e9, DeviceBytes: 2e9}
	if err := fits(p, &engine.Ranking{Ways: []plan.Candidate{gpu, cpu}}, 4e9); err != nil {
		t.Errorf("a GPU that fits: %v", err)
	}
	if err := fits(p, &engine.Ranking{}, 4e9); err != nil {
		t.Errorf("a GPU that is missing: %v", err)
	}
	gpu.Misfit = "needs 90 GB of device memory, 80 GB are free"
	err := fits(p, &engine.Ranking{Ways: []plan.Candidate{cpu, gpu}}, 4e9)
	for _, part := range []string{"betweenness needs ", cpu.Misfit, "gpu, levels " + gpu.Misfit} {
		if connector.KindOf(err) != connector.TooLarge || !strings.Contains(err.Error(), part) {
			t.Errorf("%v; want %q", err, part)
		}
	}
}
