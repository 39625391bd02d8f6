package main

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/scale"
)

// printPoints shows a line per number of GPUs.
func printPoints(a *app, points []scale.Point) error {
	t := &table{
		header: []string{"GPUS", "SHARDS", "TIME", "SPEED-UP", "OF LINEAR", "PREPARE", "SEARCH", "SMALL", "LAST", "JOIN"},
		right:  []bool{true, true, true, true, true, true, true, true, true, true},
	}
	for _, p := range points {
		t.add(fmt.Sprint(p.Devices), fmt.Sprint(p.Shards), plan.Duration(p.Wall), fmt.Sprintf("%.1f", p.Speedup),
			fmt.Sprintf("%.0f %%", 100*p.Linear), plan.Duration(p.Prepare), plan.Duration(p.Search), plan.Duration(p.Small),
			plan.Duration(p.Last), plan.Duration(p.Join))
	}
	return t.print(a.stdout)
}

// linear says where a run stops being linear.
func linear(s *scale.Scaling) string {
	if s.Limit == "" {
		return fmt.Sprintf("at least %.0f %% of linear on all of them", 100*scale.LinearFrom)
	}
	return fmt.Sprintf("at least %.0f %% of linear up to %s; beyond, most is lost to %s", 100*scale.LinearFrom,
		counted(s.Linear, "GPU"), s.Limit)
}
