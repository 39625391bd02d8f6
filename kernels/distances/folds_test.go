package distances

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// TestFoldsInBatches: scores are the same whether sources are searched from in batches or one by one.
func TestFoldsInBatches(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 60 {
		g := drawn(t, random, i)
		n := g.N()
		r := kernels.Request{Nodes: true, Edges: true, Threads: 1 + i%4, Reduce: kernels.ReduceOff}
		if i%3 == 0 {
			r.Sources = kernels.DrawSources(n, (n+1)/2, int64(i))
		}
		for _, measure := range []string{"closeness", "harmonic", "graph", "eccentricity"} {
			m, _ := kernels.Lookup(measure)
			single := kernels.NewPartial(m, n, g.M(), r, kernels.BoundsOf(g, r, 0))
			batch := single.Empty()
			newSingle := Folders(m, g, r, single)
			one := func(stop *stopper.Stopper) workers.Worker { return newSingle(search.NewBFS(g, false, stop)) }
			if err := workers.Over(t.Context(), n, r, one); err != nil {
				t.Fatal(err)
			}
			many, foldings := r, newFoldings(m, g, r, batch)
			many.Sources = search.Nearby(g, r.Sources)
			if err := workers.OverChunks(t.Context(), n, 1+random.IntN(search.LaneCount), many,
				func(stop *stopper.Stopper) workers.Worker {
					return &foldBatchWorker{folding: foldings.next(), search: search.NewMultiBFS(g, stop)}
				}); err != nil {
				t.Fatal(err)
			}
			folds, alone := batch.Folds(), single.Folds()
			for _, part := range [][2][]float64{
				{folds.Nodes, alone.Nodes}, {folds.NodeCounts, alone.NodeCounts}, {folds.Edges, alone.Edges},
				{folds.EdgeCounts, alone.EdgeCounts},
			} {
				for k := range part[0] {
					if !within(part[0][k], part[1][k], 1e-12) {
						t.Fatalf("graph %d, %s: %g at %d in batches, %g one by one", i, measure, part[0][k], k, part[1][k])
					}
				}
			}
			if f, _ := kernels.FoldOf(measure); f == kernels.FoldInverse && !slices.Equal(folds.Nodes, alone.Nodes) {
				t.Fatalf("graph %d, %s: other bits in batches", i, measure)
			}
			if batch.Totals != single.Totals {
				t.Fatalf("graph %d, %s: totals %+v in batches, %+v one by one", i, measure, batch.Totals, single.Totals)
			}
		}
	}
}
