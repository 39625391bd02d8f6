//go:build cuda || emulate

package traversal

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/built"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestAgrees compares all strategies with the CPU on a graph each, and shards with the whole.
func TestAgrees(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(21, 1))
	i := 0
	for range devicetest.Sized(20, 1) {
		for _, e := range Engines() {
			eachMeasure(e, func(m kernels.Measure, weighted bool) {
				g := enginetest.Named{Name: "random", Graph: enginetest.Random(t, random, i, weighted)}
				if nasty := enginetest.Nasty(t, weighted); i%3 == 0 {
					g = nasty[i/3%len(nasty)]
				}
				r := request(m, i, g.Graph, weighted)
				agree(t, d, g, enginetest.Task{Engine: e, Graph: g.Graph, Measure: m.Name, Request: r, Single: i%2 == 0})
				i++
			})
		}
	}
}

// sparse is a random graph of so many nodes and edges.
func sparse(t *testing.T, random *rand.Rand, n, edges int32, directed, weighted bool) enginetest.Named {
	var links []graphtest.Link
	for range edges {
		v := random.Int32N(n)
		links = append(links, graphtest.Link{From: v, To: random.Int32N(n), Weight: enginetest.Weights(random, 0, v)})
	}
	return enginetest.Named{Name: "sparse", Graph: graphtest.Links(t, int(n), directed, weighted, links)}
}

// isOneOfMany reports whether the short form on the emulated device, which is slow, leaves out turn i of a measure: all
// of the closeness family go the same way.
func isOneOfMany(m kernels.Measure, i int) bool {
	_, folds := kernels.FoldOf(m.Name)
	return devicetest.Emulated && testing.Short() && folds && i%3 != 0
}

// TestShards cuts sources into shards, with so little memory that there are few blocks, and several atoms.
func TestShards(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(21, 2))
	i := 0
	for _, e := range Engines() {
		eachMeasure(e, func(m kernels.Measure, weighted bool) {
			if i++; isOneOfMany(m, i) {
				return
			}
			g := sparse(t, random, 34, 34, i%3 == 0, weighted)
			r := request(m, 2*i, g.Graph, weighted)
			task := enginetest.Task{Engine: e, Graph: g.Graph, Measure: m.Name, Request: r, Single: i%2 == 0}
			task.Free = memoryFor(d.Info(), task, 2)
			agree(t, d, g, task)
		})
	}
}

// TestShardsOfSamples: each shard takes the method that the first sources of all decide on.
func TestShardsOfSamples(t *testing.T) {
	d := devicetest.Open(t)
	g := sparse(t, rand.New(rand.NewPCG(21, 3)), 530, 250, false, false)
	for _, m := range []string{"betweenness", "closeness", "stress"} {
		r := kernels.Request{Nodes: true}
		task := enginetest.Task{Engine: named(t, "sampling"), Graph: g.Graph, Measure: m, Request: r}
		if devicetest.Emulated {
			task.Free = memoryFor(d.Info(), task, 16)
		}
		agree(t, d, g, task)
	}
}

// TestMasses: nodes that stand for several count as so many sources and targets, also in numbers of any size.
func TestMasses(t *testing.T) {
	d := devicetest.Open(t)
	// Node 0 stands for itself and two leaves, node 4 for itself and one.
	cycle := []graphtest.Link{
		{From: 0, To: 1, Weight: 1}, {From: 1, To: 2, Weight: 2}, {From: 2, To: 3, Weight: 1}, {From: 3, To: 4, Weight: 2},
		{From: 4, To: 0, Weight: 2}, {From: 1, To: 3, Weight: 3},
	}
	leaves := append([]graphtest.Link{
		{From: 0, To: 5, Weight: 1}, {From: 0, To: 6, Weight: 1}, {From: 4, To: 7, Weight: 1},
	}, cycle...)
	for _, weighted := range []bool{false, true} {
		r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Edges: true, Reduce: kernels.ReduceOff}
		m, _ := kernels.Lookup("betweenness")
		whole, reduced := graphtest.Links(t, 8, false, weighted, leaves), graphtest.Links(t, 5, false, weighted, cycle)
		want, err := cpu.Compute(t.Context(), m, whole, r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := enginetest.Compute(t.Context(), d, enginetest.Task{
			Engine: OneByOne(), Graph: reduced, Measure: "betweenness", Request: r,
			Change: func(j *device.Job) { j.Masses, j.Folded = []float64{3, 1, 1, 1, 2}, true },
		})
		if err != nil {
			t.Fatal(err)
		}
		scores := byEnds(whole, want.Edges)
		for ends, x := range byEnds(reduced, got.Edges) {
			if math.Abs(x-scores[ends]) > 1e-12 {
				t.Errorf("weighted %v: edge %v scores %v, not %v", weighted, ends, x, scores[ends])
			}
		}
	}
	for _, e := range Engines() {
		if e.Accepts(device.Want{Measure: "betweenness", Folded: true}, false) {
			t.Errorf("%s takes masses", e.Name())
		}
	}
}

// byEnds gives the score of an edge by its ends.
func byEnds(g *export.Graph, scores []float64) map[[2]int32]float64 {
	out := map[[2]int32]float64{}
	source, target := g.Ends()
	for e, x := range scores {
		out[[2]int32{min(source[e], target[e]), max(source[e], target[e])}] = x
	}
	return out
}

// TestEveryAllocationFails: whichever fails, the error says so, all is freed, and the next run is right.
func TestEveryAllocationFails(t *testing.T) {
	d, g := devicetest.Open(t), directed()
	for _, e := range append(Engines(), OneByOne()) {
		eachMeasure(e, func(m kernels.Measure, weighted bool) {
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: m.Node != "", Edges: m.Edge != ""}
			everyAllocationFails(t, d, enginetest.Task{Engine: e, Graph: g, Measure: m.Name, Request: r})
		})
	}
}

func everyAllocationFails(t *testing.T, d *built.GPU, task enginetest.Task) {
	t.Helper()
	for n := 1; ; n++ {
		_, err := enginetest.Compute(t.Context(), &devicetest.Failing{Device: d, At: n}, task)
		if d.Ledger().Used != 0 {
			t.Fatalf("%s by %s, allocation %d: %d bytes left", task.Measure, task.Engine.Name(), n, d.Ledger().Used)
		}
		if err == nil {
			asOnCPU(t, d, task, 1e-9)
			return
		}
		if !errors.Is(err, gpu.ErrMemory) || n > 1000 {
			t.Fatalf("%s by %s, allocation %d: %v", task.Measure, task.Engine.Name(), n, err)
		}
	}
}

// planned runs a task, and fails if it takes more than was planned.
func planned(t *testing.T, d *built.GPU, task enginetest.Task) {
	t.Helper()
	if err := d.Renew(); err != nil {
		t.Fatal(err)
	}
	var bound int64
	change := task.Change
	task.Change = func(j *device.Job) {
		if change != nil {
			change(j)
		}
		free := task.Free
		if free == 0 {
			free = d.Info().Free
		}
		p, err := task.Engine.Prepare(j, d.Info(), free)
		if err != nil {
			t.Fatal(err)
		}
		bound = p.Plan().DeviceBytes + device.GraphBytes(j.Size, task.Engine.Parts(j.Want, j.Host.Directed))
	}
	if _, err := enginetest.Compute(t.Context(), d, task); err != nil {
		t.Fatal(err)
	}
	if d.Peak() > bound {
		t.Errorf("%s by %s took %d bytes, planned %d", task.Measure, task.Engine.Name(), d.Peak(), bound)
	}
}

// TestPlansBoundMemory: no strategy takes more than it planned, with many blocks and with one.
func TestPlansBoundMemory(t *testing.T) {
	d := devicetest.Open(t)
	for _, e := range append(Engines(), OneByOne()) {
		eachMeasure(e, func(m kernels.Measure, weighted bool) {
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: m.Node != "", Edges: m.Edge != ""}
			task := enginetest.Task{Engine: e, Graph: directed(), Measure: m.Name, Request: r}
			planned(t, d, task)
			task.Free = memoryFor(d.Info(), task, 1)
			planned(t, d, task)
		})
	}
}

// TestChunksDoNotMatter: a slow device, or one that others keep busy, gives the same bits.
func TestChunksDoNotMatter(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(21, 4))
	i := 0
	for _, e := range Engines() {
		eachMeasure(e, func(m kernels.Measure, weighted bool) {
			if i++; isOneOfMany(m, i) {
				return
			}
			g := sparse(t, random, 30, 30, i%2 == 0, weighted)
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: m.Node != "", Edges: m.Edge != ""}
			task := enginetest.Task{Engine: e, Graph: g.Graph, Measure: m.Name, Request: r}
			task.Free = memoryFor(d.Info(), task, 2)
			quick, err := enginetest.Compute(t.Context(), d, task)
			if err != nil {
				t.Fatal(err)
			}
			again, err := enginetest.Compute(t.Context(), &devicetest.Slow{Device: d, Left: 3}, task)
			if err != nil || !enginetest.SameBits(again, quick) || again.Totals != quick.Totals {
				t.Errorf("%s by %s: other bits in smaller chunks, %v", m.Name, e.Name(), err)
			}
		})
	}
}
