package jobs_test

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestRangesOnAGPUInThePlan: the plan says whether a GPU computes several ranges in one pass.
func TestRangesOnAGPUInThePlan(t *testing.T) {
	for _, onePass := range []bool{true, false} {
		var all []*jobs.Computation
		for _, within := range []float64{2, 5} {
			m, _ := kernels.Lookup("betweenness")
			r := &engine.Ranking{OnePass: onePass,
				Ways: []plan.Candidate{{Device: plan.GPU, Engine: "work-efficient", Seconds: 3}}}
			all = append(all, &jobs.Computation{Measure: m, Ranking: r, Task: engine.Task{
				Measure: m.Name, Snapshot: &export.Snapshot{Graph: graphtest.Ring(t, 9, 0)},
				Request: kernels.Request{Nodes: true, Pairs: &kernels.Pairs{Within: within}},
			}})
		}
		jobs.Share(all)
		want, passes := "the ranges 2, 5 one after the other", "2 passes"
		if onePass {
			want, passes = "the ranges 2, 5 in one pass", ""
		}
		text := jobs.Planned(all...)
		if !strings.Contains(text, want) || !strings.HasPrefix(text, passes) ||
			strings.Contains(text, "2 passes") == onePass {
			t.Errorf("one pass %t: %s", onePass, text)
		}
	}
}
