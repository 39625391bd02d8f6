//go:build cuda || emulate

package triangles

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// asked is a measure with a request.
type asked struct {
	name string
	kernels.Request
}

// all are the measures of the engine with their variants, of nodes and of edges where they have scores.
func all() (out []asked) {
	for _, m := range kernels.Measures() {
		if !(Engine{}).Accepts(device.Want{Measure: m.Name}, false) {
			continue
		}
		for _, variant := range append([]string{""}, m.Variants...) {
			r := kernels.Request{Nodes: true, Edges: m.Edge != "", Params: kernels.Params{Variant: variant}}
			out = append(out, asked{m.Name, r})
		}
	}
	return append(out, asked{"triangles", kernels.Request{Nodes: true}}, asked{"curvature", kernels.Request{Nodes: true}})
}

// TestAgrees compares with the CPU, and with triangles that are counted by three loops.
func TestAgrees(t *testing.T) {
	d, random := devicetest.Open(t), rand.New(rand.NewPCG(27, 45))
	graphs := enginetest.Nasty(t, false)
	for i := range devicetest.Sized(200, 12) {
		graphs = append(graphs, enginetest.Named{
			Name:  fmt.Sprintf("random graph %d", i),
			Graph: graphtest.Random(t, random, 2+random.IntN(60), false, i%3 > 0, false),
		})
	}
	graphs = append(graphs, enginetest.Generated(t, "R-MAT", generate.Spec{
		Kind: generate.RMAT, Scale: devicetest.Sized(14, 7), Degree: devicetest.Sized(32, 12), Seed: 2,
	}))
	for _, g := range graphs {
		if g.Graph.Directed {
			continue
		}
		for _, a := range all() {
			at := fmt.Sprintf("%s, %s", a.Variant, g.At(a.name, a.Request))
			enginetest.Agree(t, d, at, enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: a.name, Request: a.Request})
		}
		if g.Graph.N() <= 60 {
			byLoops(t, d, g)
		}
	}
}

// byLoops compares with triangles that are found by trying three nodes at a time.
func byLoops(t *testing.T, d gpu.Device, g enginetest.Named) {
	t.Helper()
	n := g.Graph.N()
	joined := make([][]bool, n)
	for v := range joined {
		joined[v] = make([]bool, n)
		for _, w := range g.Graph.Row(int32(v)) {
			joined[v][w] = int(w) != v
		}
	}
	want := make([]float64, n)
	for u := range n {
		for v := range n {
			for w := range n {
				if u < v && joined[u][v] && joined[v][w] && joined[w][u] {
					want[w]++
				}
			}
		}
	}
	got, err := enginetest.Compute(t.Context(), d, enginetest.Task{
		Engine: Engine{}, Graph: g.Graph, Measure: "triangles", Request: kernels.Request{Nodes: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if off, where := enginetest.Worst(got.Nodes, want); off > 0 {
		t.Errorf("%s: %s", g.Name, where)
	}
}

// TestDirected is an error that says how to go on.
func TestDirected(t *testing.T) {
	g := graphtest.Links(t, 2, true, false, []graphtest.Link{{From: 0, To: 1}})
	_, err := enginetest.Compute(t.Context(), devicetest.Open(t), enginetest.Task{
		Engine: Engine{}, Graph: g, Measure: "triangles", Request: kernels.Request{Nodes: true},
	})
	if err == nil || !strings.Contains(err.Error(), "triangles has no meaning on a directed graph") {
		t.Error(err)
	}
}

// TestEveryAllocationFails: whichever fails, the error says so, all is freed, and no run takes more than it planned.
func TestEveryAllocationFails(t *testing.T) {
	d := devicetest.Open(t)
	g := graphtest.Random(t, rand.New(rand.NewPCG(1, 2)), 60, false, true, false)
	for _, a := range all() {
		planned := int64(0)
		task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: a.name, Request: a.Request, Change: func(j *device.Job) {
			p, err := Engine{}.Prepare(j, d.Info(), d.Info().Free)
			if err != nil {
				t.Fatal(err)
			}
			planned = p.Plan().DeviceBytes + device.GraphBytes(j.Size, Engine{}.Parts(j.Want, false))
		}}
		for n := 1; ; n++ {
			d.Ledger().Peak = 0
			_, err := enginetest.Compute(t.Context(), &devicetest.Failing{Device: d, At: n}, task)
			if d.Ledger().Used != 0 {
				t.Fatalf("%s, allocation %d: %d bytes left", a.name, n, d.Ledger().Used)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
				t.Fatalf("%s, allocation %d: %v", a.name, n, err)
			}
		}
		if d.Peak() > planned {
			t.Errorf("%s took %d bytes, planned %d", a.name, d.Peak(), planned)
		}
	}
}

// BenchmarkScores reports the seconds of a graph of 100 million edges, and of one with many triangles: of all, with the
// way of graph and scores to the device and back, and of the device alone.
func BenchmarkScores(b *testing.B) {
	for _, c := range []struct {
		graph string
		spec  generate.Spec
		of    []asked
	}{
		{"er-1e7-1e8", generate.Spec{
			Kind: generate.ErdosRenyi, Nodes: devicetest.Sized(1e7, 100), Edges: devicetest.Sized(1e8, 1000), Seed: 42,
		}, all()},
		{"kron18", generate.Spec{Kind: generate.RMAT, Scale: devicetest.Sized(18, 6), Degree: 48, Seed: 42}, all()},
	} {
		s, err := generate.Graph(b.Context(), c.spec)
		if err != nil {
			b.Fatal(err)
		}
		for _, a := range c.of {
			what := "nodes"
			if a.Edges {
				what = "nodes and edges"
			}
			b.Run(fmt.Sprintf("%s/%s %s/%s", c.graph, a.name, a.Variant, what), func(b *testing.B) {
				benchmarkScores(b, s.Graph, a)
			})
		}
	}
}

func benchmarkScores(b *testing.B, g *export.Graph, a asked) {
	d, alone := devicetest.Open(b), math.Inf(1) // a device is open in one goroutine
	for b.Loop() {
		memory := &gpu.Arena{Device: d}
		j := &device.Job{
			Want:    device.Want{Measure: a.name, Params: a.Params, Nodes: a.Nodes, Edges: a.Edges, Size: device.SizeOf(g)},
			Request: a.Request, Host: g, All: true, Progress: func(int) {}, Partial: kernels.NewAlone(g.N() + g.M()),
		}
		p, err := Engine{}.Prepare(j, d.Info(), d.Info().Free)
		if err != nil {
			b.Fatal(err)
		}
		if j.Graph, err = device.UploadGraph(memory, g, Engine{}.Parts(j.Want, false), nil); err != nil {
			b.Fatal(err)
		}
		if err := memory.Sync(); err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if _, err := p.Run(b.Context(), memory, j); err != nil {
			b.Fatal(err)
		}
		alone = min(alone, time.Since(start).Seconds())
		if err := memory.Release(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1e3*alone, "ms/run-and-download")
	b.ReportMetric(float64(g.M()), "m")
}
