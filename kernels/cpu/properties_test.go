package cpu

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
	"pgregory.net/rapid"
)

// TestSameBitsOnAnyNumberOfThreads compares bit by bit.
func TestSameBitsOnAnyNumberOfThreads(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{7, 60, 300, 1300} {
		g := graphtest.Random(t, random, n, n == 300, true, true)
		for _, m := range kernels.Measures() {
			if m.Kind == kernels.Communities && n > 60 || m.Kind.Flows() && n > 1000 {
				continue // minutes; kernels/communities and kernels/flow have tests of larger graphs on several threads
			}
			if m.Kind.Flows() && g.Directed {
				continue // refused
			}
			if m.CheckGraph(g) != nil {
				continue // kernels/structure has a test on several threads
			}
			r := kernels.Request{Params: kernels.Params{Weighted: m.Weights == kernels.OptionalWeights && n < 1000}, Nodes: true,
				Edges: m.Edge != ""}
			var first *kernels.Scores
			for _, r.Threads = range []int{1, 2, 3, 8} {
				got := compute(t, g, m.Name, r)
				if first == nil {
					first = got
				}
				if !slices.Equal(got.Nodes, first.Nodes) || !slices.Equal(got.Edges, first.Edges) || got.Totals != first.Totals {
					t.Fatalf("%s of %d nodes: %d threads give other bits than one", m.Name, n, r.Threads)
				}
			}
		}
	}
}

// TestManyComponentsScoreAsEachAlone: sums are merged where sources came near, in a chunk of many sources or of few.
func TestManyComponentsScoreAsEachAlone(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	for _, directed := range []bool{false, true} {
		const n, count = 30, 70 // more than 1,024 sources: a chunk has several, of two components at times
		var all []edge
		var want [2][]float64
		for i := range int32(count) {
			var own []edge
			for range 2 * n {
				own = append(own, edge{random.Int32N(n), random.Int32N(n), 1})
			}
			for _, e := range own {
				all = append(all, edge{e.from + i*n, e.to + i*n, 1})
			}
			s := compute(t, build(t, n, directed, own), "betweenness",
				kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOff})
			want[0], want[1] = append(want[0], s.Nodes...), append(want[1], s.Edges...)
		}
		g := build(t, n*count, directed, all)
		for _, r := range []kernels.Request{{Nodes: true, Edges: true}, {Nodes: true}, {Edges: true}} {
			r.Reduce = kernels.ReduceOff
			got := compute(t, g, "betweenness", r)
			if r.Nodes {
				same(t, "node", got.Nodes, want[0])
			}
			if r.Edges {
				same(t, "edge", got.Edges, want[1])
			}
		}
	}
}

// drawGraph draws the edges of a small graph.
func drawGraph(t *rapid.T) (n int, directed bool, edges []edge) {
	n = rapid.IntRange(1, 14).Draw(t, "n")
	node := rapid.Int32Range(0, int32(n)-1)
	weight := rapid.SampledFrom([]float64{0.1, 0.2, 0.3, 1, 2.5, 1e-9, 1e9})
	for range rapid.IntRange(0, 3*n).Draw(t, "m") {
		edges = append(edges, edge{node.Draw(t, "from"), node.Draw(t, "to"), weight.Draw(t, "weight")})
	}
	return n, rapid.Bool().Draw(t, "directed"), edges
}

// TestRelabellingPermutesScores renames the nodes.
func TestRelabellingPermutesScores(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, directed, edges := drawGraph(rt)
		names := make([]int32, n)
		for i := range names {
			names[i] = int32(i)
		}
		names = rapid.Permutation(names).Draw(rt, "names")
		renamed := slices.Clone(edges)
		for i, e := range edges {
			renamed[i].from, renamed[i].to = names[e.from], names[e.to]
		}
		g, h := build(t, n, directed, edges), build(t, n, directed, renamed)
		weighted := rapid.Bool().Draw(rt, "weighted")
		for _, m := range kernels.Measures() {
			if numbers, _ := m.NumbersGroups(kernels.Params{}); numbers || m.Kind == kernels.Backbones ||
				m.CheckGraph(g) != nil {
				continue // numbers of groups, and edges that tie, follow the order of the nodes
			}
			if m.Kind == kernels.Eigenvectors || m.Kind == kernels.HubsAndAuthorities {
				continue // right to the residual, and of some graphs there are none; kernels/rank compares with the definition
			}
			r := kernels.Request{Params: kernels.Params{Weighted: weighted && m.Weights != kernels.NoWeights}, Nodes: true}
			a, b := compute(t, g, m.Name, r).Nodes, compute(t, h, m.Name, r).Nodes
			for v, x := range a {
				y := b[names[v]]
				if m.Kind.Flows() && math.Abs(x-y) <= roundingOf(m)*slices.Max(a) {
					continue // a residual is of all currents, and some are small
				}
				if !within(x, y, roundingOf(m)) {
					rt.Fatalf("%s of node %d is %v, and %v under its other name %d", m.Name, v, x, y, names[v])
				}
			}
		}
	})
}

// roundingOf is how far, relative to each other, equal scores of a measure may lie apart.
func roundingOf(m kernels.Measure) float64 {
	if m.Kind.Flows() {
		return 1e-6 // a residual is left, and weights are up to 18 powers of ten apart
	}
	return 1e-12
}

// TestInvariants has those of Check, source by source and for sets of sources, and bridges.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, directed, edges := drawGraph(rt)
		g := build(t, n, directed, edges)
		weighted, endpoints := rapid.Bool().Draw(rt, "weighted"), rapid.Bool().Draw(rt, "endpoints")
		normalized := rapid.Bool().Draw(rt, "normalized")
		r := kernels.Request{Params: kernels.Params{Weighted: weighted, Endpoints: endpoints, Normalized: &normalized},
			Nodes: true, Edges: true}
		compute(t, g, "betweenness", r)
		r.Sources = kernels.DrawSources(n, rapid.IntRange(1, n).Draw(rt, "sources"), 1)
		r.Scale = float64(n) / float64(len(r.Sources))
		compute(t, g, "betweenness", r)
	})
}

func TestCheckFindsWrongScores(t *testing.T) {
	g := build(t, 6, false, cycle(6))
	m, _ := kernels.Lookup("betweenness")
	for name, spoil := range map[string]func(s *kernels.Scores){
		"a node":   func(s *kernels.Scores) { s.Nodes[3] += 0.1 },
		"an edge":  func(s *kernels.Scores) { s.Edges[0] -= 0.1 },
		"the sums": func(s *kernels.Scores) { s.Totals.Pairs++ },
		"a length": func(s *kernels.Scores) { s.Nodes = s.Nodes[1:] },
	} {
		for _, r := range []kernels.Request{
			{Nodes: true, Edges: true, Reduce: kernels.ReduceOn}, {Nodes: true, Edges: true, Reduce: kernels.ReduceOff},
			{Nodes: true, Reduce: kernels.ReduceOff}, {Edges: true, Reduce: kernels.ReduceOff}, // reductions know no distances
		} {
			s := compute(t, g, "betweenness", r)
			if s.Nodes == nil && name != "an edge" || s.Edges == nil && name == "an edge" ||
				name == "the sums" && s.Nodes == nil {
				continue
			}
			spoil(s)
			if err := check.Scores(m, g, r, s); err == nil {
				t.Errorf("%s is wrong, asked for %t %t: Check finds nothing", name, r.Nodes, r.Edges)
			}
		}
	}
}

func TestVertexTransitiveGraphsScoreAlike(t *testing.T) {
	for name, g := range map[string]*export.Graph{"cycle": build(t, 17, false, cycle(17)),
		"complete": build(t, 9, false, complete(9)), "directed cycle": build(t, 17, true, cycle(17))} {
		for _, m := range kernels.Measures() {
			if numbers, _ := m.NumbersGroups(kernels.Params{}); numbers || m.Kind == kernels.Backbones ||
				m.CheckGraph(g) != nil {
				continue // a group has one number, and another group has another; of edges that tie some are kept
			}
			if m.Kind.Flows() && g.Directed {
				continue // refused
			}
			s := compute(t, g, m.Name, kernels.Request{Nodes: true})
			for v, x := range s.Nodes {
				if !within(x, s.Nodes[0], roundingOf(m)) {
					t.Errorf("%s of a %s: node %d has %v, node 0 %v", m.Name, name, v, x, s.Nodes[0])
				}
			}
		}
	}
}

func TestBridges(t *testing.T) {
	// Two cliques of 5 and 7 nodes, joined by one edge.
	edges := complete(5)
	for _, e := range complete(7) {
		edges = append(edges, edge{e.from + 5, e.to + 5, 1})
	}
	g := build(t, 12, false, append(edges, edge{0, 5, 1}))
	source, target := g.Ends()
	for e, x := range compute(t, g, "betweenness", kernels.Request{Edges: true}).Edges {
		if source[e] == 0 && target[e] == 5 && x != 35 {
			t.Errorf("the bridge between 5 and 7 nodes has %v, want 35", x)
		}
	}
}

// TestCancel stops searches that take minutes. They stop long before all sources are done.
func TestCancel(t *testing.T) {
	g := build(t, 300*300, false, grid(300))
	for _, m := range kernels.Measures() {
		if len(m.WeightedStrategies) == 0 || !m.Kind.Divides() { // the others end too soon
			continue
		}
		for _, weighted := range []bool{false, true} {
			cause := errors.New("the user said stop")
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
			done := 0
			_, err := Compute(ctx, m, g, kernels.Request{
				Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true, Progress: func(now, _ int) { done = now },
			})

			if !errors.Is(err, cause) || done > g.N()/2 {
				t.Errorf("%s, weighted %t: %v after %d sources", m.Name, weighted, err, done)
			}
		}
	}
}

func TestProgress(t *testing.T) {
	g := build(t, 2000, false, path(2000))
	last := 0
	r := kernels.Request{Nodes: true, Sources: kernels.DrawSources(2000, 1500, 1), Progress: func(done, total int) {
		if done <= last || total != 1500 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}}
	compute(t, g, "closeness", r)
	if last != 1500 {
		t.Errorf("%d of 1500 at the end", last)
	}
}

func TestRequestsThatAMeasureRefuses(t *testing.T) {
	yes, below := true, -1
	for _, c := range []struct {
		measure string
		r       kernels.Request
		says    string
	}{
		{"betweenness", kernels.Request{}, "neither node nor edge"},
		{"degree", kernels.Request{Edges: true}, "no edge scores"},
		{"degree", kernels.Request{Nodes: true, Params: kernels.Params{Weighted: true}}, "reads no weights"},
		{"closeness", kernels.Request{Nodes: true, Params: kernels.Params{Variant: "classical"}},
			"component, wassermanFaust, classic"},
		{"closeness", kernels.Request{Nodes: true, Params: kernels.Params{Normalized: &yes}},
			"normalized: closeness has no such option; it has variant"},
		{"harmonic", kernels.Request{Nodes: true, Params: kernels.Params{Endpoints: true}},
			"endpoints: harmonic has no such option"},
		{"degree", kernels.Request{Nodes: true, Params: kernels.Params{Log: true}}, "it has none"},
		{"volume", kernels.Request{Nodes: true, Params: kernels.Params{Radius: &below}}, "radius: -1 is not at least 0"},
		{"volume", kernels.Request{Nodes: true, Sources: []int32{0}}, "does not search from sources"},
		{"graph", kernels.Request{Nodes: true, Scale: 2}, "no sum over sources"},
		{"betweenness", kernels.Request{Nodes: true, Params: kernels.Params{Tolerance: -1}},
			"tolerance: -1 is not at least 0"},
		{"betweenness", kernels.Request{Nodes: true, Sources: []int32{9}}, "source 9"},
		{"betweenness", kernels.Request{Nodes: true, Sources: []int32{1, 1}}, "twice"},
		{"betweenness", kernels.Request{Nodes: true, Sources: []int32{}}, "empty"},
		{"betweenness", kernels.Request{Nodes: true, Threads: -1}, "-1 threads"},
	} {
		m, ok := kernels.Lookup(c.measure)
		if !ok {
			t.Fatal(c.measure)
		}
		_, err := Compute(context.Background(), m, build(t, 3, false, path(3)), c.r)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %+v: error %v, want one that says %q", c.measure, c.r, err, c.says)
		}
	}
	if _, ok := kernels.Lookup("betweeness"); ok {
		t.Error("a misspelt measure is found")
	}
}

// TestEveryMeasureIsComputed: the CPU has a method for each entry of the table, and bounds its memory.
func TestEveryMeasureIsComputed(t *testing.T) {
	for _, m := range kernels.Measures() {
		r := kernels.Request{Nodes: true, Edges: m.Edge != "", Threads: 2}
		if how, ok := methods()[m.Kind]; !ok || how.bytes == nil || how.prepare == nil {
			t.Errorf("%s: the CPU does not compute its kind", m.Name)
			continue
		}
		if small, large := Bytes(m, kernels.Size{Nodes: 10, Edges: 10}, r),
			Bytes(m, kernels.Size{Nodes: 1000, Edges: 1000}, r); small <= 0 || large < 100*small {
			t.Errorf("%s: %d bytes for 10 nodes and edges, %d for 1000", m.Name, small, large)
		}
	}
}
