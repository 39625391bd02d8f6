package cpu

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// topRequests are the forms of scores that have a top.
func topRequests() map[string][]kernels.Request {
	no := false
	return map[string][]kernels.Request{
		"closeness": {
			{}, {Params: kernels.Params{Variant: kernels.WassermanFaust}}, {Params: kernels.Params{Variant: kernels.Classic}},
		},
		"harmonic": {{}, {Params: kernels.Params{Normalized: &no}}},
	}
}

// sameTop compares the highest scores with those of a run that computes all, bit by bit.
func sameTop(t *testing.T, name string, g *export.Graph, measure string, r kernels.Request, count int) {
	t.Helper()
	r.Nodes = true
	want := compute(t, g, measure, r).Nodes
	kept := KeepTop(want, count)
	r.Top = &count
	got := compute(t, g, measure, r)
	if got.Kept != kept {
		t.Fatalf("%s: top %d of %s %q keeps %d nodes, want %d", name, count, measure, r.Variant, got.Kept, kept)
	}
	for v, x := range got.Nodes {
		if math.Float64bits(x) != math.Float64bits(want[v]) && !(math.IsNaN(x) && math.IsNaN(want[v])) {
			t.Fatalf("%s: top %d of %s %q: node %d has %v, want %v", name, count, measure, r.Variant, v, x, want[v])
		}
	}
}

// TestTopIsThatOfAllScores: 2,000 random graphs, with and without direction, connected or in many components, with
// loops and parallel edges.
func TestTopIsThatOfAllScores(t *testing.T) {
	random := rand.New(rand.NewPCG(26, 4))
	for i := range 2000 {
		n := 1 + random.IntN(60)
		if i%50 == 0 {
			n = 200 + random.IntN(300)
		}
		directed := i%2 == 0
		var edges []edge
		for range random.IntN(1 + 1 + n*(1+random.IntN(4))) {
			from, to := random.Int32N(int32(n)), random.Int32N(int32(n))
			if i%3 == 0 { // a hub, and long paths
				to = from / (1 + random.Int32N(3))
			}
			edges = append(edges, edge{from, to, 1 + random.Float64()})
		}
		g := build(t, n, directed, edges)
		for measure, all := range topRequests() {
			for _, r := range all {
				r.Threads = 1 + random.IntN(4)
				r.Weighted = i%20 == 7
				sameTop(t, "random", g, measure, r, 1+random.IntN(1+n))
			}
		}
	}
}

// TestTopOfNastyGraphs: everything ties, nothing is reached, and bounds by levels meet long paths.
func TestTopOfNastyGraphs(t *testing.T) {
	graphs := map[string]*export.Graph{
		"nodes without edges": build(t, 5, false, nil),
		"one node":            build(t, 1, true, []edge{{0, 0, 1}}),
		"ring":                graphtest.Ring(t, 600, 0),
		"ring with chords":    graphtest.Ring(t, 700, 30),
		"band":                graphtest.Band(t, 500, 3),
		"stars":               graphtest.Stars(t, 700),
		"paths":               graphtest.RingOfPaths(t, 9, 40),
		"grid":                graphtest.Grid(t, 25, false),
		"subdivided":          graphtest.Subdivided(t, 6, 4, 9),
	}
	var path, cliques []edge
	for v := range int32(600) {
		path = append(path, edge{v, v + 1, 1})
		cliques = append(cliques, edge{v, v ^ 1, 1}, edge{v, v ^ 2, 1})
	}
	graphs["path along arcs"] = build(t, 601, true, path)
	graphs["path"] = build(t, 601, false, path)
	graphs["small components"] = build(t, 602, true, cliques)
	for name, g := range graphs {
		for measure, all := range topRequests() {
			for _, r := range all {
				for _, count := range []int{1, 10, g.N()} {
					sameTop(t, name, g, measure, r, count)
				}
			}
		}
	}
}

// TestTopStops: a search that is not wanted any more ends with the reason.
func TestTopStops(t *testing.T) {
	gone, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	m, _ := kernels.Lookup("harmonic")
	top := 3
	r := kernels.Request{Params: kernels.Params{Top: &top}, Nodes: true}
	run, err := Prepare(gone, m, graphtest.Grid(t, 40, false), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel(reason)
	if err := run.Search(gone, kernels.Shard{}, run.Empty()); !errors.Is(err, reason) {
		t.Errorf("a stopped search ends with %v", err)
	}
}
