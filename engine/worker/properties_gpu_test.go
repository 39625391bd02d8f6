//go:build cuda || emulate

package worker

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// What holds for scores whatever they are, needs no scores of another program to compare with.

// simpleLinks draws edges between n nodes, no two between the same; about four a node, and a few nodes without.
func simpleLinks(random *rand.Rand, n int) []graphtest.Link {
	seen := map[[2]int32]bool{}
	var links []graphtest.Link
	for range 4 * n {
		l := graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: float64(1 + random.IntN(5))}
		pair := [2]int32{min(l.From, l.To), max(l.From, l.To)}
		if l.From != l.To && !seen[pair] {
			seen[pair] = true
			links = append(links, l)
		}
	}
	return links
}

// edgeNames are the ends of each edge, under names of nodes; the lower first where the graph is undirected.
func edgeNames(g *export.Graph, names []int32) [][2]int32 {
	source, target := g.Ends()
	out := make([][2]int32, g.M())
	for e := range out {
		u, v := names[source[e]], names[target[e]]
		if !g.Directed && u > v {
			u, v = v, u
		}
		out[e] = [2]int32{u, v}
	}
	return out
}

// renamed returns the scores of the edges of g, whose nodes have names in h, in the order of the edges of h.
func renamed(g, h *export.Graph, names []int32, scores []float64) []float64 {
	same := make([]int32, h.N())
	for v := range same {
		same[v] = int32(v)
	}
	at := map[[2]int32]int{}
	for e, name := range edgeNames(h, same) {
		at[name] = e
	}
	out := make([]float64, len(scores))
	for e, name := range edgeNames(g, names) {
		out[at[name]] = scores[e]
	}
	return out
}

// TestRelabellingPermutesScores renames the nodes, so that other sources share a batch, and rows and lanes are others.
func TestRelabellingPermutesScores(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(8, 11))
	for i := range devicetest.Sized(60, 4) {
		n := 66 + random.IntN(devicetest.Sized(300, 40)) // more than a batch of 64
		links, names := simpleLinks(random, n), make([]int32, n)
		for v, name := range random.Perm(n) {
			names[v] = int32(name)
		}
		others := slices.Clone(links)
		for e, l := range links {
			others[e].From, others[e].To = names[l.From], names[l.To]
		}
		random.Shuffle(len(others), func(a, b int) { others[a], others[b] = others[b], others[a] })
		for _, weighted := range []bool{false, true} {
			g, h := graphtest.Links(t, n, i%2 == 0, weighted, links), graphtest.Links(t, n, i%2 == 0, weighted, others)
			for _, m := range kernels.Measures() {
				of := m.Strategies
				if weighted {
					of = m.WeightedStrategies
				}
				if !slices.Contains(of, "batched") {
					continue
				}
				r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: m.Edge != "",
					Reduce: kernels.ReduceOff}
				at := fmt.Sprintf("graph %d, %s, weighted %t", i, m.Name, weighted)
				a, err := onDevice(t.Context(), d, g, m.Name, r, "batched", false)
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				b, err := onDevice(t.Context(), d, h, m.Name, r, "batched", false)
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				nodes := make([]float64, n)
				for v, x := range a.Nodes {
					nodes[names[v]] = x
				}
				if off, where := enginetest.Worst(nodes, b.Nodes); off > 1e-9 {
					t.Errorf("%s: nodes%s", at, where)
				}
				if !r.Edges {
					continue
				}
				if off, where := enginetest.Worst(renamed(g, h, names, a.Edges), b.Edges); off > 1e-9 {
					t.Errorf("%s: edges%s", at, where)
				}
			}
		}
	}
}

// TestScoresAddUpOverBatches searches from all nodes at once and in parts of 1, 63, 64 and of the other nodes, so that
// batches are full and not, and compares the sums; then from all of what reductions leave.
func TestScoresAddUpOverBatches(t *testing.T) {
	long(t)
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(8, 12))
	for i := range devicetest.Sized(60, 3) {
		n := 140 + random.IntN(devicetest.Sized(300, 40))
		links := simpleLinks(random, n)
		for _, weighted := range []bool{false, true} {
			g := graphtest.Links(t, n, i%3 == 2, weighted, links)
			r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true, Reduce: kernels.ReduceOff}
			run := func(strategy string, single bool, change func(r *kernels.Request)) *outcome {
				r := r
				change(&r)
				out, err := onDevice(t.Context(), d, g, "betweenness", r, strategy, single)
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			all := run("batched", false, func(*kernels.Request) {})
			order := make([]int32, 0, n)
			for _, v := range random.Perm(n) {
				order = append(order, int32(v))
			}
			nodes, edges, pairs := make([]float64, g.N()), make([]float64, g.M()), int64(0)
			for _, size := range []int{1, 63, 64, n - 128} {
				part := order[:size]
				order = order[size:]
				out := run("batched", false, func(r *kernels.Request) { r.Sources = part })
				for v, x := range out.Nodes {
					nodes[v] += x
				}
				for e, x := range out.Edges {
					edges[e] += x
				}
				pairs += out.Totals.Pairs
			}
			at := fmt.Sprintf("graph %d (n %d, m %d), weighted %t", i, n, g.M(), weighted)
			agree := func(what string, nodes, edges []float64, bound float64) {
				for part, pair := range map[string][2][]float64{"nodes": {nodes, all.Nodes}, "edges": {edges, all.Edges}} {
					if off, where := enginetest.Worst(pair[0], pair[1]); off > bound {
						t.Errorf("%s, %s: %s%s", at, what, part, where)
					}
				}
			}
			agree("in parts", nodes, edges, 1e-9)
			if pairs != all.Totals.Pairs {
				t.Errorf("%s: %d pairs in parts, %d in one", at, pairs, all.Totals.Pairs)
			}
			single := run("batched", true, func(*kernels.Request) {})
			agree("128 lanes in single precision", single.Nodes, single.Edges, 1e-5)
			if g.Directed {
				continue
			}
			for _, reduce := range []string{kernels.ReduceOn, "trees", "trees,blocks", "chains", "trees,blocks,chains"} {
				out := run("auto", false, func(r *kernels.Request) { r.Reduce = reduce })
				agree("reduced: "+reduce, out.Nodes, out.Edges, 1e-9)
			}
		}
	}
}
