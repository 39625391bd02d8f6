package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
)

// inRanges returns a request for each of some ranges. They share a pass.
func inRanges(r kernels.Request, ranges []float64) []kernels.Request {
	all := &kernels.Shared{}
	out := make([]kernels.Request, len(ranges))
	for i, within := range ranges {
		pairs := kernels.Pairs{}
		if r.Pairs != nil {
			pairs = *r.Pairs
		}
		pairs.Within = within
		out[i] = r
		out[i].Pairs = &pairs
		all.Requests = append(all.Requests, out[i])
	}
	for i := range out {
		out[i].Shared, out[i].Place = all, i
	}
	return out
}

// sameAlone compares the scores of ranges that share a pass with those of each alone, bit by bit.
func sameAlone(t *testing.T, g *export.Graph, measure string, r kernels.Request, ranges []float64) {
	t.Helper()
	for _, shared := range inRanges(r, ranges) {
		alone := shared
		alone.Shared = nil
		want, got := compute(t, g, measure, alone), compute(t, g, measure, shared)
		if !sameScores(got.Nodes, want.Nodes) || !sameScores(got.Edges, want.Edges) || got.Totals != want.Totals ||
			got.Ties != want.Ties {
			t.Fatalf("%s within %v of %v has other bits than alone", measure, shared.Pairs.Within, ranges)
		}
	}
}

// sameScores compares bits; null is null.
func sameScores(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
}

// TestRangesAgainstOracle: ranges that share a pass have the scores of brute force, and the bits that each has alone.
func TestRangesAgainstOracle(t *testing.T) {
	const graphs, groups = 600, 6
	for k := range groups {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			for i := k; i < graphs; i += groups {
				rangesAgainstOracle(t, i)
			}
		})
	}
}

func rangesAgainstOracle(t *testing.T, i int) {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(i), 48))
	n := 2 + random.IntN(15)
	directed, weighted := random.IntN(2) == 0, random.IntN(2) == 0
	g := graphtest.Random(t, random, n, directed, random.IntN(3) == 0, weighted)
	c := drawnPairs(random, n, weighted)
	if c.onlyPair() {
		return
	}
	ranges := []float64{3, 1, 2, 9}[:2+random.IntN(3)]
	if weighted {
		for k := range ranges {
			ranges[k] = float64(k*7+1+random.IntN(7)) / 10
		}
	}
	o := oracle.Of(g, weighted)
	for _, r := range inRanges(c.request, ranges) {
		choice := c.oracle
		choice.Within = r.Pairs.Within
		want, factor := o.Choose(choice), c.halving(g)
		got := compute(t, g, "betweenness", r)
		same(t, "betweenness of node", got.Nodes, times(want.Nodes, factor))
		same(t, "betweenness of edge", got.Edges, times(want.Edges, factor))
	}
	for _, measure := range []string{"betweenness", "stress", "closeness", "harmonic"} {
		r := c.request
		if d := r.Pairs.Demand; d != nil && measure[0] != 'b' && measure[0] != 's' {
			r.Edges = d.Trips == nil && d.Targets == nil
		}
		sameAlone(t, g, measure, r, ranges)
	}
}

// TestRangesOfWeights: weights of all kinds, on several threads.
func TestRangesOfWeights(t *testing.T) {
	for i := range oracle.WeighedGraphs {
		kind, drawn := oracle.Weighed(i)
		edges := make([]edge, len(drawn.Edges))
		longest := 0.0
		for k, e := range drawn.Edges {
			edges[k] = edge{int32(e.From), int32(e.To), e.Weight}
			longest = max(longest, e.Weight)
		}
		g := build(t, drawn.N, drawn.Directed, edges)
		if len(edges) == 0 || oracle.Of(g, true).Lost(ints(allNodes(g))) {
			continue
		}
		r := kernels.Request{Params: kernels.Params{Weighted: true, Endpoints: true}, Nodes: true, Edges: true,
			Threads: 1 + i%3}
		ranges := []float64{longest / 2, longest, 2 * longest}
		if sameAlone(t, g, "betweenness", r, ranges); longest > 1e-300 { // or else inverses overflow
			r.Endpoints = false
			sameAlone(t, g, "harmonic", r, ranges)
		}
		if t.Failed() {
			t.Fatalf("graph %d, %s", i, kind)
		}
	}
}

// TestRangesOfManyPaths: counts of paths that fit no float64, or not exactly, and next to them counts of 1.
func TestRangesOfManyPaths(t *testing.T) {
	for _, diamonds := range []int32{60, 1300} {
		for _, weighted := range []bool{false, true} {
			var edges []edge
			for k := range diamonds { // 3k to 3k+3, by 3k+1 or 3k+2
				edges = append(edges, edge{3 * k, 3*k + 1, 1}, edge{3 * k, 3*k + 2, 1}, edge{3*k + 1, 3*k + 3, 1},
					edge{3*k + 2, 3*k + 3, 1})
			}
			first := 3*diamonds + 1
			edges = append(edges, edge{0, first, 1})
			for k := range 2*diamonds - 1 { // a path of the same length
				edges = append(edges, edge{first + k, first + k + 1, 1})
			}
			g := build(t, int(first+2*diamonds), true, edges)
			far := float64(2 * diamonds)
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true, Sources: []int32{0, 3, 9}}
			for _, measure := range []string{"betweenness", "stress", "closeness"} {
				r.Log = measure == "stress"
				sameAlone(t, g, measure, r, []float64{5, far / 2, far - 1, far})
			}
		}
	}
}
