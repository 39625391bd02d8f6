//go:build cuda || emulate

package worker

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/deep"
)

// directed is 0->1 (twice), 0->2, 2->1, 1->1.
func directed() *export.Graph {
	return &export.Graph{
		Directed: true, EdgeCount: 5, Offsets: []int64{0, 3, 4, 5}, Targets: []int32{1, 1, 2, 1, 1},
		Weights: []float64{1, 2, 3, 4, 5},
	}
}

// ofPapers is one of the strategies of papers, which kernels/traversal tests.
const ofPapers = "work-efficient"

// choosy reports whether a strategy takes some undirected graphs alone.
func choosy(name string) bool { return name == kernels.Chains || name == (deep.Engine{}).Name() }

// eachCase calls test for every strategy and all that it computes, and of those of papers, of which kernels/traversal
// has cases of its own, for one alone. It makes no subtests: they are goroutines of their own, and a device belongs to
// one.
func eachCase(t *testing.T, test func(name, strategy string, m kernels.Measure, r kernels.Request)) {
	t.Helper()
	for _, m := range kernels.Measures() {
		if m.Kind.Undirected() { // kernels/triangles has cases of its own
			continue
		}
		for _, weighted := range []bool{false, true} {
			for _, name := range slices.DeleteFunc(m.StrategiesFor(weighted), choosy) {
				if name == batched && devicetest.Emulated && testing.Short() {
					continue // its engines have cases of their own
				}
				if kernels.OfPapers(name) && name != ofPapers {
					continue
				}
				r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: m.Node != "", Edges: m.Edge != "",
					Reduce: kernels.ReduceOff}
				test(fmt.Sprintf("%s, %s, weighted %t", m.Name, name, weighted), name, m, r)
			}
		}
	}
}

// TestEveryStrategyOfTheTableRuns: what the table of measures offers, the worker has.
func TestEveryStrategyOfTheTableRuns(t *testing.T) {
	for _, m := range kernels.Measures() {
		for _, weighted := range []bool{false, true} {
			names := slices.DeleteFunc(m.StrategiesFor(weighted), choosy)
			for _, name := range append(names, "auto") {
				if len(names) == 0 {
					continue
				}
				for _, isDirected := range []bool{false, true} {
					g := graphtest.Links(t, 3, isDirected, true,
						[]graphtest.Link{{From: 0, To: 1, Weight: 1}, {From: 1, To: 2, Weight: 2}})
					r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: m.Node != "", Edges: m.Edge != ""}
					task := newTestTask(g, m.Name, r, name, false)
					if _, _, err := task.choose(&task.job, gpu.Info{SMs: 1}); err != nil {
						t.Errorf("directed %t: %v", isDirected, err)
					}
				}
			}
		}
	}
}

// TestEveryAllocationOfEveryStrategyFails: whichever fails, the error says so, all is freed, and the next run is right.
func TestEveryAllocationOfEveryStrategyFails(t *testing.T) {
	d := devicetest.Open(t)
	g := directed()
	eachCase(t, func(name, strategy string, m kernels.Measure, r kernels.Request) {
		want, err := cpu.Compute(t.Context(), m, g, r)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; ; n++ {
			got, err := onDevice(t.Context(), &devicetest.Failing{Device: d, At: n}, g, m.Name, r, strategy, false)
			if d.Ledger().Used != 0 {
				t.Fatalf("%s, allocation %d: %d bytes left", name, n, d.Ledger().Used)
			}
			if err == nil {
				if !same(want.Nodes, got.Nodes) || !same(want.Edges, got.Edges) {
					t.Errorf("%s, after %d faults: %v, %v; want %v, %v", name, n-1, got.Nodes, got.Edges, want.Nodes, want.Edges)
				}
				return
			}
			if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
				t.Fatalf("%s, allocation %d: %v", name, n, err)
			}
		}
	})
}

// same compares to 1e-9, relative.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
	})
}

// TestPlansBoundMemory: no strategy takes more than it planned.
func TestPlansBoundMemory(t *testing.T) {
	d := devicetest.Open(t)
	g := directed()
	eachCase(t, func(name, strategy string, m kernels.Measure, r kernels.Request) {
		d.Ledger().Peak = 0
		planned := int64(0)
		task := newTestTask(g, m.Name, r, strategy, false)
		if _, err := task.compute(t.Context(), d, 1, func(p protocol.Planned) error {
			planned = p.DeviceBytes
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if d.Peak() > planned {
			t.Errorf("%s took %d bytes, planned %d", name, d.Peak(), planned)
		}
	})
}
