//go:build cuda || emulate

package worker

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// share returns a task for each of some ranges, which share a pass.
func share(task engine.Task, within ...float64) (all []engine.Task) {
	shared := &kernels.Shared{}
	for _, x := range within {
		task.Request.Pairs = &kernels.Pairs{Within: x}
		shared.Requests = append(shared.Requests, task.Request)
		all = append(all, task)
	}
	for i := range all {
		all[i].Request.Shared, all[i].Request.Place = shared, i
	}
	return all
}

// alone is the task of one range without the others, by the strategy of an outcome.
func alone(task engine.Task, of *engine.Outcome) engine.Task {
	task.Request.Shared, task.Request.Place, task.Strategy = nil, 0, of.Strategy
	return task
}

// TestSeveralRangesThroughWorkers: a worker computes several ranges in one pass where a strategy can, with the bits of
// each alone.
func TestSeveralRangesThroughWorkers(t *testing.T) {
	byWorkers(t)
	for at, g := range shardGraphs(t) {
		snapshot := &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}}
		for _, c := range []struct {
			measure, strategy      string
			nodes, edges, weighted bool
			inOne                  bool
		}{
			{"betweenness", "auto", true, true, false, true},
			{"betweenness", "work-efficient", true, false, false, true},
			{"harmonic", "work-efficient-warp-4", false, true, false, true},
			{"closeness", "vertex-parallel", true, false, false, true},
			{"stress", "auto", true, true, false, true},
			{"betweenness", "levels", true, false, false, false},
			{"betweenness", "edge-parallel", true, false, false, false},
			{"betweenness", "work-efficient", true, true, true, true},
			{"harmonic", "vertex-parallel", true, true, true, true},
			{"stress", "work-efficient-warp-4", true, false, true, true},
			{"closeness", "auto", true, false, true, true},
			{"betweenness", "weighted", true, false, true, false},
		} {
			r := kernels.Request{Nodes: c.nodes, Edges: c.edges, Params: kernels.Params{Weighted: c.weighted}}
			task := engine.Task{Measure: c.measure, Request: r, Snapshot: snapshot, Device: engine.GPU, Strategy: c.strategy}
			within := []float64{2, 4, 1}
			if c.weighted {
				within = []float64{8e-6, 20e-6, 4e-6}
			}
			for i, one := range share(task, within...) {
				got := computeBy(t, one)
				if inOne := strings.Contains(got.Reason, "3 ranges in one pass"); inOne != c.inOne && c.strategy != "auto" {
					t.Errorf("graph %d: %s by %s within %v: %s", at, c.measure, c.strategy, within[i], got.Reason)
				}
				if i > 0 && c.inOne && got.Compute > 0 {
					t.Errorf("graph %d: %s by %s: the pass of the first range took time again", at, c.measure, c.strategy)
				}
				sameScores(t, c.measure+" by "+got.Strategy, got, computeBy(t, alone(one, got)))
			}
		}
	}
}

// TestSeveralRangesLeft: where path counts within the greatest range pass float64, each range has a pass of its own.
func TestSeveralRangesLeft(t *testing.T) {
	byWorkers(t)
	var links []graphtest.Link
	const length = 480
	for v := range int32(length) {
		for range 16 {
			links = append(links, graphtest.Link{From: v, To: v + 1, Weight: 1})
		}
		from := length + v // another way, as far, by one path
		if v == 0 {
			from = 0
		}
		links = append(links, graphtest.Link{From: from, To: length + v + 1, Weight: 1})
	}
	g := graphtest.Links(t, 2*length+1, true, false, links)
	task := engine.Task{
		Measure: "betweenness", Device: engine.GPU, Strategy: "work-efficient",
		Request:  kernels.Request{Nodes: true, Sources: []int32{0, 1, 2}},
		Snapshot: &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}},
	}
	for i, one := range share(task, 3, 1000) {
		got := computeBy(t, one)
		says := strings.Contains(got.Reason, "each range in a pass of its own: ") &&
			strings.Contains(got.Reason, "pass float64")
		if says != (i == 0) || strings.Contains(got.Reason, "in one pass") {
			t.Errorf("range %d: %s", i, got.Reason)
		}
		sameScores(t, "range by itself", got, computeBy(t, alone(one, got)))
	}
}
