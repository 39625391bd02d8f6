//go:build cuda || emulate

package enginetest

import (
	"errors"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// InOnePass is a task for several ranges in one pass, ascending. Its outcome is that of the greatest. found, unless
// nil, gets the partial result of each.
func InOnePass(task Task, ranges []float64, found *[]*kernels.Partial) Task {
	m, _ := kernels.Lookup(task.Measure)
	task.Request.Pairs = &kernels.Pairs{Within: ranges[len(ranges)-1]}
	g, r, change := task.Graph, task.Request, task.Change
	task.Change = func(j *device.Job) {
		if change != nil {
			change(j)
		}
		var all []*kernels.Partial
		j.Want.Ranges = ranges
		for range ranges[1:] {
			all = append(all, kernels.NewPartial(m, g.N(), g.M(), r, kernels.BoundsOf(g, r, 0)))
		}
		all = append(all, j.Partial)
		for _, p := range all {
			j.Ranges = append(j.Ranges, device.Range{Partial: p})
		}
		if found != nil {
			*found = all
		}
	}
	return task
}

// AsAlone compares several ranges in one pass with a run with each alone, bit by bit, and unless counts are float32
// with the CPU. It reports whether the device computes them so.
func AsAlone(t *testing.T, d gpu.Device, at string, task Task, ranges []float64) bool {
	t.Helper()
	var found []*kernels.Partial
	_, err := Compute(t.Context(), d, InOnePass(task, ranges, &found))
	if unsuited := (*device.Unsuited)(nil); errors.As(err, &unsuited) {
		t.Logf("%s: %v", at, err)
		return false
	}
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	m, _ := kernels.Lookup(task.Measure)
	for i, within := range ranges {
		task.Request.Pairs = &kernels.Pairs{Within: within}
		want, err := Compute(t.Context(), d, task)
		if err != nil {
			t.Fatalf("%s within %v: %v", at, within, err)
		}
		got := &Outcome{}
		got.Totals = found[i].Totals
		if task.Request.Nodes {
			got.Nodes = make([]float64, task.Graph.N())
		}
		if task.Request.Edges {
			got.Edges = make([]float64, task.Graph.M())
		}
		if err := found[i].Finish(m, task.Graph, task.Request, got.Nodes, got.Edges); err != nil {
			t.Fatalf("%s within %v: %v", at, within, err)
		}
		if !SameBits(got, want) || got.Totals != want.Totals {
			_, where := Worst(got.Nodes, want.Nodes)
			t.Errorf("%s: other scores within %v than in a pass of its own: totals %+v, not %+v; nodes: %s", at, within,
				got.Totals, want.Totals, where)
		}
		if task.Single {
			continue
		}
		onHost := onCPU(t, task)
		if same(t, at+", next to the CPU", got, onHost); got.Totals.Pairs != onHost.Totals.Pairs {
			t.Errorf("%s within %v: %d pairs, and %d on the CPU", at, within, got.Totals.Pairs, onHost.Totals.Pairs)
		}
	}
	return true
}
