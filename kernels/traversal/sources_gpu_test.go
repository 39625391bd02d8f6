//go:build cuda || emulate

package traversal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// sameSources compares a sample of sources with the CPU's: sources and checks are the same, scores and bounds nearly
// so. The same seed has the same bits in less memory, which is for one block.
func sameSources(
	t *testing.T, e device.Engine, d gpu.Device, at string, g *export.Graph, r kernels.Request, a kernels.Accuracy,
) {
	t.Helper()
	var want sampled
	var err error
	if want.scores, want.estimate, err = samples.DrawnSources(t.Context(), g, r, a, math.Inf(1)); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	got, err := drawnBy(t, e, d, g, r, a, math.Inf(1), deviceMemory, true)
	if refused(err, r) {
		t.Logf("%s: %v", at, err)
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	is, w := got.estimate, want.estimate
	if is.Sources != w.Sources || is.Checks != w.Checks || is.Exact != w.Exact || !near(is.Bound, w.Bound) {
		t.Fatalf("%s: %d sources with a bound of %v after %d checks, the CPU %d with %v after %d", at, is.Sources,
			is.Bound, is.Checks, w.Sources, w.Bound, w.Checks)
	}
	for k, part := range [][2][]float64{{got.scores.Nodes, want.scores.Nodes}, {got.scores.Edges, want.scores.Edges},
		{is.Nodes, w.Nodes}, {is.Edges, w.Edges}} {
		if k > 1 && is.Exact {
			break // all bounds are 0, which the CPU writes down
		}
		if difference, where := enginetest.Worst(part[0], part[1]); difference > 1e-9 {
			t.Errorf("%s: off by %.2g: %s", at, difference, where)
		}
	}
	if got.scores.Totals.Pairs != want.scores.Totals.Pairs ||
		!near(got.scores.Totals.Distance, want.scores.Totals.Distance) {
		t.Errorf("%s: totals %+v, not %+v", at, got.scores.Totals, want.scores.Totals)
	}
	again, err := drawnBy(t, e, d, g, r, a, math.Inf(1), leastMemory(e, d, g, r), true)
	if err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	got.scores.Totals, again.scores.Totals = kernels.Totals{}, kernels.Totals{}
	if !reflect.DeepEqual(got, again) {
		t.Errorf("%s: other bits in less memory", at)
	}
}

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y)) }

// leastMemory is what a sample of sources takes with one block.
func leastMemory(e device.Engine, d gpu.Device, g *export.Graph, r kernels.Request) int64 {
	w := sourcesWant(g, r)
	l := e.(Engine).layout(w, g, false, d.Info())
	l.shape.blocks = 1
	return l.bytes()
}

func sourcesWant(g *export.Graph, r kernels.Request) device.Want {
	return device.Want{
		Measure: device.Sources, Params: r.Params, Nodes: r.Nodes, Edges: r.Edges, Sources: g.N(), Size: device.SizeOf(g),
	}
}

// TestSources compares samples of sources with the CPU's on nasty and on random graphs: by hops, by whole weights and
// real ones, with ties, loops, parallel edges, both directions, nodes without a path.
func TestSources(t *testing.T) {
	d := devicetest.Open(t)
	for _, weighted := range []bool{false, true} {
		for i, c := range enginetest.Some(t, devicetest.Sized(30, 6), weighted) {
			r := kernels.Request{Nodes: i%3 != 1, Edges: i%3 != 0,
				Params: kernels.Params{Weighted: weighted, Endpoints: i%4 == 3}}
			a := kernels.Accuracy{Error: 0.6, Confidence: 0.8, Seed: int64(i), Each: i%2 == 0}
			e := named(t, []string{"work-efficient", "work-efficient-warp-4", "vertex-parallel"}[i/3%3])
			sameSources(t, e, d, fmt.Sprintf("%s, %s, %+v", c.At("sources", r), e.Name(), a), c.Graph, r, a)
		}
	}
}

// TestSourcesOfMeshes: nodes have other numbers on the device, rows are in cells of two bits for a node or of one, or
// both. Counts of some sources pass float64.
func TestSourcesOfMeshes(t *testing.T) {
	d, side := devicetest.Open(t), int32(devicetest.Sized(150, 30))
	little := littleShared{d, int(side * side / 5)}
	for i, c := range []struct {
		graph      *export.Graph
		on         gpu.Device
		bits       int64
		renumbered bool
	}{
		{graphtest.Grid(t, side, false), d, 2, false},
		{graphtest.Grid(t, side, false), little, 1, true},
		{mesh(t, d.Info(), false).Graph, d, 0, true},
		{enginetest.TwoChains(t, 300, 4, false), d, 0, true},
		{fork(t, 390, 800, false), d, 2, false},
	} {
		e := named(t, "work-efficient").(Engine)
		e.renumbersFrom, e.cellDegree = device.One(c.renumbered), min(c.bits, 1)
		r := kernels.Request{Nodes: i != 1, Edges: i != 2, Params: kernels.Params{Endpoints: i == 1}}
		a := kernels.Accuracy{Error: 0.3, Confidence: 0.8, Seed: int64(i), Each: true}
		if l := e.layout(sourcesWant(c.graph, r), c.graph, false, c.on.Info()); l.cells.bits != c.bits ||
			l.renumbered != c.renumbered {
			t.Errorf("mesh %d: %+v", i, l)
		}
		sameSources(t, e, c.on, fmt.Sprint("mesh ", i), c.graph, r, a)
	}
}

// TestSampledSourcesKeepTheirBound: no score is farther from the exact one of the CPU than the bound. The samples have
// fewer sources than there are nodes.
func TestSampledSourcesKeepTheirBound(t *testing.T) {
	d, random := devicetest.Open(t), rand.New(rand.NewPCG(5, 8))
	betweenness, _ := kernels.Lookup("betweenness")
	whole := func(edge int32) float64 { return float64(1 + edge%5) }
	for i, g := range []*export.Graph{
		graphtest.Weighing(graphtest.Random(t, random, 420, true, true, true), whole),
		graphtest.Weighing(graphtest.Random(t, random, 400, false, true, true), whole),
		graphtest.Grid(t, 20, true), graphtest.Weighing(graphtest.Stars(t, 390), func(edge int32) float64 {
			return 1 + 0.1*float64(edge%7)
		}),
	} {
		r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: i != 1, Reduce: kernels.ReduceOff}
		a := kernels.Accuracy{Error: 0.35, Confidence: 0.9, Seed: int64(i), Each: true}
		sameSources(t, OneByOne(), d, fmt.Sprint("graph ", i), g, r, a)
		got, err := onDevice(t, d, g, r, a, math.Inf(1))
		if err != nil || got.estimate.Exact {
			t.Fatalf("graph %d: %+v, %v", i, got.estimate, err)
		}
		exact, err := cpu.Compute(t.Context(), betweenness, g, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range [][3][]float64{
			{got.scores.Nodes, exact.Nodes, got.estimate.Nodes}, {got.scores.Edges, exact.Edges, got.estimate.Edges},
		} {
			for k, x := range part[0] {
				if math.Abs(x-part[1][k]) > part[2][k] {
					t.Errorf("graph %d: score %d is %v, not %v; its bound is %v", i, k, x, part[1][k], part[2][k])
				}
			}
		}
	}
}

// TestSourcesOfManyPaths: the counts of a part of the sources pass float64, and they are searched from again in their
// turn. Doubtful sources are told apart by another bound on arcs, or refused.
func TestSourcesOfManyPaths(t *testing.T) {
	d := devicetest.Open(t)
	chains := enginetest.TwoChains(t, 300, 4, false)
	r, a := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true},
		kernels.Accuracy{Error: 0.9, Confidence: 0.8, Seed: 3}
	for name, g := range map[string]*export.Graph{
		"two chains": graphtest.Weighing(chains, func(int32) float64 {
			return 2
		}), "reals": enginetest.Reals(t), "doubtful": graphtest.Doubtful(t),
	} {
		sameSources(t, OneByOne(), d, name, g, r, a)
	}
}

// TestFewSourcesAreExact: a sample that would take more sources than exact scores leaves these to others. Every other
// source has no path.
func TestFewSourcesAreExact(t *testing.T) {
	const half = 200
	var links []graphtest.Link
	for v := range int32(half) {
		if v%2 == 0 {
			links = append(links, graphtest.Link{From: v, To: half, Weight: 1})
		}
		links = append(links, graphtest.Link{From: half, To: half + 1 + v, Weight: 1})
	}
	d, g := devicetest.Open(t), graphtest.Links(t, 2*half+1, true, true, links)
	r, a := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true},
		kernels.Accuracy{Error: 0.05, Confidence: 0.9}
	for checks, most := range []float64{10, 500} {
		if got, err := onDevice(t, d, g, r, a, most); err != nil || got.scores != nil || got.estimate.Why == "" ||
			got.estimate.Checks != checks {
			t.Errorf("at most %v sources: %+v, %v", most, got.estimate, err)
		}
	}
}
