//go:build cuda || emulate

package weighted

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

var repeats = flag.Int("repeats", devicetest.Sized(20, 2), "runs of TestRepeats, each of which must give the same bits")

var boundsScale = flag.Int("bounds-scale", devicetest.Sized(13, 9), "logarithm of the nodes of TestBoundsLeaveRowsOut")

// withBounds has all searches by real weights keep bounds.
func withBounds(t *testing.T) {
	degree, hub := boundedDegree, boundedHub
	boundedDegree, boundedHub = 0, -1
	t.Cleanup(func() { boundedDegree, boundedHub = degree, hub })
}

// realRMAT is a dense graph with hubs and weights of (0, 1].
func realRMAT(t *testing.T, scale int, seed uint64) enginetest.Named {
	return enginetest.Generated(t, fmt.Sprintf("R-MAT %d", scale),
		generate.Spec{Kind: generate.RMAT, Scale: scale, Degree: 16, Seed: seed, Weights: generate.RealWeights})
}

// denseReals are dense graphs of real weights of several kinds. Node 0 is a hub.
func denseReals(t *testing.T, random *rand.Rand) (graphs []enginetest.Named) {
	real := func() float64 { return 1 - random.Float64() }
	for i, weight := range []func() float64{
		real, real, func() float64 { return math.Pow(10, 24*random.Float64()-12) },
		func() float64 { return []float64{0.1, 0.3, real()}[random.IntN(3)] },
		func() float64 { return real() * []float64{1, 1e9}[random.IntN(2)] },
	} {
		var links []graphtest.Link
		n := 20 + random.IntN(devicetest.Sized(200, 30))
		for range n * (4 + random.IntN(12)) {
			u := random.IntN(n)
			links = append(links, graphtest.Link{From: int32(u * random.IntN(n) / n), To: int32(random.IntN(n)),
				Weight: weight()})
		}
		graphs = append(graphs, enginetest.Named{Name: fmt.Sprintf("dense %d", i),
			Graph: graphtest.Links(t, n+3, i%2 == 1, true, links)})
	}
	return graphs
}

// TestBoundedWeights takes the shapes of weights that break things, dense graphs, and random ones, all of them with
// bounds where their lengths are reals.
func TestBoundedWeights(t *testing.T) {
	withBounds(t)
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(11, 17))
	graphs := append(enginetest.Nasty(t, true), enginetest.WeightyShapes(t)...)
	graphs = append(graphs, denseReals(t, random)...)
	for i := range max(*randomGraphs/4, 3) {
		graphs = append(graphs, enginetest.Named{Name: fmt.Sprintf("random graph %d", i),
			Graph: enginetest.Random(t, random, i, true)})
	}
	graphs = append(graphs, realRMAT(t, devicetest.Sized(9, 6), 5))
	bounded := 0
	eachRequest(t, d, graphs, func(of, notes string) {
		if strings.Contains(notes, "with bounds") {
			bounded++
		} else if strings.Contains(notes, " reals,") {
			t.Errorf("%s: %s", of, notes)
		}
	})
	if bounded < len(graphs)/2 {
		t.Errorf("%d requests of %d graphs kept bounds", bounded, len(graphs))
	}
}

// TestBoundsLeaveRowsOut: a search with bounds looks at a half of the rows at most, and makes the same scores.
func TestBoundsLeaveRowsOut(t *testing.T) {
	d := devicetest.Open(t)
	defer func(degree int64) { boundedDegree = degree }(boundedDegree)
	g := realRMAT(t, *boundsScale, 1).Graph
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Reduce: kernels.ReduceOff}
	if devicetest.Emulated {
		r.Sources = kernels.DrawSources(g.N(), g.N()*3/4, 1)
	}
	degree := boundedDegree
	boundedDegree = math.MaxInt64 / int64(g.N())
	free := withCounters(t, d, "without bounds", g, r)
	boundedDegree = degree
	bounded := withCounters(t, d, "with bounds", g, r)
	if strings.Contains(free.Note, "bounds") || !strings.Contains(bounded.Note, "with bounds") {
		t.Fatalf("%s; %s", free.Note, bounded.Note)
	}
	if difference, where := enginetest.Worst(bounded.Nodes, free.Nodes); difference > 1e-6 {
		t.Errorf("with bounds %s", where)
	}
	a, b := *free.Profile.Weighted, *bounded.Profile.Weighted
	arcs := float64(g.Offsets[g.N()]) * float64(bounded.Profile.Batches)
	t.Logf("of an arc, without and with bounds: rows looked at to lower them %.2f and %.2f, lowered %.2f and %.2f, compared %.2f and %.2f",
		float64(a.Relaxed)/arcs, float64(b.Relaxed)/arcs, float64(a.Lowered)/arcs, float64(b.Lowered)/arcs,
		float64(a.Compared)/arcs, float64(b.Compared)/arcs)
	nodes := float64(g.N()) * float64(bounded.Profile.Batches)
	t.Logf("rounds %d and %d, passed on per node %.2f and %.2f", a.Rounds, b.Rounds, float64(a.Passed)/nodes,
		float64(b.Passed)/nodes)
	t.Logf(
		"seconds without and with bounds: %.3f and %.3f, of these distances %.3f and %.3f, shortest-path arcs %.3f and %.3f",
		free.Profile.Seconds, bounded.Profile.Seconds, a.Distances, b.Distances, a.PathArcs, b.PathArcs)
	if 2*b.Relaxed > a.Relaxed || 2*b.Compared > a.Compared {
		t.Errorf("bounds leave out too little: %+v, without %+v", b, a)
	}
}

// TestRepeats runs one search by real weights again and again, with long rows and with short ones, which are read at
// different times. Distances have one outcome whatever the order of warps, and so do scores, to the bit; what a race
// forgets makes NaN or other bits.
func TestRepeats(t *testing.T) {
	withBounds(t)
	d := devicetest.Open(t)
	for _, g := range []enginetest.Named{
		realRMAT(t, devicetest.Sized(14, 7), 3),
		enginetest.Generated(t, "Delaunay",
			generate.Spec{Kind: generate.Delaunay, Scale: devicetest.Sized(13, 7), Seed: 3, Weights: generate.RealWeights}),
	} {
		r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Reduce: kernels.ReduceOff}
		task := enginetest.Task{Engine: Engine{}, Graph: g.Graph, Measure: "betweenness", Request: r, Single: true}
		boundedDegree = math.MaxInt32
		want, err := enginetest.Compute(t.Context(), d, task)
		if err != nil {
			t.Fatal(err)
		}
		boundedDegree = 0
		var first *enginetest.Outcome
		for i := range *repeats {
			got, err := enginetest.Compute(t.Context(), d, task)
			if err != nil {
				t.Fatalf("%s, run %d: %v", g.Name, i, err)
			}
			if !strings.Contains(got.Note, "with bounds") || strings.Contains(want.Note, "with bounds") {
				t.Fatal(got.Note, want.Note)
			}
			if first == nil {
				first = got
			}
			if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 1e-5 {
				t.Fatalf("%s, run %d: %s without bounds", g.Name, i, where)
			}
			if !enginetest.SameBits(got, first) || got.Totals != first.Totals {
				t.Fatalf("%s, run %d has other bits than the first, or %+v in place of %+v", g.Name, i, got.Totals, first.Totals)
			}
		}
	}
}
