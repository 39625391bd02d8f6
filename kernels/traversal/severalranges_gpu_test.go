//go:build cuda || emulate

package traversal

import (
	"errors"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// rangesOf are some that hold nothing, the same levels as another one, a few levels, and all; lengthsOf are such ranges
// by the weights of random graphs, of which some have paths of just that length.
var (
	rangesOf  = [][]float64{{1, 2, 5}, {0.3, 2, 2.5, 1e300}, {3, 1e12}, {1, 2, 3, 4, 6, 9}}
	lengthsOf = [][]float64{{1, 2, 5}, {0.05, 0.3, 3.7, 1e300}, {4, 11, 1e12 + 1, 3e12, 5e12},
		{0.3, 1.7, 1.75, 9, 1e13, 2.5e13}}
)

// TestSeveralRanges: several ranges in one pass have the bits of each alone, by hops and by weights.
func TestSeveralRanges(t *testing.T) {
	d := devicetest.Open(t)
	severalRanges(t, d, enginetest.Some(t, devicetest.Sized(60, 16), false), rangesOf, false)
	severalRanges(t, d, append(enginetest.Some(t, devicetest.Sized(60, 20), true), enginetest.Decimals(t)),
		lengthsOf, true)
}

func severalRanges(t *testing.T, d gpu.Device, graphs []enginetest.Named, ranges [][]float64, weighted bool) {
	t.Helper()
	turn, inOne := 0, 0
	for _, name := range []string{"work-efficient", "work-efficient-warp-4", "vertex-parallel", "vertex-warp-8"} {
		for _, g := range graphs {
			for _, measure := range []string{"betweenness", "closeness", "harmonic", "stress"} {
				if turn++; devicetest.Emulated && turn%3 > 0 {
					continue
				}
				m, _ := kernels.Lookup(measure)
				r := request(m, turn, g.Graph, weighted)
				r.Reduce, r.Nodes, r.Edges = kernels.ReduceOff, turn/3%4 != 1, turn/3%4 != 2
				task := enginetest.Task{Engine: named(t, name), Graph: g.Graph, Measure: measure, Request: r, Single: turn%5 == 0}
				if enginetest.AsAlone(t, d, name+", "+g.At(measure, r), task, ranges[turn%len(ranges)]) {
					inOne++
				} else if r.Nodes && g.Graph.N() < 30 && !weighted {
					t.Errorf("%s by %s: not in one pass", g.At(measure, r), name)
				}
			}
		}
	}
	if inOne < len(graphs) {
		t.Errorf("%d runs were in one pass", inOne)
	}
}

// TestSeveralRangesInAtoms is TestSeveralRanges for sums that are joined several times.
func TestSeveralRangesInAtoms(t *testing.T) {
	d := devicetest.Open(t)
	for i, measure := range []string{"betweenness", "stress", "harmonic", "betweenness", "stress", "harmonic"} {
		g := enginetest.Batches(t, i%2 == 0, i > 2)
		r := kernels.Request{Params: kernels.Params{Weighted: i > 2, Endpoints: i%3 == 0}, Nodes: true, Edges: true}
		task := enginetest.Task{Engine: named(t, "work-efficient"), Graph: g.Graph, Measure: measure, Request: r}
		if !enginetest.AsAlone(t, d, g.At(measure, r), task, []float64{2, 4, 12}) {
			t.Errorf("%s: not in one pass", measure)
		}
	}
}

// TestSeveralRangesInCells is TestSeveralRanges for rows in cells, and for other numbers of the nodes.
func TestSeveralRangesInCells(t *testing.T) {
	d := devicetest.Open(t)
	for i, arcs := range []int{2, 8, 26} {
		g := rowsOf(t, 500, arcs, true)
		r := kernels.Request{Params: kernels.Params{Endpoints: i%2 == 0}, Nodes: true,
			Sources: kernels.DrawSources(g.Graph.N(), 60, 1)}
		e := named(t, "work-efficient").(Engine)
		for _, from := range []int64{0, 1} {
			for _, degree := range []int64{0, 1} {
				e.cellDegree, e.renumbersFrom = degree, from
				inCells := false
				task := enginetest.Task{Engine: e, Graph: g.Graph, Measure: "betweenness", Request: r, Change: func(j *device.Job) {
					inCells = e.layout(j.Want, j.Host, false, d.Info()).cells.quads > 0
				}}
				if !enginetest.AsAlone(t, d, g.At("betweenness", r), task, rangesOf[1+i%2*2]) || inCells != (degree > 0) {
					t.Errorf("%d arcs per node: in cells %t", arcs, inCells)
				}
				planned(t, d, enginetest.InOnePass(task, rangesOf[0], nil))
			}
		}
	}
}

// TestSeveralRangesRefused: counts that pass float64 within the greatest range leave each range to a run of its own.
// Strategies that keep no counts refuse several ranges. Of lengths that 128 bits alone hold, the device refuses any
// range.
func TestSeveralRangesRefused(t *testing.T) {
	d := devicetest.Open(t)
	for i, measure := range []string{"betweenness", "stress", "betweenness", "stress"} {
		g := fork(t, 390, 20, true)
		task := enginetest.Task{
			Engine: named(t, "work-efficient"), Graph: g, Measure: measure,
			Request: kernels.Request{Params: kernels.Params{Weighted: i > 1}, Nodes: true, Sources: []int32{0, 1, 2}},
		}
		if enginetest.AsAlone(t, d, measure, task, []float64{2, 1000}) {
			t.Errorf("%s: counts of over 2^1500 paths in one pass", measure)
		}
		if !enginetest.AsAlone(t, d, measure, task, []float64{2, 8}) {
			t.Errorf("%s: few paths are not counted in one pass", measure)
		}
	}
	task := enginetest.Task{Engine: named(t, "work-efficient"), Graph: enginetest.Reals(t), Measure: "closeness",
		Request: weightedNodes}
	if enginetest.AsAlone(t, d, "128 bits", task, []float64{0.5, 1}) {
		t.Error("lengths of 128 bits in one pass")
	}
	for _, e := range Engines() {
		w := device.Want{Measure: "betweenness", Within: 2, Ranges: []float64{1, 2}}
		keeps := e.(Engine).sharing == "node" || e.(Engine).sharing == "warp"
		if e.Accepts(w, false) != keeps {
			t.Errorf("%s accepts several ranges: %t", e.Name(), !keeps)
		}
		if w.Weighted = true; e.Accepts(w, false) != keeps {
			t.Errorf("%s accepts several ranges by weights: %t", e.Name(), !keeps)
		}
	}
}

// TestMemoryOfSeveralRanges: several ranges take no more memory than was planned, and every allocation may fail. With
// less memory than the blocks of one range need, several are refused.
func TestMemoryOfSeveralRanges(t *testing.T) {
	d, ranges := devicetest.Open(t), []float64{1, 2, 4}
	for i, measure := range []string{"betweenness", "harmonic", "stress", "betweenness", "harmonic", "stress"} {
		for _, edges := range []bool{false, true} {
			g := enginetest.Batches(t, i%2 == 0, i > 2).Graph
			alone := enginetest.Task{
				Engine: named(t, "work-efficient-warp-4"), Graph: g, Measure: measure,
				Request: kernels.Request{Nodes: true, Edges: edges, Sources: kernels.DrawSources(g.N(), 40, 1)},
			}
			alone.Request.Weighted = i > 2
			alone.Request.Pairs = &kernels.Pairs{Within: ranges[2]}
			task := enginetest.InOnePass(alone, ranges, nil)
			planned(t, d, task)
			one, err := enginetest.Compute(t.Context(), d, alone)
			if err != nil {
				t.Fatal(err)
			}
			task.Free = one.Plan.DeviceBytes
			large := (*gpu.TooLarge)(nil)
			if _, err := enginetest.Compute(t.Context(), d, task); !errors.As(err, &large) || large.Need <= task.Free {
				t.Errorf("%s in the memory of one range: %v", measure, err)
			}
			task.Free = large.Need
			if _, err := enginetest.Compute(t.Context(), d, task); err != nil {
				t.Errorf("%s in the memory that it asks for: %v", measure, err)
			}
		}
	}
}

// TestEveryAllocationOfSeveralRangesFails is TestEveryAllocationFails for several ranges.
func TestEveryAllocationOfSeveralRangesFails(t *testing.T) {
	d, g := devicetest.Open(t), rowsOf(t, 80, 4, true).Graph
	for i, measure := range []string{"betweenness", "betweenness", "closeness", "stress",
		"betweenness", "closeness", "stress"} {
		r := kernels.Request{Params: kernels.Params{Weighted: i > 3}, Nodes: true, Edges: i > 0}
		everyAllocationFails(t, d, enginetest.InOnePass(enginetest.Task{
			Engine: named(t, "work-efficient"), Graph: g, Measure: measure, Request: r,
		}, []float64{1, 3}, nil))
	}
}
