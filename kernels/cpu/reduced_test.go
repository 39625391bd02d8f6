package cpu

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

func TestReductionIsReported(t *testing.T) {
	tree := build(t, 60, false, path(60))
	mixed := graphtest.Subdivided(t, 60, 2, 6)
	spokes := cycle(8)
	for v := range int32(8) {
		spokes = append(spokes, edge{v, 8, 1})
	}
	wheel := build(t, 9, false, spokes)
	weird := build(t, 3, false, []edge{{0, 1, 1e-13}, {1, 2, 1.2345678901234567e6}})
	wide := finer(t, mixed)
	for _, c := range []struct {
		name   string
		g      *export.Graph
		r      kernels.Request
		taken  []string
		reason string
	}{
		{"a path", tree, kernels.Request{}, []string{"trees"}, "graph reduced: 0 of 60 sources, 0 % of the work"},
		{"a cycle", build(t, 9, false, cycle(9)), kernels.Request{Reduce: "on"}, []string{"blocks", "chains"},
			"graph reduced: 0 of 9 sources, "},
		{"hubs", mixed, kernels.Request{Params: kernels.Params{Weighted: true}}, []string{"trees", "blocks", "chains"},
			"graph reduced: "},
		{"hubs by real weights", wide, kernels.Request{Params: kernels.Params{Weighted: true}},
			[]string{"trees", "blocks", "chains"}, "graph reduced: "},
		{"hubs, some", mixed, kernels.Request{Reduce: "trees, chains"}, []string{"trees", "chains"}, "graph reduced: "},
		{"a complete graph", build(t, 9, false, complete(9)), kernels.Request{}, []string{"twins"},
			"graph reduced: 1 of 9 sources, 0 % of the work"},
		{"a wheel", wheel, kernels.Request{}, []string{}, "not reduced: 100 % of the work would be left"},
		{"a wheel, on", wheel, kernels.Request{Reduce: "on"}, []string{}, "not reduced: 100 % of the work would be left"},
		{"directed", build(t, 60, true, path(60)), kernels.Request{Reduce: "on"}, []string{},
			"not reduced: the graph is directed"},
		{"sources", tree, kernels.Request{Reduce: "on", Sources: []int32{4}}, []string{},
			"not reduced: not all nodes are sources"},
		{"decades apart", weird, kernels.Request{Params: kernels.Params{Weighted: true}, Reduce: "on"}, []string{},
			"not reduced: the weights share no tick that 62 bits hold"},
	} {
		c.r.Nodes = true
		got := compute(t, c.g, "betweenness", c.r).Reduction
		if got == nil || !slices.Equal(got.Taken, c.taken) || !strings.HasPrefix(got.Reason, c.reason) {
			t.Errorf("%s: %+v; want %q, %q", c.name, got, c.taken, c.reason)
		}
	}
	if got := compute(t, tree, "betweenness", kernels.Request{Nodes: true, Reduce: "off"}).Reduction; got != nil {
		t.Errorf("off: %+v", got)
	}
	for _, text := range []string{"yes", "trees,", "trees,leaves", "twins", "auto,on"} {
		if m, _ := kernels.Lookup("betweenness"); m.Check(kernels.Request{Nodes: true, Reduce: text}) == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// finer returns a graph with a thousand times the weights of g, some a last bit more, so that 62 bits do not hold
// paths.
func finer(t *testing.T, g *export.Graph) *export.Graph {
	t.Helper()
	out := &export.Graph{Offsets: g.Offsets, Targets: g.Targets, Edges: g.Edges, EdgeCount: g.EdgeCount}
	for i, w := range g.Weights {
		w *= 1000
		if g.Edge(int64(i))%3 == 0 {
			w = math.Nextafter(w, math.Inf(1))
		}
		out.Weights = append(out.Weights, w)
	}
	if l, err := lengths.New(t.Context(), out, true, 0); err != nil {
		t.Fatal(err)
	} else if _, ok := l.(*lengths.WideTicks); !ok {
		t.Fatalf("lengths are %T", l)
	}
	return out
}

// TestReductionsGiveTheSameScores compares lists of reductions, numbers of threads, and options.
func TestReductionsGiveTheSameScores(t *testing.T) {
	yes := true
	for i, hubs := range []int{5, 40, 250} {
		g := graphtest.Subdivided(t, hubs, 1+i, 5)
		if i == 1 {
			g = finer(t, g)
		}
		params := []kernels.Params{{}, {Weighted: true}, {Endpoints: true, Weighted: true}, {Normalized: &yes},
			{Normalized: &yes, Endpoints: true}}
		if hubs > 100 {
			params = params[:2] // what comes of factors and ends is the same for any size
		}
		for _, p := range params {
			r := kernels.Request{Params: p, Nodes: true, Edges: true, Reduce: kernels.ReduceOff, Scale: 3}
			want := compute(t, g, "betweenness", r)
			for _, r.Reduce = range []string{"", "on", "trees", "blocks", "chains", "trees,chains",
				"blocks,chains,twins", "chains,twins"} {
				var first *kernels.Scores
				for _, r.Threads = range []int{1, 3} {
					got := compute(t, g, "betweenness", r)
					same(t, r.Reduce+": node", got.Nodes, want.Nodes)
					same(t, r.Reduce+": edge", got.Edges, want.Edges)
					if got.Totals.Pairs != want.Totals.Pairs || len(got.Reduction.Taken) == 0 || got.Ties != want.Ties {
						t.Fatalf("%s: %d pairs, ties %q, %+v; want %d, %q", r.Reduce, got.Totals.Pairs, got.Ties, got.Reduction,
							want.Totals.Pairs, want.Ties)
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
	large, ended := graphtest.Subdivided(t, 20_000, 2, 4), errors.New("enough")
	var r kernels.Request
	for _, measure := range []string{"betweenness", "closeness"} {
		m, _ := kernels.Lookup(measure)
		ctx, cancel := context.WithCancelCause(context.Background())
		done, all := 0, 0
		r = kernels.Request{Nodes: true, Edges: measure == "betweenness", Reduce: kernels.ReduceOn,
			Progress: func(now, total int) {
				done, all = now, total
				cancel(ended)
			}}
		_, err := Compute(ctx, m, large, r)
		if !errors.Is(err, ended) || done > all/2 {
			t.Errorf("%s cancelled: %v after %d of %d", measure, err, done, all)
		}
	}
	r = kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOn}
	var done, total int
	r.Progress = func(d, n int) {
		if d <= done || total != 0 && n != total {
			t.Fatalf("%d of %d after %d of %d", d, n, done, total)
		}
		done, total = d, n
	}
	g := graphtest.Subdivided(t, 300, 2, 4)
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
		g := graphtest.Subdivided(t, hubs, 1+i%2, 4)
		for _, measure := range []string{"closeness", "graph", "eccentricity"} {
			for _, weighted := range []bool{false, true} {
				r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Reduce: kernels.ReduceOff}
				want := compute(t, g, measure, r)
				r.Reduce = "blocks"
				var first *kernels.Scores
				for _, r.Threads = range []int{1, 3} {
					got := compute(t, g, measure, r)
					same(t, measure+" of node", got.Nodes, want.Nodes)
					if got.Totals.Pairs != want.Totals.Pairs || !slices.Equal(got.Reduction.Taken, []string{"blocks"}) ||
						got.Ties != want.Ties {
						t.Fatalf("%s: %d pairs, ties %q, %+v; want %d, %q", measure, got.Totals.Pairs, got.Ties, got.Reduction,
							want.Totals.Pairs, want.Ties)
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
		r      kernels.Request
		taken  []string
		reason string
	}{
		{kernels.Request{Nodes: true, Edges: true}, []string{"trees"}, "graph reduced: 0 of 9 sources, 0 % of the work"},
		{kernels.Request{Nodes: true, Reduce: "trees,chains"}, []string{}, "not reduced: distances are reduced by blocks"},
		{kernels.Request{Nodes: true, Reduce: "blocks"}, []string{"blocks"},
			"graph reduced: 0 of 9 sources, 0 % of the work"},
		{kernels.Request{Nodes: true}, []string{"blocks"}, "graph reduced: 0 of 9 sources, 0 % of the work"},
	} {
		if got := compute(t, g, "closeness", c.r).Reduction; got == nil || !slices.Equal(got.Taken, c.taken) ||
			got.Reason != c.reason {
			t.Errorf("%+v: %+v, want %q, %q", c.r, got, c.taken, c.reason)
		}
	}
	mesh := build(t, 6, false, append(cycle(6), edge{0, 3, 1}, edge{1, 4, 1}, edge{2, 5, 1}))
	if got := compute(t, mesh, "closeness", kernels.Request{Edges: true}).Reduction; got == nil ||
		got.Reason != "not reduced: edge scores need all distances" {
		t.Errorf("edges of a mesh: %+v", got)
	}
	if got := compute(t, g, "harmonic", kernels.Request{Nodes: true, Reduce: "on"}).Reduction; got != nil {
		t.Errorf("harmonic: %+v", got)
	}
}

func TestFitTurnsReductionsOff(t *testing.T) {
	m, _ := kernels.Lookup("betweenness")
	size, r := kernels.Size{Nodes: 1 << 20, Edges: 1 << 22}, kernels.Request{Nodes: true, Threads: 1}
	fitted, need := Fit(m, size, r, 1<<62)
	if fitted.Reduce != "" || need != Bytes(m, size, r) {
		t.Errorf("with much memory: reduce %q, %d bytes", fitted.Reduce, need)
	}
	fitted, less := Fit(m, size, r, need-1)
	if fitted.Reduce != kernels.ReduceOff || less >= need || less != Bytes(m, size, fitted) {
		t.Errorf("with less than %d bytes: reduce %q, %d bytes", need, fitted.Reduce, less)
	}
	r.Reduce = kernels.ReduceOn
	if fitted, same := Fit(m, size, r, need-1); fitted.Reduce != kernels.ReduceOn || same != need {
		t.Errorf("what was asked for is not done: reduce %q, %d bytes", fitted.Reduce, same)
	}
}
