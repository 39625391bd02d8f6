package looks_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/engine/plan/looks"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/datasets"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// BenchmarkLooks times each look at a graph alone: the mean, and the least of the runs.
func BenchmarkLooks(b *testing.B) {
	datasets.EachSample(b, func(b *testing.B, s *export.Snapshot) {
		g := s.Graph
		sources := drawn(g, 1024)
		for _, look := range []struct {
			name string
			at   func()
		}{
			{"degrees", func() { looks.DegreesOf(g) }},
			{"likely degrees", func() { looks.LikelyDegrees(g) }},
			{"half is near", func() { looks.AreNear(g, 0.5, 1<<16) }},
			{"widest", func() { g.Widest() }},
			{"locality", func() { looks.Locality(g, true) }},
			{"nearness", func() { looks.Nearness(g, sources) }},
			{"likely depth", func() { order.LikelyDepth(g) }},
			{"depth", func() { order.DepthOf(g) }},
			{"reach", func() { looks.Reach(g) }},
			{"wedges", func() { looks.Wedges(g) }},
		} {
			b.Run(look.name, func(b *testing.B) {
				least := time.Hour
				for b.Loop() {
					start := time.Now()
					look.at()
					least = min(least, time.Since(start))
				}
				b.ReportMetric(1e3*least.Seconds(), "least-ms")
			})
		}
	})
}

// TestDegrees: threads that share the nodes find what one does.
func TestDegrees(t *testing.T) {
	for _, spec := range []generate.Spec{
		{Kind: generate.RMAT, Scale: 16, Degree: 8, Seed: 1}, {Kind: generate.Road, Width: 60, Height: 60, Seed: 1},
		{Kind: generate.Grid, Width: 1, Height: 1}, {Kind: generate.Grid, Width: 128, Height: 128},
	} {
		s, err := generate.Graph(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		var want looks.Degrees
		widest := int32(0)
		for v := range int32(s.Graph.N()) {
			d := s.Graph.Degree(v)
			want.Squares += float64(d * d) // whole numbers under 2^53
			if want.Greatest = max(want.Greatest, d); d > s.Graph.Degree(widest) {
				widest = v
			}
			switch {
			case d == 0:
				want.Isolated++
			case d == 1:
				want.Leaves++
			case d > 2:
				want.Branch++
			}
		}
		if got := looks.DegreesOf(s.Graph); got != want {
			t.Errorf("%v: %+v, not %+v", spec, got, want)
		}
		if got := s.Graph.Widest(); got != widest {
			t.Errorf("%v: the widest node is %d, not %d", spec, got, widest)
		}
	}
}

// TestLikelyDegrees: what a look at some arcs finds is near what all rows are. A hub is found.
func TestLikelyDegrees(t *testing.T) {
	for _, spec := range []generate.Spec{
		{Kind: generate.RMAT, Scale: 16, Degree: 8, Seed: 1}, {Kind: generate.Road, Width: 200, Height: 200, Seed: 1},
		{Kind: generate.Grid, Width: 128, Height: 128}, {Kind: generate.Grid, Width: 2, Height: 1},
		{Kind: generate.BarabasiAlbert, Nodes: 20_000, Degree: 1, Seed: 1},
	} {
		s, err := generate.Graph(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		want, got, n := looks.DegreesOf(s.Graph), looks.LikelyDegrees(s.Graph), float64(s.Graph.N())
		near := func(what string, got, want, by float64) {
			if got < want-by || got > want+by {
				t.Errorf("%+v: %s %g, where %g are", spec, what, got, want)
			}
		}
		near("isolated nodes", float64(got.Isolated), float64(want.Isolated), 0.1*n)
		near("leaves", float64(got.Leaves), float64(want.Leaves), 0.1*n)
		near("branch nodes", float64(got.Branch), float64(want.Branch), 0.1*n)
		near("squares", got.Squares, want.Squares, 0.3*want.Squares)
		if got.Greatest > want.Greatest || 2*got.Greatest < want.Greatest {
			t.Errorf("%+v: the longest row has %d arcs, not %d", spec, got.Greatest, want.Greatest)
		}
	}
}

// TestAreNear: half of an R-MAT is near a hub. Most nodes of several that lie side by side are out of reach, those
// of a grid too many hops away, and those of a small world in which nearly all arcs lead to the nearest too many arcs.
func TestAreNear(t *testing.T) {
	for want, specs := range map[bool][]generate.Spec{
		true: {{Kind: generate.RMAT, Scale: 12, Degree: 16}, {Kind: generate.ErdosRenyi, Nodes: 8000, Edges: 200_000}},
		false: {{Kind: generate.RMAT, Scale: 10, Degree: 16, Copies: 16}, {Kind: generate.Grid, Width: 50, Height: 50},
			{Kind: generate.WattsStrogatz, Nodes: 8000, Degree: 200, Probability: 0.0005}},
	} {
		for _, spec := range specs {
			s, err := generate.Graph(t.Context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			if got := looks.AreNear(s.Graph, 0.5, 1<<16); got != want {
				t.Errorf("%+v: %t", spec, got)
			}
			last := s.Graph.Offsets[s.Graph.N()]
			alone := slices.Concat(s.Graph.Offsets, slices.Repeat([]int64{last}, 9*s.Graph.N()))
			many := &export.Graph{Offsets: alone, Targets: s.Graph.Targets, EdgeCount: s.Graph.M()}
			if got := looks.AreNear(many, 0.5, 1<<16); got != want {
				t.Errorf("%+v next to nodes without arcs: %t", spec, got)
			}
		}
	}
}

// TestNoNodes: a graph of no nodes can be looked at.
func TestNoNodes(t *testing.T) {
	g := &export.Graph{Offsets: []int64{0}}
	if d, v := looks.DegreesOf(g), g.Widest(); d != (looks.Degrees{}) || v != 0 {
		t.Errorf("%+v, the widest node is %d", d, v)
	}
	if looks.AreNear(g, 0.5, 1<<16) || looks.Busy(g) != 0 {
		t.Error("nodes of none are near")
	}
}

// TestGreatest: the greatest of many numbers is found in any part of them.
func TestGreatest(t *testing.T) {
	ticks := make([]int64, 300_000)
	for i := range ticks {
		ticks[i] = 1 + int64(i%7)
	}
	for _, at := range []int{0, 200_000, len(ticks) - 1} {
		was := ticks[at]
		ticks[at] = 1 << 60
		if got := looks.Greatest(ticks); got != 1<<60 {
			t.Errorf("at %d: %d", at, got)
		}
		ticks[at] = was
	}
	if got := looks.Greatest(nil); got != 0 {
		t.Errorf("of none: %d", got)
	}
}

// drawn are some of the nodes at random.
func drawn(g *export.Graph, count int) []int32 {
	out := make([]int32, 0, count)
	for _, v := range rand.New(rand.NewPCG(1, 2)).Perm(g.N())[:count] {
		out = append(out, int32(v))
	}
	slices.Sort(out)
	return out
}

// TestWedges compares the estimate with what a pass over triangles compares.
func TestWedges(t *testing.T) {
	for _, spec := range []generate.Spec{
		{Kind: generate.RMAT, Scale: 16, Degree: 8, Seed: 1},
		{Kind: generate.BarabasiAlbert, Nodes: 20_000, Degree: 4, Seed: 1},
		{Kind: generate.Geometric, Nodes: 8192, Degree: 12, Seed: 1}, {Kind: generate.Grid, Width: 30, Height: 30},
		{Kind: generate.Grid, Width: 1, Height: 1},
	} {
		s, err := generate.Graph(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		g, want := s.Graph, 0.0
		onward := make([]float64, g.N()) // edges that lead on from each node
		for _, sum := range []bool{false, true} {
			for v := range int32(g.N()) {
				for _, w := range g.Row(v) {
					switch a, b := g.Degree(v), g.Degree(w); {
					case a > b || a == b && v < w:
					case sum:
						want += onward[w]
					default:
						onward[v]++
					}
				}
			}
		}
		if got := looks.Wedges(g); got < want/1.3 || got > 1.3*want {
			t.Errorf("%v: %.3g, not %.3g", spec, got, want)
		}
	}
}
