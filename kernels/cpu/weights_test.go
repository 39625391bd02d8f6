package cpu

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// TestWeightsAgainstOracle takes the graphs of oracle.Weighed: scores of nodes and edges agree with exact arithmetic to
// 1e-9, and those of betweenness have the same bits again; or else the weight that is lost beside a path is named.
func TestWeightsAgainstOracle(t *testing.T) {
	const groups = 10
	var lost, tolerant atomic.Int64
	t.Run("graphs", func(t *testing.T) {
		for k := range groups {
			t.Run(fmt.Sprint(k), func(t *testing.T) {
				t.Parallel()
				for i := k; i < oracle.WeighedGraphs; i += groups {
					kind, drawn := oracle.Weighed(i)
					var edges []edge
					for _, e := range drawn.Edges {
						edges = append(edges, edge{int32(e.From), int32(e.To), e.Weight})
					}
					g := build(t, drawn.N, drawn.Directed, edges)
					o := oracle.Of(g, true)
					if !o.Exact() {
						tolerant.Add(1)
					}
					if weightsAgainstOracle(t, i, kind, g, o); o.Lost(ints(allNodes(g))) {
						lost.Add(1)
					}
					if t.Failed() {
						t.Fatalf("graph %d, %s: n %d, m %d, directed %t", i, kind, g.N(), g.M(), g.Directed)
					}
				}
			})
		}
	})
	if t.Logf("%d graphs with ties within the tolerance, %d with lost weights", tolerant.Load(),
		lost.Load()); lost.Load() == 0 || tolerant.Load() < 2*lost.Load() {
		t.Error("the graphs are no test of that")
	}
}

// weightsAgainstOracle takes a third of the graphs from a sample of sources.
func weightsAgainstOracle(t *testing.T, i int, kind string, g *export.Graph, o *oracle.Oracle) {
	t.Helper()
	sources := allNodes(g)
	r := kernels.Request{Params: kernels.Params{Weighted: true}, Nodes: true, Edges: true, Reduce: kernels.ReduceOff}
	if i%3 == 2 {
		sources = kernels.DrawSources(g.N(), (g.N()+1)/2, int64(i))
		r.Sources = sources
	}
	if o.Lost(ints(sources)) {
		m, _ := kernels.Lookup("betweenness")
		for _, r.Reduce = range []string{kernels.ReduceOff, kernels.ReduceOn} {
			if _, err := Compute(t.Context(), m, g, r); !errors.Is(err, lengths.ErrLength) {
				t.Errorf("reduce %s: a weight is lost: %v", r.Reduce, err)
			}
		}
		return
	}
	betweennessAgainstOracle(t, g, o, r, ints(sources))
	stressAgainstOracle(t, g, o, r, ints(sources))
	if kind != "denormal" { // of which inverses overflow; see TestOverflowIsAnError
		distancesAgainstOracle(t, g, o, r, ints(sources))
	}
	var first *kernels.Scores
	for _, r.Threads = range []int{1, 3} {
		got := compute(t, g, "betweenness", r)
		if first == nil {
			first = got
		}
		if !slices.Equal(got.Nodes, first.Nodes) || !slices.Equal(got.Edges, first.Edges) {
			t.Error("other bits the second time")
		}
	}
}
