//go:build cuda || emulate

package weighted

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// distantSources are a grid of side by side and 32 nodes all over it: as sources of one batch they make some ten
// entries per node.
func distantSources(t testing.TB, side int32) (*export.Graph, []int32) {
	random := rand.New(rand.NewPCG(12, 3))
	var links []graphtest.Link
	for v := range side * side {
		if v%side+1 < side {
			links = append(links, graphtest.Link{From: v, To: v + 1, Weight: enginetest.Weights(random, 2, v)})
		}
		if v+side < side*side {
			links = append(links, graphtest.Link{From: v, To: v + side, Weight: enginetest.Weights(random, 2, v)})
		}
	}
	return graphtest.Links(t, int(side*side), false, true, links), kernels.DrawSources(int(side*side), weightedLanes, 5)
}

// TestLittleMemory gives just the memory of shorter stacks, and in the end too little: scores are right or refused,
// sources that a stack is too short for are left, and nothing takes more than there is.
func TestLittleMemory(t *testing.T) {
	d := devicetest.Open(t)
	g, sources := distantSources(t, int32(devicetest.Sized(100, 50)))
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Reduce: kernels.ReduceOff, Sources: sources}
	for _, c := range []struct {
		measure string
		perNode int64
		left    bool
	}{{"betweenness", 33, false}, {"betweenness", 8, true}, {"betweenness", 4, false},
		{"stress", 8, true}, {"stress", 4, false}} {
		at := fmt.Sprintf("%s with %d entries per node", c.measure, c.perNode)
		m, _ := kernels.Lookup(c.measure)
		w := device.Want{Measure: c.measure, Params: r.Params, Nodes: true, Sources: len(r.Sources), Size: device.SizeOf(g)}
		shape := teams{blocks: 1, teams: 1, entries: batches.StackEntries(int64(g.N()), c.perNode, weightedLanes)}
		free := shape.bytes(w)
		most := device.GraphBytes(device.SizeOf(g), device.Parts{Ticks: true, Transpose: true}) + free
		d.Ledger().Peak = 0
		got, err := enginetest.Compute(t.Context(), d,
			enginetest.Task{Engine: Engine{}, Graph: g, Measure: c.measure, Request: r, Free: free})
		if large := (*gpu.TooLarge)(nil); c.perNode == 4 {
			if !errors.As(err, &large) {
				t.Errorf("%s: %v", at, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if d.Ledger().Peak > most || (len(got.Left) > 0) != c.left {
			t.Errorf("%s: took %d bytes of %d, left %d; %s", at, d.Ledger().Peak, most, len(got.Left), got.Note)
		}
		want, err := cpu.Compute(t.Context(), m, g, r)
		if err != nil {
			t.Fatal(err)
		}
		if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 1e-9 {
			t.Errorf("%s: %s", at, where)
		}
	}
}

// TestLongerStacks: sources that the stacks of many teams are too short for are batched again by fewer teams.
func TestLongerStacks(t *testing.T) {
	d := devicetest.Open(t)
	g, sources := distantSources(t, 20)
	m, _ := kernels.Lookup("betweenness")
	request := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true, Sources: sources,
		Reduce: kernels.ReduceOff}
	want, err := cpu.Compute(t.Context(), m, g, request)
	if err != nil {
		t.Fatal(err)
	}
	short := teams{threads: batchThreads, blocks: 1, teams: 4,
		entries: batches.StackEntries(int64(g.N()), 8, weightedLanes)}
	r, memory := runOn(t, d, g, request, short)
	r.begin(beginOrder(r.job))
	var result device.Result
	r.search(&result)
	if len(result.Left) > 0 || r.team.teams != 1 || r.calls.Err != nil {
		t.Errorf("%d sources left by %d teams with %d entries, %v", len(result.Left), r.team.teams, r.team.entries,
			r.calls.Err)
	}
	r.addResults(device.Values{})
	got := finished(t, r, memory)
	same(t, got, want, 1)
	r, memory = runOn(t, d, g, request, short)
	r.job.Shard = device.Shard{Index: 0, Of: 2}
	if err := memory.Release(); err != nil {
		t.Fatal(err)
	}
	if r.after(doublePass) != longPass {
		t.Error("no pass with longer stacks")
	}
	// The same in two parts: each pass ends with what is left of both.
	p := &prepared{team: short}
	r, memory = runOn(t, d, g, request, short)
	parts, err := device.Compute(t.Context(), memory, p, r.job, 2)
	if err != nil || len(parts.Left) > 0 {
		t.Errorf("%d sources left, %v", len(parts.Left), err)
	}
	if again := finished(t, r, memory); !enginetest.SameBits(&enginetest.Outcome{Scores: *again},
		&enginetest.Outcome{Scores: *got}) {
		t.Error("other bits in parts")
	}
}

// runOn is a run of betweenness, by weights in whole ticks, that has yet to begin.
func runOn(t *testing.T, d gpu.Device, g *export.Graph, request kernels.Request, team teams) (*run, *gpu.Arena) {
	t.Helper()
	m, _ := kernels.Lookup("betweenness")
	sources := request.Sources
	if sources == nil {
		sources = order.All(g)
	}
	j := &device.Job{
		Want: device.Want{Measure: m.Name, Params: request.Params, Nodes: request.Nodes, Edges: request.Edges,
			Sources: len(sources), Size: device.SizeOf(g)},
		Request: request, Host: g, Sources: sources, Progress: func(int) {},
		Partial: kernels.NewPartial(m, g.N(), g.M(), request, kernels.BoundsOf(g, request, 0)),
	}
	memory := &gpu.Arena{Device: d}
	ticks, mul, div, _ := lengths.WholeTicks(g)
	j.TickMul, j.TickDiv = mul, div
	var err error
	if j.Graph, err = device.UploadGraph(memory, g, Engine{}.Parts(j.Want, true), ticks); err != nil {
		t.Fatal(err)
	}
	return &run{calls: &device.Calls{Ctx: t.Context(), Device: memory}, job: j, team: team}, memory
}

// finished are the scores of a run, whose memory it gives back.
func finished(t *testing.T, r *run, memory *gpu.Arena) *kernels.Scores {
	t.Helper()
	if err := errors.Join(r.calls.Err, memory.Release()); err != nil {
		t.Fatal(err)
	}
	g := r.job.Host
	out := &kernels.Scores{Nodes: make([]float64, g.N()), Edges: make([]float64, g.M())}
	m, _ := kernels.Lookup(r.job.Measure)
	if err := r.job.Partial.Finish(m, g, r.job.Request, out.Nodes, out.Edges); err != nil {
		t.Fatal(err)
	}
	return out
}

// same compares scores, of which those had are so many times those wanted.
func same(t *testing.T, got, want *kernels.Scores, times float64) {
	t.Helper()
	for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
		for i := range part[0] {
			part[0][i] /= times
		}
		if difference, where := enginetest.Worst(part[0], part[1]); difference > 1e-9 {
			t.Error(where)
		}
	}
}

// TestPassesApart runs forward passes of all batches by one team, reads their rows, and runs the backward passes with
// rows of demands: half of the betweenness that demands of 1 give, for demands of a half.
func TestPassesApart(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(4, 4))
	g := enginetest.Random(t, random, 0, true) // directed, whole weights
	for g.N() < 40 {
		g = enginetest.Random(t, random, 0, true)
	}
	m, _ := kernels.Lookup("betweenness")
	request := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true}
	want, err := cpu.Compute(t.Context(), m, g, request)
	if err != nil {
		t.Fatal(err)
	}
	n, count := int64(g.N()), (g.N()+weightedLanes-1)/weightedLanes
	r, memory := runOn(t, d, g, request,
		teams{threads: batchThreads, blocks: 1, teams: count, entries: batches.StackEntries(n, fullStack, weightedLanes)})
	r.begin(beginOrder(r.job))
	r.team.teams = 1
	halves := make([]float64, int64(count)*n*weightedLanes)
	for i := range halves {
		halves[i] = 0.5
	}
	r.demands = device.Upload(r.calls, halves)
	for _, r.apart = range []int64{passForward, passBackward} {
		if failed := r.launch(r.countingKernel("f64", false), r.graph.Sources(), 0); len(failed) > 0 || r.calls.Err != nil {
			t.Fatal(failed, r.calls.Err)
		}
		if r.apart == passForward {
			counts := make([]float64, int64(count)*n*weightedLanes)
			if err := gpu.Download(d, counts, r.arrays.counts); err != nil {
				t.Fatal(err)
			}
			for i, v := range r.graph.Sources() { // the source in a lane of its batch reaches itself by one path
				lane, batch := int64(i)%weightedLanes, int64(i)/weightedLanes
				if unit := counts[(batch*n+int64(v))*weightedLanes+lane]; unit != math.Ldexp(1, -800) {
					t.Errorf("source %d has %g paths to itself", i, unit)
				}
			}
		}
	}
	r.addResults(device.Values{})
	same(t, finished(t, r, memory), want, 0.5)
}
