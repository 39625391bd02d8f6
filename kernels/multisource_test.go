package kernels

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// TestBatchesOfSources: scores and summaries of distances are the same whether sources are searched from in batches or one by one.
func TestBatchesOfSources(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 60 {
		n := 1 + random.IntN(700)
		var edges []edge
		for range random.IntN(4*n + 1) {
			edges = append(edges, edge{int32(random.IntN(n)), int32(random.IntN(n)), 1})
		}
		if i%5 == 0 { // far apart
			edges = append(path(n), edges[:len(edges)/40]...)
		}
		g := build(t, n, i%2 == 0, edges)
		r := Request{Nodes: true, Edges: true, Threads: 1 + i%4, Reduce: ReduceOff}
		if i%3 == 0 {
			r.Sources = DrawSources(n, (n+1)/2, int64(i))
		}
		for _, measure := range []string{"closeness", "harmonic", "graph", "eccentricity"} {
			f, _ := FoldOf(measure)
			single, batch := newFolded(g, true), newFolded(g, true)
			var totals, batchTotals Totals
			worked := func(all *folded, totals *Totals) folding {
				return folding{fold: folderOf(f), g: g, own: newFolded(g, true), reach: newReach(n), all: all, totals: totals}
			}
			one := func(stop *stopper.Stopper) worker {
				return &foldWorker{folding: worked(single, &totals), search: newBFS(g, false, stop)}
			}
			if err := overSources(t.Context(), n, r, one); err != nil {
				t.Fatal(err)
			}
			many := r
			many.Sources = nearbySources(g, r.Sources)
			if err := overChunks(t.Context(), n, 1+random.IntN(laneCount), many, func(stop *stopper.Stopper) worker {
				return &foldBatchWorker{folding: worked(batch, &batchTotals), search: newMultiBFS(g, stop)}
			}); err != nil {
				t.Fatal(err)
			}
			for _, part := range [][2][]float64{{batch.nodes, single.nodes}, {batch.nodeCount, single.nodeCount}, {batch.edges, single.edges}, {batch.edgeCount, single.edgeCount}} {
				for k := range part[0] {
					if !within(part[0][k], part[1][k], 1e-12) {
						t.Fatalf("graph %d, %s: %g at %d in batches, %g one by one", i, measure, part[0][k], k, part[1][k])
					}
				}
			}
			if batchTotals != totals {
				t.Fatalf("graph %d, %s: totals %+v in batches, %+v one by one", i, measure, batchTotals, totals)
			}
		}
		one, many := &distanceSum{}, &distanceSum{}
		if err := overSources(t.Context(), n, r, func(stop *stopper.Stopper) worker {
			return &summaryWorker{search: newBFS(g, false, stop), all: one}
		}); err != nil {
			t.Fatal(err)
		}
		r.Sources = nearbySources(g, r.Sources)
		if err := overChunks(t.Context(), n, laneCount, r, func(stop *stopper.Stopper) worker {
			return &summaryBatchWorker{search: newMultiBFS(g, stop), all: many}
		}); err != nil {
			t.Fatal(err)
		}
		if one.Totals != many.Totals || one.diameter != many.diameter || !slices.Equal(one.hops, many.hops) {
			t.Fatalf("graph %d: distances %+v in batches, %+v one by one", i, many, one)
		}
	}
}

// TestNearbySources: every source comes once, and those of a batch are near one another.
func TestNearbySources(t *testing.T) {
	const side = 64
	g := build(t, side*side+10, false, grid(side))
	all := nearbySources(g, nil)
	if sorted := slices.Sorted(slices.Values(all)); len(sorted) != g.N() || sorted[0] != 0 || len(slices.Compact(sorted)) != g.N() {
		t.Fatalf("%d of %d nodes", len(sorted), g.N())
	}
	chosen := DrawSources(g.N(), 500, 1)
	if some := slices.Sorted(slices.Values(nearbySources(g, chosen))); !slices.Equal(some, chosen) {
		t.Errorf("%d of %d sources", len(some), len(chosen))
	}
	spread, err := spreadOf(t.Context(), g, all, laneCount)
	if err != nil || spread > 80 {
		t.Errorf("spread %d, %v; want 80 at the most of %d", spread, err, 2*2*side)
	}
}

// TestStoppedBatch: a search in batches that is stopped says so, and the next one begins anew.
func TestStoppedBatch(t *testing.T) {
	g := build(t, 4000, false, path(4000))
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := stopper.New(ctx)
	defer stop.Release()
	m := newMultiBFS(g, stop)
	why := errors.New("enough")
	err := m.from([]int32{0, 7, 8}, func(depth int32) {
		if depth == 100 {
			cancel(why)
			for !stop.Stopped() {
			}
		}
	})
	if !errors.Is(err, why) {
		t.Fatalf("%v", err)
	}
	m.stop = stopper.New(t.Context())
	defer m.stop.Release()
	found := 0
	if err := m.from([]int32{3, 4}, func(int32) {
		for _, v := range m.level {
			found += m.fresh[v].count()
		}
	}); err != nil || found != 2*3999 || len(m.reached) != 4000 {
		t.Errorf("%d pairs, %d nodes, %v", found, len(m.reached), err)
	}
}
