//go:build cuda || emulate

package worker

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// compute runs a strategy on a device as the worker does, and frees what it left.
func compute(t *testing.T, d gpu.Device, s Strategy, g *export.Graph, m kernels.Measure, r kernels.Request) (*kernels.Scores, error) {
	t.Helper()
	w := &work{graph: g, strategy: s, host: Host{Strategies: []Strategy{s}}}
	w.order.Strategy, w.order.Measure, w.order.Params, w.order.Nodes, w.order.Edges = s.Name(), m.Name, r.Params, r.Nodes, r.Edges
	if err := w.request(); err != nil {
		return nil, err
	}
	w.job.Progress = func(int) {}
	if r.Sources != nil {
		w.job.Sources, w.job.Request.Sources, w.job.Want.Sources = r.Sources, r.Sources, len(r.Sources)
	}
	w.job.Request.Scale = r.Scale
	if r.Nodes {
		w.job.Nodes = make([]float64, g.N())
	}
	if r.Edges {
		w.job.Edges = make([]float64, g.M())
	}
	if _, err := w.prepare(d); err != nil {
		return nil, err
	}
	a := &gpu.Arena{Device: d}
	result, err := w.run(t.Context(), a)
	if err = errors.Join(err, a.Release()); err != nil {
		return nil, err
	}
	return &kernels.Scores{Nodes: w.job.Nodes, Edges: w.job.Edges, Totals: result.Totals, Ties: result.Ties}, nil
}

// eachCase calls test for every strategy and all that it computes. It makes no subtests: they are goroutines of their own,
// and a device belongs to one.
func eachCase(t *testing.T, test func(name string, s Strategy, m kernels.Measure, r kernels.Request)) {
	t.Helper()
	all := Strategies()
	if len(all) == 0 {
		t.Fatal("there are no strategies")
	}
	for _, m := range kernels.Measures() {
		for _, weighted := range []bool{false, true} {
			names := m.Strategies
			if weighted {
				names = m.WeightedStrategies
			}
			for _, s := range all {
				r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: m.Node != "", Edges: m.Edge != ""}
				if slices.Contains(names, s.Name()) && s.Fits(Want{Measure: m.Name, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges}, true) {
					test(fmt.Sprintf("%s, %s, weighted %t", m.Name, s.Name(), weighted), s, m, r)
				}
			}
		}
	}
}

// TestEveryStrategyOfTheTableRuns: what the table of measures offers, the worker has.
func TestEveryStrategyOfTheTableRuns(t *testing.T) {
	for _, m := range kernels.Measures() {
		for weighted, names := range map[bool][]string{false: m.Strategies, true: m.WeightedStrategies} {
			w := Want{Measure: m.Name, Params: kernels.Params{Weighted: weighted}, Nodes: m.Node != "", Edges: m.Edge != ""}
			for _, name := range append(slices.Clone(names), "auto") {
				if len(names) == 0 {
					continue
				}
				for _, isDirected := range []bool{false, true} {
					if _, _, err := find(Strategies(), name, w, isDirected, gpu.Info{SMs: 1}); err != nil {
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
	eachCase(t, func(name string, s Strategy, m kernels.Measure, r kernels.Request) {
		want, err := cpu.Compute(t.Context(), m, g, r)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; ; n++ {
			got, err := compute(t, &devicetest.Failing{Device: d, At: n}, s, g, m, r)
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
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y)) })
}

// TestPlansBoundMemory: no strategy takes more than it planned.
func TestPlansBoundMemory(t *testing.T) {
	d := devicetest.Open(t)
	g := directed()
	eachCase(t, func(name string, s Strategy, m kernels.Measure, r kernels.Request) {
		d.Ledger().Peak = 0
		size := kernels.Size{Nodes: int64(g.N()), Edges: int64(g.M()), Directed: true}
		w := Want{Measure: m.Name, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Sources: g.N()}
		plan, err := s.Plan(size, w, d.Info(), d.Info().Free)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := compute(t, d, s, g, m, r); err != nil {
			t.Fatal(err)
		}
		if bound := plan.DeviceBytes + GraphBytes(size, s.Parts(w, true)); d.Peak() > bound {
			t.Errorf("%s took %d bytes, planned %d", name, d.Peak(), bound)
		}
	})
}
