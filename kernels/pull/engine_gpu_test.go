//go:build cuda || emulate

package pull

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// names are the measures that the engine computes.
var names = []string{"pagerank", "articleRank", "katz"}

// requests are ways to ask for the scores of a graph of n nodes.
func requests(random *rand.Rand, name string, n int) (out []kernels.Request) {
	damping := 0.05 + 0.9*random.Float64()
	for _, weighted := range []bool{false, true} {
		r := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: weighted}}
		out = append(out, r)
		if name == "katz" {
			continue
		}
		r.Damping, r.Sources = &damping, kernels.DrawSources(n, 1+random.IntN(n), 7)
		out = append(out, r)
		for range r.Sources {
			r.Shares = append(r.Shares, math.Exp(4*random.NormFloat64()))
		}
		if name == "pagerank" {
			r.Variant = kernels.Probability
		}
		out = append(out, r)
	}
	return out
}

// apart is the largest difference, relative to the score or, where that is larger, to the mean score.
func apart(got, want []float64) (most float64) {
	mean := 0.0
	for _, x := range want {
		mean += x / float64(len(want))
	}
	for v := range want {
		if d := math.Abs(got[v]-want[v]) / max(mean, math.Abs(want[v])); !(d <= most) {
			most = d
		}
	}
	return most
}

// restartsInWholes reports whether the CPU sends whole numbers, which the device does not.
func restartsInWholes(g *export.Graph, name string, r kernels.Request) bool {
	return name != "katz" && r.Sources != nil && !g.Directed && (!r.Weighted || g.Weights == nil)
}

// agree compares scores with the CPU's, in one shard and in several, and with those of another shape of launches.
func agree(t *testing.T, d devicetest.Shown, at string, g *export.Graph, name string, r kernels.Request) {
	t.Helper()
	m, _ := kernels.Lookup(name)
	want, wrong := cpu.Compute(t.Context(), m, g, r)
	task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: name, Request: r}
	got, err := enginetest.Compute(t.Context(), d, task)
	if wrong != nil || err != nil {
		if fmt.Sprint(wrong) != fmt.Sprint(err) {
			t.Errorf("%s: %v; the CPU says %v", at, err, wrong)
		}
		return
	}
	got.Scores.Convergence = got.Result.Convergence
	close, rounds := 1e-12, restartsInWholes(g, name, r)
	if rounds { // both are as far from the solution as their residuals allow
		close = 2 * float64(g.N()) * kernels.DefaultResidual / (1 - r.DampingFactor())
	}
	if off := apart(got.Nodes, want.Nodes); off > close || math.IsNaN(off) {
		t.Errorf("%s: %g apart, after %+v and %+v", at, off, got.Scores.Convergence, want.Convergence)
	}
	if !rounds && got.Scores.Convergence.Iterations != want.Convergence.Iterations {
		t.Errorf("%s: %+v, the CPU has %+v", at, got.Scores.Convergence, want.Convergence)
	}
	if err := check.Scores(m, g, r, &got.Scores); err != nil {
		t.Errorf("%s: %v", at, err)
	}
	d.About.SMs, task.Shards = 1, 2
	again, err := enginetest.Compute(t.Context(), d, task)
	if err != nil || !slices.Equal(gpu.Bytes(again.Nodes), gpu.Bytes(got.Nodes)) {
		t.Errorf("%s: other bits on one multiprocessor in two shards, %v", at, err)
	}
}

// open opens the device, with so few bytes of shared memory that not all nodes of small graphs fit.
func open(t *testing.T, shared int) devicetest.Shown {
	d := devicetest.Shown{OpenDevice: devicetest.Open(t)}
	d.About = d.OpenDevice.Info()
	d.About.SharedBlock = min(d.About.SharedBlock, shared)
	return d
}

// TestAgrees compares with the CPU, with nodes in shared memory and without.
func TestAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(27, 43))
	for _, shared := range []int{math.MaxInt, 256} {
		d := open(t, shared)
		var graphs []enginetest.Named
		for _, weighted := range []bool{false, true} {
			graphs = append(graphs, enginetest.Some(t, devicetest.Sized(200, 12), weighted)...)
		}
		for _, g := range graphs {
			for _, name := range names {
				for i, r := range requests(random, name, g.Graph.N()) {
					agree(t, d, fmt.Sprintf("%s, request %d", g.At(name, r), i), g.Graph, name, r)
				}
			}
		}
	}
}

// TestLongRows: hubs whose rows have several pieces, the last of them with one arc or all, and more hubs than a warp
// has threads.
func TestLongRows(t *testing.T) {
	d := open(t, 1<<13)
	for _, arcs := range []int32{pieceArcs - 1, pieceArcs, pieceArcs + 1, 2 * pieceArcs, 35*pieceArcs + 7} {
		var links []graphtest.Link
		for v := range arcs {
			links = append(links, graphtest.Link{From: v % 97, To: 100 + v%40*(v%3), Weight: 1 + float64(v%7)})
		}
		for _, directed := range []bool{false, true} {
			g := graphtest.Links(t, 200, directed, true, links)
			for _, weighted := range []bool{false, true} {
				r := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: weighted}}
				agree(t, d, fmt.Sprintf("%d arcs, directed %t, weighted %t", arcs, directed, weighted), g, "pagerank", r)
			}
		}
	}
	s, err := generate.Graph(t.Context(), generate.Spec{
		Kind: generate.RMAT, Scale: devicetest.Sized(16, 9), Degree: devicetest.Sized(48, 16), Seed: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	agree(t, d, "R-MAT", s.Graph, "pagerank", kernels.Request{Nodes: true})
}

// TestAgainstAWalk compares with scores that are added up along the edges, one after the other, in no order of ours.
func TestAgainstAWalk(t *testing.T) {
	d, random := open(t, math.MaxInt), rand.New(rand.NewPCG(27, 44))
	for i := range devicetest.Sized(100, 10) {
		g := graphtest.Random(t, random, 2+random.IntN(40), i%2 == 0, true, true)
		r := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: i%3 == 0}}
		got, err := enginetest.Compute(t.Context(), d,
			enginetest.Task{Engine: Engine{}, Graph: g, Measure: "pagerank", Request: r})
		if err != nil {
			t.Fatal(err)
		}
		if off := apart(got.Nodes, walked(g, r.Weighted)); off > 1e-8 {
			t.Errorf("graph %d: %g apart", i, off)
		}
	}
}

// walked pushes what each node has along its arcs 400 times.
func walked(g *export.Graph, weighted bool) []float64 {
	x := slices.Repeat([]float64{0.15}, g.N())
	for range 400 {
		next := slices.Repeat([]float64{0.15}, g.N())
		for v := range int32(g.N()) {
			weight, sum := func(i int64) float64 { return 1 }, 0.0
			if weighted {
				weight = g.Weight
			}
			for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
				sum += weight(i)
			}
			for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
				next[g.Targets[i]] += 0.85 * x[v] * weight(i) / sum
			}
		}
		x = next
	}
	return x
}

// TestWhatDoesNotConverge has the errors of the CPU, of limits that end within a chunk of iterations and at its end.
func TestWhatDoesNotConverge(t *testing.T) {
	d := open(t, math.MaxInt)
	star := graphtest.Links(t, 6, false, false,
		[]graphtest.Link{{From: 0, To: 1}, {From: 0, To: 2}, {From: 0, To: 3}, {From: 3, To: 4}})
	alpha, huge := 0.6, 1e300
	for _, iterations := range []int{1, 3, chunk, chunk + 1} {
		for name, p := range map[string]kernels.Params{"pagerank": {}, "katz": {Alpha: &alpha}} {
			p.Iterations = &iterations
			agree(t, d, fmt.Sprintf("%s, %d iterations", name, iterations), star, name, kernels.Request{Nodes: true, Params: p})
		}
	}
	agree(t, d, "no end", star, "katz", kernels.Request{Nodes: true, Params: kernels.Params{Alpha: &huge}})
	r := kernels.Request{Nodes: true, Params: kernels.Params{Alpha: &alpha}}
	_, err := enginetest.Compute(t.Context(), d,
		enginetest.Task{Engine: Engine{}, Graph: star, Measure: "katz", Request: r})
	if err == nil || !strings.Contains(err.Error(), "alpha 0.6 is too large") {
		t.Errorf("%v", err)
	}
}

// TestEveryAllocationFails: whichever fails, the error says so, all is freed, and no run takes more than it planned.
func TestEveryAllocationFails(t *testing.T) {
	d := devicetest.Open(t)
	for _, directed := range []bool{false, true} {
		g := graphtest.Random(t, rand.New(rand.NewPCG(1, 2)), 60, directed, true, true)
		for _, name := range names {
			for _, r := range requests(rand.New(rand.NewPCG(3, 4)), name, g.N()) {
				everyAllocationFails(t, d, g, name, r)
			}
		}
	}
}

func everyAllocationFails(t *testing.T, d interface {
	gpu.Device
	Ledger() *gpu.Ledger
}, g *export.Graph, name string, r kernels.Request) {
	t.Helper()
	planned := int64(0)
	task := enginetest.Task{Engine: Engine{}, Graph: g, Measure: name, Request: r, Change: func(j *device.Job) {
		p, err := Engine{}.Prepare(j, d.Info(), d.Info().Free)
		if err != nil {
			t.Fatal(err)
		}
		planned = p.Plan().DeviceBytes + device.GraphBytes(j.Size, Engine{}.Parts(j.Want, g.Directed))
	}}
	for n := 1; ; n++ {
		d.Ledger().Peak = 0
		_, err := enginetest.Compute(t.Context(), &devicetest.Failing{Device: d, At: n}, task)
		if d.Ledger().Used != 0 {
			t.Fatalf("%s, allocation %d: %d bytes left", name, n, d.Ledger().Used)
		}
		if err == nil {
			if d.Peak() > planned {
				t.Errorf("%s took %d bytes, planned %d", name, d.Peak(), planned)
			}
			return
		}
		if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
			t.Fatalf("%s, allocation %d: %v", name, n, err)
		}
	}
}
