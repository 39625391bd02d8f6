//go:build cuda || emulate

package traversal

import (
	"errors"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// long leaves a test to the long form on the emulated device, `make cuda-emulate`; it takes many seconds there.
func long(t *testing.T) {
	t.Helper()
	if devicetest.Emulated && testing.Short() {
		t.Skip("many seconds on the emulated device; make cuda-emulate runs it")
	}
}

// directed is a directed graph of three nodes with parallel edges and a loop.
func directed() *export.Graph {
	return &export.Graph{
		Directed: true, EdgeCount: 5, Offsets: []int64{0, 3, 4, 5}, Targets: []int32{1, 1, 2, 1, 1},
		Weights: []float64{1, 2, 3, 4, 5},
	}
}

// named is the strategy of a name.
func named(t *testing.T, name string) device.Engine {
	t.Helper()
	for _, e := range Engines() {
		if e.Name() == name {
			return e
		}
	}
	t.Fatalf("no strategy %s", name)
	return nil
}

// eachMeasure calls test for every measure that the engine computes, by hops and by weights. It makes no subtests: they
// are goroutines of their own, and a device belongs to one.
func eachMeasure(e device.Engine, test func(m kernels.Measure, weighted bool)) {
	for _, m := range kernels.Measures() {
		for _, weighted := range []bool{false, true} {
			if e.Accepts(device.Want{Measure: m.Name, Params: kernels.Params{Weighted: weighted}}, true) {
				test(m, weighted)
			}
		}
	}
}

// request is the way in which a graph number i is asked about.
func request(m kernels.Measure, i int, g *export.Graph, weighted bool) kernels.Request {
	r := enginetest.Request(m, i, g)
	r.Weighted = weighted
	return r
}

// accepting are the strategies that compute what is wanted.
func accepting(w device.Want) []device.Engine {
	return slices.DeleteFunc(Engines(), func(e device.Engine) bool { return !e.Accepts(w, false) })
}

// inTurn is all of the engines, or in the short form on the emulated device, which is slow, half of them in turn i.
func inTurn(engines []device.Engine, i int) []device.Engine {
	if !devicetest.Emulated || !testing.Short() {
		return engines
	}
	var out []device.Engine
	for k, e := range engines {
		if (i+k)%2 == 0 {
			out = append(out, e)
		}
	}
	return out
}

// refused reports whether the device refuses lengths that are exact in 128 bits only.
func refused(err error, r kernels.Request) bool {
	unsuited := (*device.Unsuited)(nil)
	return r.Weighted && errors.As(err, &unsuited)
}

// agree is enginetest.Agree, unless the device refuses.
func agree(t *testing.T, d gpu.Device, g enginetest.Named, task enginetest.Task) {
	t.Helper()
	if task.Request.Weighted {
		if _, err := enginetest.Compute(t.Context(), d, task); refused(err, task.Request) {
			return
		}
	}
	enginetest.Agree(t, d, task.Engine.Name()+", "+g.At(task.Measure, task.Request), task)
	if t.Failed() {
		t.FailNow()
	}
}

// asOnCPU compares one run with the CPU.
func asOnCPU(t *testing.T, d gpu.Device, task enginetest.Task, tolerance float64) *enginetest.Outcome {
	t.Helper()
	m, _ := kernels.Lookup(task.Measure)
	task.Request.Reduce = kernels.ReduceOff
	want, err := cpu.Compute(t.Context(), m, task.Graph, task.Request)
	if err != nil {
		t.Fatal(err)
	}
	got, err := enginetest.Compute(t.Context(), d, task)
	if err != nil {
		t.Fatalf("%s by %s: %v", task.Measure, task.Engine.Name(), err)
	}
	for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
		if difference, where := enginetest.Worst(part[0], part[1]); difference > tolerance {
			t.Errorf("%s by %s: off by %.2g: %s (%s)", task.Measure, task.Engine.Name(), difference, where, got.Note)
		}
	}
	if err := check.Scores(m, task.Graph, task.Request, &got.Scores); err != nil && !task.Single {
		t.Errorf("%s by %s: %v", task.Measure, task.Engine.Name(), err)
	}
	return got
}

// memoryFor is the device memory that a task takes with so many blocks.
func memoryFor(d gpu.Info, task enginetest.Task, blocks int) int64 {
	g, r, e := task.Graph, task.Request, task.Engine.(Engine)
	sources := len(r.Sources)
	if r.Sources == nil {
		sources = g.N()
	}
	w := device.Want{
		Measure: task.Measure, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Sources: sources, Single: task.Single,
		Size: device.SizeOf(g),
	}.Of(r.Pairs)
	l := e.layout(w, g, false, d)
	l.shape.blocks = blocks
	return l.bytes()
}
