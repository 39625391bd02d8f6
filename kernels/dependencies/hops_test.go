package dependencies

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// TestHopsAgainstFinder: from each source of graphs with parallel edges, self-loops and several components, both have
// the same dependencies, nodes and distances.
func TestHopsAgainstFinder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	graphs := []*export.Graph{graphtest.Grid(t, 9, false), graphtest.Ring(t, 30, 5), graphtest.Stars(t, 40)}
	for range 200 {
		n := 1 + random.IntN(30)
		links := make([]graphtest.Link, random.IntN(3*n))
		for i := range links {
			links[i] = graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: 1}
		}
		graphs = append(graphs, graphtest.Links(t, n, false, true, links))
	}
	stop := stopper.New(t.Context())
	defer stop.Release()
	for i, g := range graphs {
		b := search.NewBFS(g, true, stop)
		finder, hops := NewFinder(g, b, stop), NewHops(g, stop)
		for s := range int32(g.N()) {
			want, got := make([]float64, g.N()), make([]float64, g.N())
			p, err := finder.From(s, want, nil)
			if err != nil {
				t.Fatal(err)
			}
			reached, distance, err := hops.From(s, got)
			sum := 0.0
			for _, v := range p.Order {
				sum += b.Distance(v)
			}
			if err != nil || len(reached) != len(p.Order) || reached[0] != s || distance != sum {
				t.Fatalf("graph %d, source %d: %d nodes at %v, not %d at %v; %v", i, s, len(reached), distance, len(p.Order), sum,
					err)
			}
			for v := range want {
				if math.Abs(got[v]-want[v]) > 1e-12*(1+want[v]) {
					t.Fatalf("graph %d, source %d, node %d: %v, not %v", i, s, v, got[v], want[v])
				}
			}
		}
	}
}

// TestHopsLeavesGreatCounts: where paths are too many, nothing is added, and the next source is as right as before. A
// search that is stopped says so.
func TestHopsLeavesGreatCounts(t *testing.T) {
	const steps = 1000
	var links []graphtest.Link
	for v := range int32(steps) {
		links = append(links, graphtest.Link{From: v, To: v + 1}, graphtest.Link{From: v, To: v + 1})
	}
	g := graphtest.Links(t, steps+1, false, false, links)
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := stopper.New(ctx)
	hops, into := NewHops(g, stop), make([]float64, g.N())
	if reached, _, err := hops.From(0, into); reached != nil || err != nil {
		t.Fatalf("2^%d paths: %d nodes, %v", steps, len(reached), err)
	}
	for v, x := range into {
		if x != 0 {
			t.Fatalf("node %d has %v", v, x)
		}
	}
	if reached, _, err := hops.From(steps/2, into); len(reached) != g.N() || err != nil || into[1] != 1 {
		t.Errorf("from the middle: %d nodes, %v, %v", len(reached), into[1], err)
	}
	why := errors.New("enough")
	cancel(why)
	for !stop.Stopped() {
	}
	if _, _, err := hops.From(0, into); !errors.Is(err, why) {
		t.Errorf("stopped: %v", err)
	}
}
