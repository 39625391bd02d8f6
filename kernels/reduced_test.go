package kernels

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// subdivided puts inner nodes into the edges of a random graph of hubs, and a leaf at every third hub.
func subdivided(t testing.TB, hubs, edgesPerHub, inner int) *export.Graph {
	t.Helper()
	random := rand.New(rand.NewPCG(5, uint64(hubs)))
	n := int32(hubs)
	var edges []edge
	join := func(u, v int32) { edges = append(edges, edge{u, v, float64(1+random.IntN(4)) / 4}) }
	for range hubs * edgesPerHub {
		last, end := random.Int32N(int32(hubs)), random.Int32N(int32(hubs))
		for range random.IntN(inner + 1) {
			join(last, n)
			last, n = n, n+1
		}
		join(last, end)
	}
	for v := int32(0); v < int32(hubs); v += 3 {
		join(v, n)
		n++
	}
	return build(t, int(n), false, edges)
}

func TestReductionIsReported(t *testing.T) {
	tree := build(t, 60, false, path(60))
	mixed := subdivided(t, 60, 2, 6)
	spokes := cycle(8)
	for v := range int32(8) {
		spokes = append(spokes, edge{v, 8, 1})
	}
	wheel := build(t, 9, false, spokes)
	weird := build(t, 3, false, []edge{{0, 1, 1e-13}, {1, 2, 1.2345678901234567e6}})
	for _, c := range []struct {
		name   string
		g      *export.Graph
		r      Request
		taken  []string
		reason string
	}{
		{"a path", tree, Request{}, []string{"trees"}, "graph reduced: 0 of 60 sources, 0 % of the work"},
		{"a cycle", build(t, 9, false, cycle(9)), Request{Reduce: "on"}, []string{"blocks", "chains"}, "graph reduced: 0 of 9 sources, "},
		{"hubs", mixed, Request{Params: Params{Weighted: true}}, []string{"trees", "blocks", "chains"}, "graph reduced: "},
		{"hubs, some", mixed, Request{Reduce: "trees, chains"}, []string{"trees", "chains"}, "graph reduced: "},
		{"a complete graph", build(t, 9, false, complete(9)), Request{}, []string{"twins"}, "graph reduced: 1 of 9 sources, 0 % of the work"},
		{"a wheel", wheel, Request{}, []string{}, "not reduced: 100 % of the work would be left"},
		{"a wheel, on", wheel, Request{Reduce: "on"}, []string{}, "not reduced: 100 % of the work would be left"},
		{"directed", build(t, 60, true, path(60)), Request{Reduce: "on"}, []string{}, "not reduced: the graph is directed"},
		{"sources", tree, Request{Reduce: "on", Sources: []int32{4}}, []string{}, "not reduced: not all nodes are sources"},
		{"decades apart", weird, Request{Params: Params{Weighted: true}, Reduce: "on"}, []string{}, "not reduced: the weights share no tick that 62 bits hold"},
	} {
		c.r.Nodes = true
		got := compute(t, c.g, "betweenness", c.r).Reduction
		if got == nil || !slices.Equal(got.Taken, c.taken) || !strings.HasPrefix(got.Reason, c.reason) {
			t.Errorf("%s: %+v; want %q, %q", c.name, got, c.taken, c.reason)
		}
	}
	if got := compute(t, tree, "betweenness", Request{Nodes: true, Reduce: "off"}).Reduction; got != nil {
		t.Errorf("off: %+v", got)
	}
	for _, text := range []string{"yes", "trees,", "trees,leaves", "twins", "auto,on"} {
		if m, _ := Lookup("betweenness"); m.Check(Request{Nodes: true, Reduce: text}) == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// TestReductionReason is the sentence that people read.
func TestReductionReason(t *testing.T) {
	for want, r := range map[string]Reduction{
		"graph reduced: 2,083 of 3,504 sources, 53 % of the work":      {Searched: 2083, WorkRatio: 0.5321},
		"graph reduced: 0 of 3,504 sources, 0 % of the work":           {},
		"graph reduced: 999 of 3,504 sources, 0.042 % of the work":     {Searched: 999, WorkRatio: 0.00042},
		"graph reduced: 1,234,567 of 3,504 sources, 130 % of the work": {Searched: 1234567, WorkRatio: 1.3},
		"graph reduced: 12,345 of 3,504 sources, 9.9 % of the work":    {Searched: 12345, WorkRatio: 0.0987},
	} {
		if r.Reduced(3504); r.Reason != want {
			t.Errorf("%q, want %q", r.Reason, want)
		}
	}
}

// TestReductionsGiveTheSameScores compares lists of reductions, numbers of threads, and options.
func TestReductionsGiveTheSameScores(t *testing.T) {
	yes := true
	for i, hubs := range []int{5, 40, 250} {
		g := subdivided(t, hubs, 1+i, 5)
		for _, p := range []Params{{}, {Weighted: true}, {Endpoints: true, Weighted: true}, {Normalized: &yes}, {Normalized: &yes, Endpoints: true}} {
			r := Request{Params: p, Nodes: true, Edges: true, Reduce: ReduceOff, Scale: 3}
			want := compute(t, g, "betweenness", r)
			for _, r.Reduce = range []string{"", "on", "trees", "blocks", "chains", "trees,chains", "blocks,chains,twins", "chains,twins"} {
				var first *Scores
				for _, r.Threads = range []int{1, 3} {
					got := compute(t, g, "betweenness", r)
					same(t, r.Reduce+": node", got.Nodes, want.Nodes)
					same(t, r.Reduce+": edge", got.Edges, want.Edges)
					if got.Totals.Pairs != want.Totals.Pairs || len(got.Reduction.Taken) == 0 || got.Ties != want.Ties {
						t.Fatalf("%s: %d pairs, ties %q, %+v; want %d, %q", r.Reduce, got.Totals.Pairs, got.Ties, got.Reduction, want.Totals.Pairs, want.Ties)
					}
					if first == nil {
						first = got
					}
					if !slices.Equal(got.Nodes, first.Nodes) || !slices.Equal(got.Edges, first.Edges) {
						t.Fatalf("%s: other bits on three threads", r.Reduce)
					}
				}
			}
		}
	}
}

// TestReducedSearchIsCancelledAndCounted stops a search of minutes, and lets a short one count to its end.
func TestReducedSearchIsCancelledAndCounted(t *testing.T) {
	large, ended := subdivided(t, 20_000, 2, 4), errors.New("enough")
	var r Request
	for _, measure := range []string{"betweenness", "closeness"} {
		m, _ := Lookup(measure)
		ctx, cancel := context.WithCancelCause(context.Background())
		done, all := 0, 0
		r = Request{Nodes: true, Edges: measure == "betweenness", Reduce: ReduceOn, Progress: func(now, total int) {
			done, all = now, total
			cancel(ended)
		}}
		_, err := Compute(ctx, m, large, r)
		if !errors.Is(err, ended) || done > all/2 {
			t.Errorf("%s cancelled: %v after %d of %d", measure, err, done, all)
		}
	}
	r = Request{Nodes: true, Edges: true, Reduce: ReduceOn}
	var done, total int
	r.Progress = func(d, n int) {
		if d <= done || total != 0 && n != total {
			t.Fatalf("%d of %d after %d of %d", d, n, done, total)
		}
		done, total = d, n
	}
	g := subdivided(t, 300, 2, 4)
	for _, measure := range []string{"betweenness", "closeness"} {
		const searches = 2 // with a pass back from each, or folds
		done, total = 0, 0
		r.Edges = measure == "betweenness"
		s := compute(t, g, measure, r)
		if done != total || s.Reduction.Searched == 0 || total != searches*int(s.Reduction.Searched) {
			t.Errorf("%s counted to %d of %d: %+v", measure, done, total, s.Reduction)
		}
	}
}

// TestDistancesOverBlocks compares folds over blocks with those over all sources.
func TestDistancesOverBlocks(t *testing.T) {
	for i, hubs := range []int{3, 40, 200} {
		g := subdivided(t, hubs, 1+i%2, 4)
		for _, measure := range []string{"closeness", "graph", "eccentricity"} {
			for _, weighted := range []bool{false, true} {
				r := Request{Params: Params{Weighted: weighted}, Nodes: true, Reduce: ReduceOff}
				want := compute(t, g, measure, r)
				r.Reduce = "blocks"
				var first *Scores
				for _, r.Threads = range []int{1, 3} {
					got := compute(t, g, measure, r)
					same(t, measure+" of node", got.Nodes, want.Nodes)
					if got.Totals.Pairs != want.Totals.Pairs || !slices.Equal(got.Reduction.Taken, []string{"blocks"}) || got.Ties != want.Ties {
						t.Fatalf("%s: %d pairs, ties %q, %+v; want %d, %q", measure, got.Totals.Pairs, got.Ties, got.Reduction, want.Totals.Pairs, want.Ties)
					}
					if first == nil {
						first = got
					}
					if !slices.Equal(got.Nodes, first.Nodes) {
						t.Fatalf("%s: other bits on three threads", measure)
					}
				}
			}
		}
	}
	g := build(t, 9, false, path(9))
	for _, c := range []struct {
		r      Request
		taken  []string
		reason string
	}{
		{Request{Nodes: true, Edges: true}, []string{"trees"}, "graph reduced: 0 of 9 sources, 0 % of the work"},
		{Request{Nodes: true, Reduce: "trees,chains"}, []string{}, "not reduced: distances are reduced by blocks"},
		{Request{Nodes: true, Reduce: "blocks"}, []string{"blocks"}, "graph reduced: 0 of 9 sources, 0 % of the work"},
		{Request{Nodes: true}, []string{"blocks"}, "graph reduced: 0 of 9 sources, 0 % of the work"},
	} {
		if got := compute(t, g, "closeness", c.r).Reduction; got == nil || !slices.Equal(got.Taken, c.taken) || got.Reason != c.reason {
			t.Errorf("%+v: %+v, want %q, %q", c.r, got, c.taken, c.reason)
		}
	}
	mesh := build(t, 6, false, append(cycle(6), edge{0, 3, 1}, edge{1, 4, 1}, edge{2, 5, 1}))
	if got := compute(t, mesh, "closeness", Request{Edges: true}).Reduction; got == nil || got.Reason != "not reduced: edge scores need all distances" {
		t.Errorf("edges of a mesh: %+v", got)
	}
	if got := compute(t, g, "harmonic", Request{Nodes: true, Reduce: "on"}).Reduction; got != nil {
		t.Errorf("harmonic: %+v", got)
	}
}

func TestFitTurnsReductionsOff(t *testing.T) {
	m, _ := Lookup("betweenness")
	size, r := Size{Nodes: 1 << 20, Edges: 1 << 22}, Request{Nodes: true, Threads: 1}
	fitted, need := Fit(m, size, r, 1<<62)
	if fitted.Reduce != "" || need != Bytes(m, size, r) {
		t.Errorf("with much memory: reduce %q, %d bytes", fitted.Reduce, need)
	}
	fitted, less := Fit(m, size, r, need-1)
	if fitted.Reduce != ReduceOff || less >= need || less != Bytes(m, size, fitted) {
		t.Errorf("with less than %d bytes: reduce %q, %d bytes", need, fitted.Reduce, less)
	}
	r.Reduce = ReduceOn
	if fitted, same := Fit(m, size, r, need-1); fitted.Reduce != ReduceOn || same != need {
		t.Errorf("what was asked for is not done: reduce %q, %d bytes", fitted.Reduce, same)
	}
}

// TestSearchesOfAChainPlan: what is left after chains are dropped is what planning without them gives.
func TestSearchesOfAChainPlan(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	dropped := 0
	for i := range 60 {
		g := subdivided(t, 5+random.IntN(40), 1+random.IntN(3), random.IntN(6))
		r := Request{Params: Params{Weighted: i%2 == 0, Endpoints: i%3 == 0}, Nodes: true, Reduce: []string{"", "on", "trees,chains,twins", "trees,blocks", "off", "blocks,chains"}[i%6]}
		if i%10 == 9 {
			r.Sources = []int32{0}
		}
		most := random.Float64()
		chained, err := PlanChains(t.Context(), g, r, func(reduce.Info) bool { return i%4 == 0 })
		if err != nil {
			t.Fatal(err)
		}
		got, about, err := chained.Searches(t.Context(), g, r, most)
		if err != nil {
			t.Fatal(err)
		}
		want, wantAbout, err := PlanSearches(t.Context(), g, r, most)
		if err != nil {
			t.Fatal(err)
		}
		if chained.all != nil {
			dropped++
		}
		if about != nil {
			about.Seconds, wantAbout.Seconds = 0, 0
		}
		if !reflect.DeepEqual(about, wantAbout) || (got == nil) != (want == nil) || got != nil && !reflect.DeepEqual(got.Info, want.Info) {
			t.Errorf("graph %d, %+v: %+v, want %+v", i, r, about, wantAbout)
		}
		if got == nil {
			continue
		}
		union, err := got.Union()
		if err != nil {
			t.Fatal(err)
		}
		if other, err := want.Union(); err != nil || !reflect.DeepEqual(union, other) {
			t.Errorf("graph %d, %+v: another union, %v", i, r, err)
		}
	}
	if dropped == 0 {
		t.Error("no chains were dropped")
	}
}

// TestReductionsThatDoNotPay: of an R-MAT graph of scale 13 with 16 draws a node, reductions leave 58 % of the work, which
// takes longer than all of it searched plainly.
func TestReductionsThatDoNotPay(t *testing.T) {
	for _, c := range []struct {
		draws int
		taken bool
	}{{4, true}, {16, false}} {
		s, err := generate.Graph(t.Context(), generate.Spec{Kind: generate.RMAT, Scale: 13, Degree: c.draws, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := PlanBetweenness(t.Context(), s.Graph, Request{Nodes: true})
		if err != nil {
			t.Fatal(err)
		}
		if about := plan.About; (len(about.Taken) > 0) != c.taken {
			t.Errorf("%d draws a node: %s", c.draws, about.Reason)
		}
	}
}
