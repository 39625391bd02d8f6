package worker

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// TestReducedLeadsBack reduces random graphs, sums on what is left by hand, and compares the scores that come back with
// those of the whole graph.
func TestReducedLeadsBack(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 3))
	m, _ := kernels.Lookup("betweenness")
	taken := 0
	for i := range 120 {
		var r export.Rels
		n := 2 + random.IntN(40)
		for v := 1; v < n; v++ { // a tree, some cycles, some edges twice, a loop
			r.Source, r.Target = append(r.Source, int32(random.IntN(v))), append(r.Target, int32(v))
			for random.IntN(4) == 0 {
				r.Source, r.Target = append(r.Source, int32(random.IntN(v+1))), append(r.Target, int32(v))
			}
		}
		g := graphtest.Build(t, export.Undirected, n+i%3, r)
		q := kernels.Request{Nodes: true, Edges: true, Reduce: kernels.ReduceOn,
			Params: kernels.Params{Endpoints: i%2 == 0, Normalized: new(bool)}}
		*q.Normalized = i%5 == 0
		task := ordered(t, g, protocol.Order{
			Measure: "betweenness", Params: q.Params, Nodes: true, Edges: true, Strategy: "batched", Reduce: q.Reduce,
		})
		task.nodes, task.edges = make([]float64, g.N()), make([]float64, g.M())
		w, _ := reducedTo(t, task)
		if w == nil {
			continue
		}
		taken++
		nodes, edges := oracle.Massed(w.job.Host, w.job.Masses)
		fill(w.job.Partial, w.job.Host)
		w.job.Partial.Nodes.Move(nodes)
		w.job.Partial.Edges.Move(edges)
		totals, err := w.finish(w.job.Partial)
		if err != nil {
			t.Fatal(err)
		}
		q.Reduce = kernels.ReduceOff
		want, err := cpu.Compute(t.Context(), m, g, q)
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("graph %d (n %d, m %d)", i, g.N(), g.M())
		for name, part := range map[string][2][]float64{"nodes": {task.nodes, want.Nodes},
			"edges": {task.edges, want.Edges}} {
			for k, x := range part[1] {
				if got := part[0][k]; math.Abs(got-x) > 1e-12*max(1, x) {
					t.Errorf("%s, %s: %d scores %v, want %v", at, name, k, got, x)
				}
			}
		}
		if totals.Pairs != want.Totals.Pairs || !totals.NoDistance {
			t.Errorf("%s: totals %+v, want %+v", at, totals, want.Totals)
		}
	}
	if taken < 100 {
		t.Errorf("only %d graphs were reduced", taken)
	}
}
