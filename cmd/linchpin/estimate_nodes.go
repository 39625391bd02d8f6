package main

import (
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/fleet/coordinator"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// shared is how nodes would share a measure of a job out.
type shared struct {
	Measure string `json:"measure"`
	// Alone is why this machine computes it alone; there are no forecasts then.
	Alone string `json:"alone,omitempty"`
	// Forecasts are for numbers of nodes that are all like this machine.
	Forecasts []coordinator.Forecast `json:"forecasts,omitempty"`
}

// forecasts is for how many numbers of nodes there are forecasts: for the least of the job, twice as many, and so on.
const forecasts = 4

// sharedBy says how nodes would share the measures of a job out. It says nothing of a job without nodes, or whose graph
// was not read.
func sharedBy(job config.Job, e *jobs.Estimate) (out []shared) {
	least := job.Compute.LeastNodes()
	if least == 0 {
		return nil
	}
	seen := map[string]bool{}
	for _, w := range e.Ways {
		if w.Misfit != "" || seen[w.Measure] {
			continue
		}
		seen[w.Measure] = true
		s := shared{Measure: w.Measure, Alone: alone(job, w)}
		for nodes := max(1, least); s.Alone == "" && len(s.Forecasts) < forecasts; nodes *= 2 {
			s.Forecasts = append(s.Forecasts, coordinator.Predict(searches(job, e), w.Seconds, nodes))
		}
		out = append(out, s)
	}
	return out
}

// alone is why one machine computes a measure of a job for nodes; "" if nodes share it out.
func alone(job config.Job, w connector.Way) string {
	m, _ := kernels.Lookup(w.Measure)
	c, isTop := job.Compute, func(m config.Measure) bool { return m.Measure == w.Measure && m.Top != nil }
	switch {
	case !m.Kind.Divides():
		return coordinator.NoSum(w.Measure)
	case slices.ContainsFunc(job.Measures, isTop):
		return coordinator.TopAlone
	case m.Kind == kernels.Dependencies && (c.Adaptive != 0 || c.Sample.Bounded()):
		return "its sample depends on what was found before, so this machine computes it alone"
	}
	return ""
}

// searches is the number of sources of a job.
func searches(job config.Job, e *jobs.Estimate) int {
	if sample := job.Compute.Sample.Sources; sample > 0 {
		return min(sample, int(e.Nodes))
	}
	return int(e.Nodes)
}

// estimateWithNodes is what estimate JOB --json prints.
type estimateWithNodes struct {
	*jobs.Estimate
	Shared []shared `json:"shared,omitempty"`
}

func withNodes(todo []config.Job, estimates []*jobs.Estimate) []estimateWithNodes {
	out := make([]estimateWithNodes, len(estimates))
	for i, e := range estimates {
		out[i] = estimateWithNodes{e, sharedBy(todo[i], e)}
	}
	return out
}

// printShared shows what nodes give, a table per measure.
func (a *app) printShared(job string, all []shared) error {
	for _, s := range all {
		if s.Alone != "" {
			fmt.Fprintf(a.stdout, "%s: %s: no nodes: %s\n", job, s.Measure, s.Alone)
			continue
		}
		fmt.Fprintf(a.stdout, "\n%s: %s on nodes like this machine, without their start and downloads\n", job, s.Measure)
		t := &table{header: []string{"NODES", "SHARDS", "TIME"}, right: []bool{true, true, true}}
		for _, f := range s.Forecasts {
			t.add(fmt.Sprint(f.Nodes), fmt.Sprint(f.Shards), plan.Duration(f.Seconds))
		}
		if err := t.print(a.stdout); err != nil {
			return err
		}
	}
	return nil
}
