package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/search"
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
		r := kernels.Request{Nodes: true, Edges: true, Threads: 1 + i%4, Reduce: kernels.ReduceOff}
		if i%3 == 0 {
			r.Sources = kernels.DrawSources(n, (n+1)/2, int64(i))
		}
		for _, measure := range []string{"closeness", "harmonic", "graph", "eccentricity"} {
			f, _ := kernels.FoldOf(measure)
			single, batch := newFolded(g, true), newFolded(g, true)
			var totals, batchTotals kernels.Totals
			worked := func(all *folded, totals *kernels.Totals) folding {
				return folding{fold: folderOf(f), g: g, own: newFolded(g, true), reach: newReach(n), all: all, totals: totals}
			}
			one := func(stop *stopper.Stopper) worker {
				return &foldWorker{folding: worked(single, &totals), search: search.NewBFS(g, false, stop)}
			}
			if err := overSources(t.Context(), n, r, one); err != nil {
				t.Fatal(err)
			}
			many := r
			many.Sources = search.Nearby(g, r.Sources)
			if err := overChunks(t.Context(), n, 1+random.IntN(search.LaneCount), many, func(stop *stopper.Stopper) worker {
				return &foldBatchWorker{folding: worked(batch, &batchTotals), search: search.NewMultiBFS(g, stop)}
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
			return &summaryWorker{search: search.NewBFS(g, false, stop), all: one}
		}); err != nil {
			t.Fatal(err)
		}
		r.Sources = search.Nearby(g, r.Sources)
		if err := overChunks(t.Context(), n, search.LaneCount, r, func(stop *stopper.Stopper) worker {
			return &summaryBatchWorker{search: search.NewMultiBFS(g, stop), all: many}
		}); err != nil {
			t.Fatal(err)
		}
		if one.Totals != many.Totals || one.diameter != many.diameter || !slices.Equal(one.hops, many.hops) {
			t.Fatalf("graph %d: distances %+v in batches, %+v one by one", i, many, one)
		}
	}
}
