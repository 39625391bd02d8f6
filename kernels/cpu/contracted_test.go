package cpu

import (
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestDistancesOverChains compares folds over chains with those over all sources, for nodes, for edges, and for both.
func TestDistancesOverChains(t *testing.T) {
	for i, hubs := range []int{3, 40, 100} {
		g := graphtest.Subdivided(t, hubs, 1+i%2, 12)
		for _, measure := range []string{"closeness", "graph", "eccentricity"} {
			for k := range 5 {
				weighted := k%2 > 0
				r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: k < 4, Edges: k > 1,
					Reduce: kernels.ReduceOff}
				want := compute(t, g, measure, r)
				var first *kernels.Scores
				for _, r.Reduce = range []string{"trees,chains", kernels.ReduceOn, ""} {
					r.Threads = 1 + len(r.Reduce)
					got := compute(t, g, measure, r)
					same(t, measure+" of node", got.Nodes, want.Nodes)
					same(t, measure+" of edge", got.Edges, want.Edges)
					distance := got.Totals.Distance - want.Totals.Distance
					if got.Totals.Pairs != want.Totals.Pairs || distance > 1e-12*want.Totals.Distance && !got.Totals.NoDistance ||
						got.Ties != want.Ties || hubs > 3 && !slices.Equal(got.Reduction.Taken, []string{"trees", "chains"}) {
						t.Fatalf("%s of %d hubs: %+v, ties %q, %+v; want %+v, %q", measure, hubs, got.Totals, got.Ties, got.Reduction,
							want.Totals, want.Ties)
					}
					if first == nil {
						first = got
					}
					if hubs > 3 && (!slices.Equal(got.Nodes, first.Nodes) || !slices.Equal(got.Edges, first.Edges)) {
						t.Fatalf("%s: other bits on three threads", measure)
					}
				}
			}
		}
	}
}

// TestDistancesNotOverChains: where blocks leave less, lengths or lists do not let it, or nothing is a chain.
func TestDistancesNotOverChains(t *testing.T) {
	var triangles []edge // each of which shares a node with the next
	for v := range int32(100) {
		triangles = append(triangles, edge{2 * v, 2*v + 1, 1}, edge{2*v + 1, 2*v + 2, 1}, edge{2 * v, 2*v + 2, 2})
	}
	long := graphtest.Subdivided(t, 40, 1, 12)
	weights := slices.Clone(long.Weights)
	for i := range weights {
		weights[i] *= 1e8
	}
	for _, c := range []struct {
		name   string
		reduce string
		taken  string // the first reduction
		want   string
		long   bool
	}{
		{"triangles", "", "blocks", "graph reduced: ", false},
		{"triangles, asked for", "trees,chains", "chains", "graph reduced: ", false},
		{"long lengths", "", "blocks", "graph reduced: ", true},
		{"long lengths, asked for", "trees,chains", "", "not reduced: distances are reduced by blocks", true},
	} {
		g := build(t, 201, false, triangles)
		if c.long {
			g = long
			for a := range g.Weights { // ticks of 1, and of much more
				g.Weights[a] = weights[a] + 1
			}
		}
		got := compute(t, g, "closeness",
			kernels.Request{Nodes: true, Params: kernels.Params{Weighted: true}, Reduce: c.reduce})
		taken := append(got.Reduction.Taken, "")
		if taken[0] != c.taken || !strings.HasPrefix(got.Reduction.Reason, c.want) {
			t.Errorf("%s: %+v", c.name, got.Reduction)
		}
		same(t, c.name, got.Nodes, compute(t, g, "closeness",
			kernels.Request{Nodes: true, Params: kernels.Params{Weighted: true}, Reduce: kernels.ReduceOff}).Nodes)
	}
}
