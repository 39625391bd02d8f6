//go:build cuda || emulate

package cuda

import (
	"errors"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestWeightsAgainstOracle takes the graphs of oracle.Weighed: betweenness of nodes and edges agrees with exact arithmetic, to
// 1e-9 in double and to 1e-5 in single precision, and has the same bits again. What is refused is what only 128-bit integers
// hold; a weight that is lost beside a path is named.
func TestWeightsAgainstOracle(t *testing.T) {
	d, graphs := open(t), oracle.WeighedGraphs
	if emulated && testing.Short() {
		graphs = 60
	}
	outcomes := map[string]int{}
	for i := range graphs {
		kind, drawn := oracle.Weighed(i)
		var links []link
		for _, e := range drawn.Edges {
			links = append(links, link{int32(e.From), int32(e.To), e.Weight})
		}
		g := build(t, drawn.N, drawn.Directed, true, links)
		o := oracle.Of(g, true)
		for _, c := range []struct {
			strategy string
			single   bool
		}{{"batched", false}, {"batched", true}, {"auto", false}, {"auto", true}} {
			outcomes[kind+": "+onDeviceAgainstOracle(t, d, i, g, o, c.strategy, c.single)]++
			if t.Failed() {
				t.Fatalf("graph %d, %s: n %d, m %d, directed %t, by %s, single %t", i, kind, g.N(), g.M(), g.Directed, c.strategy, c.single)
			}
		}
	}
	t.Log(outcomes)
	for _, kind := range []string{"reals: right", "tied: right", "sums past 2^53: right", "24 decades apart: right", "24 decades, all digits: lost", "24 decades: refused"} {
		if outcomes[kind] == 0 {
			t.Errorf("nothing was %s", kind)
		}
	}
}

// onDeviceAgainstOracle runs graph number i, a third of them from a sample of sources, and says what came of it.
func onDeviceAgainstOracle(t *testing.T, d OpenDevice, i int, g *export.Graph, o *oracle.Oracle, strategy string, single bool) string {
	t.Helper()
	sources := allNodes(g)
	r := kernels.Request{Params: kernels.Params{Weighted: true, Endpoints: i%7 == 3}, Nodes: true, Edges: true}
	if i%3 == 2 {
		sources = kernels.DrawSources(g.N(), (g.N()+1)/2, int64(i))
		r.Sources = sources
	}
	var searched []int
	for _, s := range sources {
		searched = append(searched, int(s))
	}
	got, err := onDevice(t.Context(), d, g, "betweenness", r, strategy, single)
	var refused refusal
	switch {
	case o.Lost(searched):
		if !errors.Is(err, kernels.ErrLength) {
			t.Errorf("a weight is lost: %v", err)
		}
		return "lost"
	case errors.As(err, &refused) && refused.reason == gpu.NotOnGPU:
		if _, _, _, whole := kernels.WholeTicks(g); whole || !o.Exact() {
			t.Errorf("lengths need no 128 bits: %v", err)
		}
		return "refused"
	case err != nil:
		t.Error(err)
		return "failed"
	}
	matchesOracle(t, g, o, searched, r.Endpoints, single, got)
	again, err := onDevice(t.Context(), d, g, "betweenness", r, strategy, single)
	if err != nil || !sameBits(again, got) || again.Totals != got.Totals {
		t.Errorf("other bits the second time, %v", err)
	}
	return "right"
}

// matchesOracle compares scores, pairs and ties.
func matchesOracle(t *testing.T, g *export.Graph, o *oracle.Oracle, searched []int, endpoints, single bool, got *outcome) {
	t.Helper()
	factor, bound := 1.0, 1e-9
	if !g.Directed {
		factor = 0.5
	}
	if single {
		bound = 1e-5
	}
	nodes, edges := o.Betweenness(searched).Float64(factor)
	if endpoints {
		for v, x := range o.Ends(searched) {
			nodes[v] += x * factor
		}
	}
	for _, part := range [][2][]float64{{got.Nodes, nodes}, {got.Edges, edges}} {
		if difference, where := worst(part[0], part[1]); difference > bound {
			t.Errorf("%s (%s)", where, got.note)
		}
	}
	pairs := int64(0)
	for _, s := range searched {
		pairs += int64(len(o.From(s).Reached) - 1)
	}
	if got.Totals.Pairs != pairs || (got.Ties == "exact") != o.Exact() {
		t.Errorf("%d pairs, ties %q; want %d, exact %t (%s)", got.Totals.Pairs, got.Ties, pairs, o.Exact(), got.note)
	}
}
