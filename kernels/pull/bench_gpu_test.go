//go:build cuda || emulate

package pull

import (
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/rank"
)

// copied is how many float64 the copy that iterations are compared with copies: many times what a cache holds.
var copied = devicetest.Sized(1<<28, 1<<12)

// BenchmarkIterations reports the bytes per second of a plain copy, and those of PageRank on graphs of the literature,
// in one run. Bytes are those of layout.moved: of PageRank, 12 per arc (a column, and what is gathered), 20 per row,
// and the vectors.
func BenchmarkIterations(b *testing.B) {
	b.Run("copy", benchmarkCopy)
	for _, spec := range []struct {
		name string
		generate.Spec
	}{
		{"kron20", generate.Spec{Kind: generate.RMAT, Scale: devicetest.Sized(20, 8), Degree: 48, Seed: 42}},
		{"kron16", generate.Spec{Kind: generate.RMAT, Scale: devicetest.Sized(16, 6), Degree: 48, Seed: 42}},
		{"grid", generate.Spec{Kind: generate.Grid, Width: devicetest.Sized(3000, 10), Height: devicetest.Sized(3000, 10)}},
	} {
		s, err := generate.Graph(b.Context(), spec.Spec)
		if err != nil {
			b.Fatal(err)
		}
		for name, weighted := range map[string]bool{"": false, "+weights": true} {
			b.Run(spec.name+name, func(b *testing.B) { benchmarkGraph(b, s.Graph, weighted) })
		}
	}
}

func benchmarkCopy(b *testing.B) {
	d := devicetest.Open(b) // a device is open in one goroutine
	c := &device.Calls{Ctx: b.Context(), Device: d}
	from, to := c.Zeros(8*int64(copied)), c.Alloc(8*int64(copied))
	shape := gpu.Shape{Grid: 16 * d.Info().SMs, Block: 512}
	copies := func(count int) time.Duration {
		c.Sync()
		start := time.Now()
		for range count {
			c.Launch(gpu.Kernel{Name: "probe", File: "probe"}, shape, from, to, int32(copied), 1.0, float32(0))
		}
		c.Sync()
		return time.Since(start)
	}
	copies(1)
	const count = 10
	took := time.Duration(0)
	for b.Loop() {
		took += copies(count)
	}
	b.ReportMetric(float64(b.N)*count*16*float64(copied)/took.Seconds()/1e9, "GB/s")
	c.Free(to)
	c.Free(from)
	if c.Err != nil {
		b.Fatal(c.Err)
	}
}

func benchmarkGraph(b *testing.B, g *export.Graph, weighted bool) {
	d := devicetest.Open(b)
	if weighted {
		g = &export.Graph{Directed: g.Directed, EdgeCount: g.EdgeCount, Offsets: g.Offsets, Targets: g.Targets,
			Edges: g.Edges}
		g.Weights = make([]float64, g.Arcs())
		for i := range g.Weights {
			g.Weights[i] = 1 // what is read is the same
		}
	}
	m, _ := kernels.Lookup("pagerank")
	q := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: weighted}}
	memory := &gpu.Arena{Device: d}
	defer func() {
		if err := memory.Release(); err != nil {
			b.Fatal(err)
		}
	}()
	j := &device.Job{
		Want: device.Want{Measure: m.Name, Params: q.Params, Nodes: true, Sources: g.N(), Size: device.SizeOf(g)}, Request: q,
		Host: g, All: true, Progress: func(int) {}, Partial: kernels.NewAlone(g.N()),
	}
	var err error
	if j.Graph, err = device.UploadGraph(memory, g, Engine{}.Parts(j.Want, g.Directed), nil); err != nil {
		b.Fatal(err)
	}
	var took, all, bytes, iterations float64
	for b.Loop() {
		start := time.Now()
		e, err := rank.EquationOf(m, g, q)
		if err != nil {
			b.Fatal(err)
		}
		run := &gpu.Arena{Device: memory}
		r := newRun(&device.Calls{Ctx: b.Context(), Device: run}, j, e)
		ended, err := r.solve()
		if err != nil {
			b.Fatal(err)
		}
		all += time.Since(start).Seconds()
		took, iterations = took+r.took.Seconds(), iterations+float64(ended.Iterations)
		bytes += float64(ended.Iterations) * float64(r.layout.moved())
		if err := run.Release(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(bytes/took/1e9, "GB/s")
	b.ReportMetric(1e6*took/iterations, "µs/iteration")
	b.ReportMetric(1e3*all/float64(b.N), "ms/run")
	b.ReportMetric(float64(g.N()), "n")
	b.ReportMetric(float64(g.M()), "m")
}
