//go:build cuda || emulate

package worker

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// TestRangesThroughWorkers: what a worker computes within a range is what the CPU does, and has the same bits in
// shards.
func TestRangesThroughWorkers(t *testing.T) {
	byWorkers(t)
	compared := 0
	for at, g := range shardGraphs(t) {
		snapshot := &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}}
		for _, c := range shardCases(g) {
			if c.r.Within() == 0 {
				continue
			}
			compareByWorkers(t, at, c.name,
				engine.Task{Measure: c.m.Name, Request: c.r, Snapshot: snapshot, Strategy: c.strategy})
			compared++
		}
	}
	if compared == 0 {
		t.Error("no ranges")
	}
}

// compareByWorkers compares what a worker computes with the CPU, and with what it computes in shards, bit by bit.
func compareByWorkers(t *testing.T, at int, name string, task engine.Task) {
	t.Helper()
	task.Device = engine.GPU
	got := computeBy(t, task)
	task.Shards = 3
	sameScores(t, name, computeBy(t, task), got)
	task.Device, task.Shards = engine.CPU, 0
	want := computeBy(t, task)
	for _, pair := range [][2][]float64{{got.Scores.Nodes, want.Scores.Nodes}, {got.Scores.Edges, want.Scores.Edges}} {
		if difference, where := enginetest.Worst(pair[0], pair[1]); difference > 1e-9 {
			t.Errorf("graph %d: %s by %s: %s", at, name, got.Strategy, where)
		}
	}
	a, b := got.Scores.Totals, want.Scores.Totals
	if a.Pairs != b.Pairs || b.Pairs == 0 {
		t.Errorf("graph %d: %s: %d pairs, the CPU has %d", at, name, a.Pairs, b.Pairs)
	}
	if !(math.Abs(a.Demand-b.Demand) <= 1e-9*b.Demand &&
		math.Abs(a.DemandDistance-b.DemandDistance) <= 1e-9*b.DemandDistance) {
		t.Errorf("graph %d: %s: demand %v and %v, the CPU has %v and %v", at, name, a.Demand, a.DemandDistance, b.Demand,
			b.DemandDistance)
	}
	t.Logf("graph %d: %s by %s", at, name, got.Strategy)
}

// TestChosenPairsThroughWorkers: targets and masses reach a worker, in one order and in those of shards.
func TestChosenPairsThroughWorkers(t *testing.T) {
	byWorkers(t)
	const listed = 3 // the turn in which pairs are listed
	compared, random := 0, rand.New(rand.NewPCG(5, 9))
	for at, g := range shardGraphs(t) {
		snapshot := &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}}
		for _, c := range shardCases(g) {
			if c.r.Within() == 0 {
				continue
			}
			c.r.Sources = order.All(g)[:g.N()/2]
			for _, turn := range []int{random.IntN(84), listed} {
				r := c.r
				r.Pairs = enginetest.SomePairs(random, g, turn)
				r.Pairs.Within = 0
				r.Edges = r.Edges && c.m.Check(r) == nil
				name := fmt.Sprintf("%s, weighted %t, %s", c.m.Name, r.Weighted, device.Want{}.Of(r.Pairs))
				compareByWorkers(t, at, name, engine.Task{Measure: c.m.Name, Request: r, Snapshot: snapshot, Strategy: c.strategy})
			}
			compared++
		}
	}
	if compared == 0 {
		t.Error("no pairs were chosen")
	}
}
