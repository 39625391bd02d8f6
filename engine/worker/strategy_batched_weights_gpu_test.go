//go:build cuda || emulate

package worker

import (
	"errors"
	"fmt"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// checkWeights compares nodes and edges by weights with the CPU, in either precision, and a second run bit by bit.
func checkWeights(t *testing.T, d gpu.OpenDevice, name string, g *export.Graph, measure string, r kernels.Request) (notes string) {
	t.Helper()
	m, _ := kernels.Lookup(measure)
	r.Weighted, r.Reduce = true, kernels.ReduceOff
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	for single, bound := range map[bool]float64{false: 1e-9, true: 1e-5} {
		if single && measure != "betweenness" {
			continue
		}
		at := fmt.Sprintf("%s of %s (n %d, m %d, directed %t), single %t", measure, name, g.N(), g.M(), g.Directed, single)
		got, err := onDevice(t.Context(), d, g, measure, r, "batched", single)
		var refused refusal
		if errors.As(err, &refused) {
			return "refused"
		}
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
			if difference, where := enginetest.Worst(part[0], part[1]); difference > bound {
				t.Errorf("%s: %s (%s)", at, where, got.note)
			}
		}
		if got.Totals.Pairs != want.Totals.Pairs || got.Ties != want.Ties || math.Abs(got.Totals.Distance-want.Totals.Distance) > 1e-9*want.Totals.Distance {
			t.Errorf("%s: totals %+v, ties %q; want %+v, %q", at, got.Totals, got.Ties, want.Totals, want.Ties)
		}
		again, err := onDevice(t.Context(), d, g, measure, r, "batched", single)
		if err != nil || !sameBits(again, got) || again.Totals != got.Totals {
			t.Errorf("%s: other bits the second time, %v", at, err)
		}
		notes += got.note + "\n"
	}
	return notes
}

// weightyShapes are graphs whose weights, or shapes, break things.
func weightyShapes(t testing.TB) []enginetest.Named {
	random := rand.New(rand.NewPCG(6, 28))
	drawn := func(n, m int, weight func() float64) []graphtest.Link {
		var out []graphtest.Link
		for range m {
			out = append(out, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: weight()})
		}
		return out
	}
	spread := func() float64 { return math.Pow10(random.IntN(25) - 12) }
	twos := func() float64 { return math.Ldexp(1, random.IntN(60)-30) }
	big := func() float64 { return float64(1+random.IntN(4)) * (1 << 51) }
	one := func() float64 { return []float64{1, 1, 1, 1e9}[random.IntN(4)] }
	few := func() float64 { return float64(1 + random.IntN(2)) }
	real := func() float64 { return 1 - random.Float64() }
	var path, star, hub []graphtest.Link
	for i := range int32(devicetest.Sized(2000, 250)) {
		path = append(path, graphtest.Link{From: i, To: i + 1, Weight: float64(i%5 + 1)})
	}
	for i := int32(1); i < 700; i++ {
		star = append(star, graphtest.Link{From: 0, To: i, Weight: float64(i%3 + 1)})
		hub = append(hub, graphtest.Link{From: i % 2, To: i, Weight: float64(i%3 + 1)}, graphtest.Link{From: i, To: 1 + i*7%699, Weight: 4})
	}
	ties := graphtest.Grid(t, 12, true)
	for i := range ties.Weights {
		ties.Weights[i] = 1
	}
	out := []enginetest.Named{
		{"24 decades", graphtest.Links(t, 60, false, true, drawn(60, 150, spread))},
		{"24 decades, directed", graphtest.Links(t, 60, true, true, drawn(60, 200, spread))},
		{"powers of two", graphtest.Links(t, 80, false, true, drawn(80, 240, twos))},
		{"sums beyond 2^53", graphtest.Links(t, 80, false, true, drawn(80, 240, big))},
		{"some enormous weights", graphtest.Links(t, 80, true, true, drawn(80, 240, one))},
		{"ties everywhere", graphtest.Links(t, 120, false, true, drawn(120, 600, few))},
		{"reals", graphtest.Links(t, 120, false, true, drawn(120, 500, real))},
		{"reals, directed", graphtest.Links(t, 120, true, true, drawn(120, 500, real))},
		{"dense", graphtest.Links(t, 40, false, true, drawn(40, 500, real))},
		{"dense, directed", graphtest.Links(t, 40, true, true, drawn(40, 700, real))},
		{"dense, with ties, directed", graphtest.Links(t, 40, true, true, drawn(40, 700, few))},
		{"parts", graphtest.Links(t, 200, false, true, drawn(100, 90, few))},
		{"parts, directed", graphtest.Links(t, 200, true, true, drawn(100, 120, few))},
		{"a path", graphtest.Links(t, devicetest.Sized(2001, 251), false, true, path)},
		{"a path, directed", graphtest.Links(t, devicetest.Sized(2001, 251), true, true, path)},
		{"a star", graphtest.Links(t, 700, false, true, star)},
		{"hubs", graphtest.Links(t, 700, false, true, hub)},
		{"hubs, directed", graphtest.Links(t, 700, true, true, hub)},
		{"loops and parallels", graphtest.Links(t, 4, true, true, []graphtest.Link{{From: 0, To: 0, Weight: 1}, {From: 0, To: 1, Weight: 2}, {From: 0, To: 1, Weight: 2}, {From: 1, To: 0, Weight: 1}, {From: 1, To: 2, Weight: 3}, {From: 2, To: 2, Weight: 1}, {From: 2, To: 3, Weight: 1}})},
		{"equal weights", ties},
	}
	return out
}

// eachRequestByWeights compares betweenness, stress and one measure of the closeness family of each graph with the CPU's, and tells what of which graph
// came with which notes.
func eachRequestByWeights(t *testing.T, d gpu.OpenDevice, graphs []enginetest.Named, tell func(of, notes string)) {
	t.Helper()
	for i, g := range graphs {
		for _, measure := range []string{"betweenness", "stress", []string{"closeness", "harmonic", "graph", "eccentricity"}[i%4]} {
			m, _ := kernels.Lookup(measure)
			for _, r := range enginetest.Requests(m, i, g.Graph) {
				if devicetest.Emulated && g.Graph.N() > 100 && m.BySource {
					r.Sources, r.Scale = kernels.DrawSources(g.Graph.N(), 40, int64(i)), 0
				}
				tell(measure+" of "+g.Name, checkWeights(t, d, g.Name, g.Graph, measure, r))
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

func TestBatchedByWeights(t *testing.T) {
	withoutSmallForm(t)
	d := devicetest.Open(t)
	graphs := append(enginetest.Nasty(t, true), weightyShapes(t)...)
	random := rand.New(rand.NewPCG(3, 5))
	for i := range max(*randomGraphs/4, 3) {
		graphs = append(graphs, enginetest.Named{fmt.Sprintf("random graph %d", i), enginetest.Random(t, random, i, true)})
	}
	refused := 0
	eachRequestByWeights(t, d, graphs, func(_, notes string) {
		if notes == "refused" {
			refused++
		}
	})
	t.Logf("%d graphs, %d requests refused because only 128 bits hold their lengths", len(graphs), refused)
}

// TestBatchedSaysThatWeightsAreEqual: then paths are those by hops.
func TestBatchedSaysThatWeightsAreEqual(t *testing.T) {
	g := graphtest.Links(t, 50, false, true, []graphtest.Link{{From: 0, To: 1, Weight: 2.5}, {From: 1, To: 2, Weight: 2.5}, {From: 2, To: 0, Weight: 2.5}, {From: 2, To: 3, Weight: 2.5}})
	for _, measure := range []string{"betweenness", "closeness", "harmonic", "graph", "eccentricity"} {
		if notes := checkWeights(t, devicetest.Open(t), "equal weights", g, measure, kernels.Request{Nodes: true, Edges: true}); !strings.Contains(notes, "by hops, because all weights are 2.5") {
			t.Errorf("%s: %s", measure, notes)
		}
	}
}

// TestReducedByWeights searches what trees and blocks leave, each node for as many as it stands for, and compares with a
// search of the whole graph on the CPU.
func TestReducedByWeights(t *testing.T) {
	d := devicetest.Open(t)
	m, _ := kernels.Lookup("betweenness")
	random := rand.New(rand.NewPCG(8, 5))
	taken := 0
	for i := range devicetest.Sized(60, 6) {
		var links []graphtest.Link
		n := int32(20 + random.IntN(devicetest.Sized(300, 60)))
		for v := int32(1); v < n; v++ {
			links = append(links, graphtest.Link{From: int32(random.IntN(int(v))), To: v, Weight: enginetest.Weights(random, i%2, v)})
			for random.IntN(3) == 0 {
				links = append(links, graphtest.Link{From: int32(random.IntN(int(v))), To: v, Weight: enginetest.Weights(random, i%2, v)})
			}
		}
		g := graphtest.Links(t, int(n), false, true, links)
		r := kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOff, Params: kernels.Params{Weighted: true, Endpoints: i%3 == 0}}
		want, err := cpu.Compute(t.Context(), m, g, r)
		if err != nil {
			t.Fatal(err)
		}
		r.Reduce = "trees,blocks"
		for _, strategy := range []string{"batched", "work-efficient", "vertex-warp-8"} {
			for single, bound := range map[bool]float64{false: 1e-9, true: 1e-5} {
				at := fmt.Sprintf("graph %d (n %d, m %d), %s, single %t", i, g.N(), g.M(), strategy, single)
				got, err := onDevice(t.Context(), d, g, m.Name, r, strategy, single)
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				if got.Reduction != nil && len(got.Reduction.Taken) > 0 {
					taken++
				}
				for _, part := range [][2][]float64{{got.Nodes, want.Nodes}, {got.Edges, want.Edges}} {
					if difference, where := enginetest.Worst(part[0], part[1]); difference > bound {
						t.Errorf("%s: %s", at, where)
					}
				}
				if got.Totals.Pairs != want.Totals.Pairs || got.Ties != "exact" {
					t.Errorf("%s: %d pairs, ties %q; want %d", at, got.Totals.Pairs, got.Ties, want.Totals.Pairs)
				}
			}
		}
	}
	if taken < devicetest.Sized(300, 30) {
		t.Errorf("only %d runs on reduced graphs", taken)
	}
}

// TestBatchedByWeightsCountsOfAnySize: counts that pass the range of float32, or of 32 bits in shared memory, are repeated in
// float64, or 64 bits, those that pass that too by one search each.
func TestBatchedByWeightsCountsOfAnySize(t *testing.T) {
	d := devicetest.Open(t)
	for length, oneByOne := range map[int32]map[bool]bool{25: {}, 80: {true: true}, 900: {false: true, true: true}} {
		var links []graphtest.Link
		for i := range length {
			for range 4 {
				links = append(links, graphtest.Link{From: i, To: i + 1, Weight: float64(1 + i%3)})
			}
		}
		g := graphtest.Links(t, int(length)+1, false, true, links)
		for _, smallForm = range []bool{false, true} {
			notes := checkWeights(t, d, fmt.Sprintf("a chain of %d fourfold edges", length), g, "betweenness",
				kernels.Request{Nodes: true, Edges: true, Sources: []int32{0, 1, length / 2, length}})
			if strings.Contains(notes, "one by one") != oneByOne[smallForm] || strings.Contains(notes, "of shared memory") != smallForm {
				t.Errorf("%d: %s", length, notes)
			}
		}
	}
}

// TestBatchedStressOfAnySize: counts are kept in float64 as far as 2^1700; where they, or the paths onward, pass float64, all
// is counted in wide numbers. Stress past float64 has a logarithm alone.
func TestBatchedStressOfAnySize(t *testing.T) {
	d := devicetest.Open(t)
	m, _ := kernels.Lookup("stress")
	for length, again := range map[int32]bool{80: false, 160: false, 200: true, 300: true} {
		var links []graphtest.Link
		for i := range length {
			for range 64 {
				links = append(links, graphtest.Link{From: i, To: i + 1, Weight: float64(1 + i%3)})
			}
		}
		g := graphtest.Links(t, int(length)+1, false, true, links)
		r := kernels.Request{Params: kernels.Params{Weighted: true, Log: true}, Nodes: true, Edges: true, Sources: []int32{0, length / 2}}
		notes := checkWeights(t, d, fmt.Sprintf("a chain of %d edges of 64", length), g, "stress", r)
		if strings.Contains(notes, "again one by one") != again {
			t.Errorf("%d: %s", length, notes)
		}
		r.Log = false
		_, want := cpu.Compute(t.Context(), m, g, r)
		if _, err := onDevice(t.Context(), d, g, "stress", r, "batched", false); errors.Is(err, kernels.ErrStress) != errors.Is(want, kernels.ErrStress) {
			t.Errorf("%d: %v, want %v", length, err, want)
		}
	}
}

// distantSources are a grid of side by side and 32 nodes all over it: as sources of one batch they make some ten entries a node.
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

// TestLittleMemoryByWeights gives just the memory of shorter stacks, and in the end too little: scores are right or refused,
// sources that a stack is too short for are searched one by one, and nothing takes more than there is.
func TestLittleMemoryByWeights(t *testing.T) {
	withoutSmallForm(t)
	d := devicetest.Open(t)
	g, sources := distantSources(t, int32(devicetest.Sized(100, 50)))
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Reduce: kernels.ReduceOff, Sources: sources}
	for _, c := range []struct {
		measure string
		perNode int64
		says    string
	}{{"betweenness", 33, "ticks64"}, {"betweenness", 8, "counted again one by one"}, {"betweenness", 4, "bytes"}, {"stress", 8, "again one by one"}, {"stress", 4, "bytes"}} {
		at := fmt.Sprintf("%s with %d entries a node", c.measure, c.perNode)
		m, _ := kernels.Lookup(c.measure)
		w := device.Want{Measure: c.measure, Params: r.Params, Nodes: true, Sources: len(r.Sources)}
		shape := weightedTeams{blocks: 1, teams: 1, slots: 1, entries: stackEntries(int64(g.N()), c.perNode, weightedLanes)}
		free := GraphBytes(device.SizeOf(g), batched{}.Parts(w, false)) + shape.bytes(device.SizeOf(g), w)
		d.Ledger().Peak = 0
		got, err := onDevice(t.Context(), little{d, reserve + free}, g, c.measure, r, "batched", false)
		if large := (*gpu.TooLarge)(nil); c.perNode == 4 {
			if !errors.As(err, &large) {
				t.Errorf("%s: %v", at, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if d.Ledger().Peak > free || !strings.Contains(got.note, c.says) {
			t.Errorf("%s: took %d bytes of %d; %s", at, d.Ledger().Peak, free, got.note)
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
	request := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true, Sources: sources, Reduce: kernels.ReduceOff}
	want, err := cpu.Compute(t.Context(), m, g, request)
	if err != nil {
		t.Fatal(err)
	}
	r, memory := weightedRunOn(t, d, g, request, weightedTeams{threads: weightedBatchThreads, blocks: 1, teams: 4, slots: 4, entries: stackEntries(int64(g.N()), 8, weightedLanes)})
	r.takeMemory()
	if left := r.passes(); len(left) > 0 || r.team.teams != 1 || r.err != nil {
		t.Errorf("%d sources left by %d teams with %d entries, %v", len(left), r.team.teams, r.team.entries, r.err)
	}
	r.orderedScores()
	if err := errors.Join(r.err, memory.Release()); err != nil {
		t.Fatal(err)
	}
	for _, part := range [][2][]float64{{r.job.Nodes, want.Nodes}, {r.job.Edges, want.Edges}} {
		if difference, where := enginetest.Worst(part[0], part[1]); difference > 1e-9 {
			t.Error(where)
		}
	}
}

// weightedRunOn is a run of betweenness, by weights in whole ticks, that has yet to take its memory.
func weightedRunOn(t *testing.T, d gpu.Device, g *export.Graph, request kernels.Request, team weightedTeams) (*weightedRun, *gpu.Arena) {
	t.Helper()
	w := &work{graph: g, strategy: batched{}}
	w.order.Strategy, w.order.Measure, w.order.Params, w.order.Nodes, w.order.Edges = "batched", "betweenness", request.Params, true, true
	if err := w.request(); err != nil {
		t.Fatal(err)
	}
	job := &w.job
	if request.Sources != nil {
		job.Sources, job.Request.Sources = request.Sources, request.Sources
	}
	job.Nodes, job.Edges, job.Progress = make([]float64, g.N()), make([]float64, g.M()), func(int) {}
	memory := &gpu.Arena{Device: d}
	ticks, mul, div, _ := lengths.WholeTicks(g)
	job.TickMul, job.TickDiv = mul, div
	var err error
	if job.Graph, err = upload(memory, g, batched{}.Parts(job.Want, true), ticks); err != nil {
		t.Fatal(err)
	}
	r := &weightedRun{reordered: reordered{traverse: traverse{traversal: batched{}.narrowest(), ctx: t.Context(), device: memory, job: job}}}
	r.team, r.blocks = team, team.slots
	r.metric, r.err = r.newMetric()
	r.relabel(weightedLanes, false)
	r.relabelWeights()
	return r, memory
}

// TestPassesApart runs forward passes of all batches by one team, reads their rows, and runs the backward passes with rows of
// demands: half of the betweenness that demands of 1 give, for demands of a half.
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
	n, batches := int64(g.N()), (g.N()+weightedLanes-1)/weightedLanes
	r, memory := weightedRunOn(t, d, g, request, weightedTeams{threads: weightedBatchThreads, blocks: 1, teams: batches, slots: 1, entries: stackEntries(n, weightedLanes+1, weightedLanes)})
	r.takeMemory()
	r.team.teams = 1
	halves := make([]float64, int64(batches)*n*weightedLanes)
	for i := range halves {
		halves[i] = 0.5
	}
	r.demands = uploaded(&r.traverse, halves)
	for _, r.apart = range []apart{passForward, passBackward} {
		if failed := r.pass(r.countingKernel("f64", false), r.places(), 0); len(failed) > 0 || r.err != nil {
			t.Fatal(failed, r.err)
		}
		if r.apart == passForward {
			counts := make([]float64, int64(batches)*n*weightedLanes)
			if err := gpu.Download(d, counts, r.arrays.counts); err != nil {
				t.Fatal(err)
			}
			for i := range n { // the source in place i of batch i / 32 reaches itself by one path
				if unit := counts[(i/weightedLanes*n+i)*weightedLanes+i%weightedLanes]; unit != math.Ldexp(1, -800) {
					t.Errorf("source %d has %g paths to itself", i, unit)
				}
			}
		}
	}
	r.orderedScores()
	if err := errors.Join(r.err, memory.Release()); err != nil {
		t.Fatal(err)
	}
	for _, part := range [][2][]float64{{r.job.Nodes, want.Nodes}, {r.job.Edges, want.Edges}} {
		for i := range part[0] {
			part[0][i] *= 2
		}
		if difference, where := enginetest.Worst(part[0], part[1]); difference > 1e-9 {
			t.Error(where)
		}
	}
}
