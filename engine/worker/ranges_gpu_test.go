//go:build cuda || emulate

package worker

import (
	"testing"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestRangesThroughWorkers: what a worker computes within a range is what the CPU does, and has the same bits in shards.
func TestRangesThroughWorkers(t *testing.T) {
	byWorkers(t)
	compared := 0
	for at, g := range shardGraphs(t) {
		snapshot := &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}}
		for _, c := range shardCases(g) {
			if c.r.Within() == 0 {
				continue
			}
			task := engine.Task{Measure: c.m.Name, Request: c.r, Snapshot: snapshot, Device: engine.GPU, Strategy: c.strategy}
			got := computeBy(t, task)
			task.Shards = 3
			sameScores(t, c.name, computeBy(t, task), got)
			task.Device, task.Shards = engine.CPU, 0
			want := computeBy(t, task)
			for _, pair := range [][2][]float64{{got.Scores.Nodes, want.Scores.Nodes}, {got.Scores.Edges, want.Scores.Edges}} {
				if difference, where := enginetest.Worst(pair[0], pair[1]); difference > 1e-9 {
					t.Errorf("graph %d: %s by %s: %s", at, c.name, got.Strategy, where)
				}
			}
			if got.Scores.Totals.Pairs != want.Scores.Totals.Pairs || want.Scores.Totals.Pairs == 0 {
				t.Errorf("graph %d: %s: %d pairs, the CPU has %d", at, c.name, got.Scores.Totals.Pairs, want.Scores.Totals.Pairs)
			}
			t.Logf("graph %d: %s by %s", at, c.name, got.Strategy)
			compared++
		}
	}
	if compared == 0 {
		t.Error("no ranges")
	}
}
