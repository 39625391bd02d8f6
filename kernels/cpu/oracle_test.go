package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Every measure against internal/oracle, to 1e-9 relative.

const agreement = 1e-9

func ints(sources []int32) []int {
	out := make([]int, len(sources))
	for i, s := range sources {
		out[i] = int(s)
	}
	return out
}

func allNodes(g *export.Graph) []int32 { return kernels.DrawSources(g.N(), g.N(), 0) }

func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d scores, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !within(got[i], want[i], agreement) {
			t.Fatalf("%s %d: %v, want %v", what, i, got[i], want[i])
		}
	}
}

// halving is what an undirected sum over ordered pairs is multiplied by.
func halving(g *export.Graph) float64 {
	if g.Directed {
		return 1
	}
	return 0.5
}

func againstOracle(t *testing.T, g *export.Graph, weighted bool, sources []int32) {
	t.Helper()
	o := oracle.Of(g, weighted)
	searched := sources
	if searched == nil {
		searched = allNodes(g)
	}
	r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true, Sources: sources}
	betweennessAgainstOracle(t, g, o, r, ints(searched))
	stressAgainstOracle(t, g, o, r, ints(searched))
	distancesAgainstOracle(t, g, o, r, ints(searched))
}

// betweennessAgainstOracle compares searches of the graph as it is, and of what reductions leave of it.
func betweennessAgainstOracle(t *testing.T, g *export.Graph, o *oracle.Oracle, r kernels.Request, searched []int) {
	t.Helper()
	sums, ends := o.Betweenness(searched), o.Ends(searched)
	for _, r.Reduce = range []string{kernels.ReduceOff, kernels.ReduceOn} {
		betweennessOfSums(t, g, r, sums, ends, o.Exact())
	}
}

func betweennessOfSums(t *testing.T, g *export.Graph, r kernels.Request, sums oracle.Sums, ends []float64, exact bool) {
	t.Helper()
	nodes, edges := sums.Float64(halving(g))
	got := compute(t, g, "betweenness", r)
	same(t, "betweenness of node", got.Nodes, nodes)
	same(t, "betweenness of edge", got.Edges, edges)
	if want := map[bool]string{true: "exact", false: "tolerance"}[exact]; r.Weighted && got.Ties != want {
		t.Fatalf("ties %q, want %q", got.Ties, want)
	}
	yes, n := true, float64(g.N())
	r.Normalized = &yes
	got = compute(t, g, "betweenness", r)
	whole, _ := sums.Float64(1)
	for v := range whole {
		whole[v] = ratio(whole[v], (n-1)*(n-2))
		if whole[v] != got.Nodes[v] && !within(got.Nodes[v], whole[v], agreement) {
			t.Fatalf("normalized betweenness of node %d: %v, want %v", v, got.Nodes[v], whole[v])
		}
	}
	r.Normalized, r.Endpoints = nil, true
	for v, x := range ends {
		nodes[v] += x * halving(g)
	}
	same(t, "betweenness with endpoints of node", compute(t, g, "betweenness", r).Nodes, nodes)
}

func stressAgainstOracle(t *testing.T, g *export.Graph, o *oracle.Oracle, r kernels.Request, searched []int) {
	t.Helper()
	sums := o.Stress(searched)
	nodes, edges := sums.Float64(halving(g))
	got := compute(t, g, "stress", r)
	same(t, "stress of node", got.Nodes, nodes)
	same(t, "stress of edge", got.Edges, edges)
	r.Log = true
	got = compute(t, g, "stress", r)
	for v, x := range nodes {
		if null := math.IsNaN(got.Nodes[v]); null != (x == 0) || !null && math.Abs(got.Nodes[v]-math.Log2(x)) > 1e-9 {
			t.Fatalf("log stress of node %d: %v, want the logarithm of %v", v, got.Nodes[v], x)
		}
	}
}

func greatest(x []float64) (most float64) {
	for _, x := range x {
		most = max(most, x)
	}
	return most
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// distancesAgainstOracle compares the closeness family by the formulas of its definitions.
func distancesAgainstOracle(t *testing.T, g *export.Graph, o *oracle.Oracle, r kernels.Request, searched []int) {
	t.Helper()
	nodes, edges := summaries(o.Reach(searched))
	source, target := g.Ends()
	no := false
	n := float64(g.N())
	for _, c := range []struct {
		measure string
		params  kernels.Params
		score   func(d summary, others float64) float64
	}{
		{"closeness", kernels.Params{}, func(d summary, _ float64) float64 { return ratio(d.count, d.sum) }},
		{"closeness", kernels.Params{Variant: kernels.WassermanFaust}, func(d summary, others float64) float64 {
			return ratio(d.count, d.sum) * ratio(d.count, others)
		}},
		{"closeness", kernels.Params{Variant: kernels.Classic},
			func(d summary, _ float64) float64 { return ratio(1, d.sum) }},
		{"harmonic", kernels.Params{}, func(d summary, others float64) float64 { return ratio(d.inverse, others) }},
		{"harmonic", kernels.Params{Normalized: &no}, func(d summary, _ float64) float64 { return d.inverse }},
		{"eccentricity", kernels.Params{}, func(d summary, _ float64) float64 { return d.greatest }},
		{"graph", kernels.Params{}, func(d summary, _ float64) float64 { return ratio(1, d.greatest) }},
	} {
		c.params.Weighted = r.Weighted
		r.Params = c.params
		got := compute(t, g, c.measure, r)
		wantNodes, wantEdges := make([]float64, g.N()), make([]float64, g.M())
		for v := range wantNodes {
			wantNodes[v] = c.score(nodes[v], n-1)
		}
		for e := range wantEdges {
			wantEdges[e] = c.score(edges[e], n-2)
			if source[e] == target[e] {
				wantEdges[e] = wantNodes[source[e]]
			}
		}
		what := fmt.Sprintf("%s %+v", c.measure, c.params)
		same(t, what+" of node", got.Nodes, wantNodes)
		same(t, what+" of edge", got.Edges, wantEdges)
		reduced := r // nodes alone can be reduced
		reduced.Edges, reduced.Reduce = false, kernels.ReduceOn
		same(t, what+" of node, over blocks", compute(t, g, c.measure, reduced).Nodes, wantNodes)
	}
}

// summary is of the distances from all sources that reach a node or an edge: how many there are, the sum of them and
// that of their inverses, and the greatest.
type summary struct{ count, sum, inverse, greatest float64 }

func summaries(nodes, edges [][]float64) (ofNodes, ofEdges []summary) {
	return summariesOf(nodes), summariesOf(edges)
}

func summariesOf(distances [][]float64) []summary {
	out := make([]summary, len(distances))
	for i, d := range distances {
		var sum, inverse compensated
		for _, distance := range d {
			sum.add(distance)
			inverse.add(1 / distance)
		}
		out[i] = summary{count: float64(len(d)), sum: sum.total(), inverse: inverse.total(), greatest: greatest(d)}
	}
	return out
}

// compensated is a sum of numbers that are not negative, with what rounding has taken from it (Kahan and Babuska, in
// Neumaier's form).
type compensated struct{ sum, lost float64 }

func (c *compensated) add(x float64) {
	next := c.sum + x
	if c.sum >= x {
		c.lost += c.sum - next + x
	} else {
		c.lost += x - next + c.sum
	}
	c.sum = next
}

func (c *compensated) total() float64 { return c.sum + c.lost }

// TestAgainstOracle takes 2,000 random graphs of 2 to 400 nodes and up to 6n edges: a third directed, a third with
// parallel edges and self-loops, a third weighted. One in 25 may have more than 40 nodes, and 8 more than 160: the
// oracle's time grows with the cube of the nodes.
func TestAgainstOracle(t *testing.T) {
	const graphs, groups = 2000, 20
	for k := range groups {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			for i := k; i < graphs; i += groups {
				random := rand.New(rand.NewPCG(uint64(i), 42))
				n := 2 + random.IntN(39)
				switch {
				case i%250 == 0:
					n = 2 + random.IntN(399)
				case i%25 == 0:
					n = 2 + random.IntN(159)
				}
				directed, loops, weighted := random.IntN(3) == 0, random.IntN(3) == 0, random.IntN(3) == 0
				g := graphtest.Random(t, random, n, directed, loops, weighted)
				againstOracle(t, g, weighted, nil)
				if t.Failed() {
					t.Fatalf("graph %d: n %d, m %d, directed %t, weighted %t", i, n, g.M(), directed, weighted)
				}
			}
		})
	}
}

// TestLargerGraphsAgainstOracle takes 36 graphs of 1,000 and more nodes, from a sample of sources, and a few from all.
func TestLargerGraphsAgainstOracle(t *testing.T) {
	const graphs, groups = 36, 4
	for k := range groups {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			for i := k; i < graphs; i += groups {
				random := rand.New(rand.NewPCG(uint64(i), 43))
				n := 1000 + random.IntN(500)
				weighted := i%3 == 1
				g := graphtest.Random(t, random, n, i%3 == 0, i%3 == 2, weighted)
				againstOracle(t, g, weighted, kernels.DrawSources(n, 12, int64(i)))
				// invariants
				compute(t, g, "betweenness", kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true})
			}
		})
	}
}

// planted draws a graph of classes of identical nodes, with what makes some of them differ: parallel edges, leaves and
// paths.
func planted(t testing.TB, random *rand.Rand, weighted bool) *export.Graph {
	var edges []edge
	n, classes := int32(0), make([][]int32, 3+random.IntN(5))
	join := func(u, v []int32) { // all with all, alike
		weight, times := 1.0, 1+random.IntN(6)/5
		if weighted {
			weight = float64(1+random.IntN(4)) / 10
		}
		for i, from := range u {
			for j, to := range v {
				for range times {
					if &u[0] != &v[0] || i < j {
						edges = append(edges, edge{from, to, weight})
					}
				}
			}
		}
	}
	for i := range classes {
		for range 1 + random.IntN(5) {
			classes[i] = append(classes[i], n)
			n++
		}
		for j := range i {
			if random.IntN(3) > 0 {
				join(classes[j], classes[i])
			}
		}
		if random.IntN(2) == 0 {
			join(classes[i], classes[i])
		}
	}
	leaf := func(v int32) {
		edges = append(edges, edge{v, n, 1})
		n++
	}
	for _, class := range classes {
		switch random.IntN(8) {
		case 0:
			leaf(class[0])
		case 1, 2:
			for _, v := range class {
				leaf(v)
			}
		case 3:
			edges = append(edges, edge{class[0], n, 1}, edge{n, n + 1, 1}, edge{n + 1, random.Int32N(n), 1})
			n += 2
		}
	}
	return build(t, int(n), false, edges)
}

// TestTwinsAgainstOracle takes 300 graphs with identical nodes of many neighbours.
func TestTwinsAgainstOracle(t *testing.T) {
	merged := 0
	for i := range 300 {
		random := rand.New(rand.NewPCG(uint64(i), 44))
		weighted := i%3 == 0
		g := planted(t, random, weighted)
		r := kernels.Request{Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true}
		betweennessAgainstOracle(t, g, oracle.Of(g, weighted), r, ints(allNodes(g)))
		r.Reduce = "chains,twins"
		apart := r
		apart.Reduce = "chains"
		with, without := compute(t, g, "betweenness", r), compute(t, g, "betweenness", apart)
		same(t, "betweenness of node, chains and twins", with.Nodes, without.Nodes)
		same(t, "betweenness of edge, chains and twins", with.Edges, without.Edges)
		if with.Reduction.Searched < without.Reduction.Searched {
			merged++
		}
		if t.Failed() {
			t.Fatalf("graph %d: n %d, m %d, weighted %t", i, g.N(), g.M(), weighted)
		}
	}
	if merged < 200 {
		t.Errorf("nodes were merged in %d of 300 graphs alone", merged)
	}
}

func TestOracleIndependence(t *testing.T) {
	// A square with one diagonal by way of a node in the middle: worked out by hand.
	o := oracle.New(oracle.Graph{N: 4,
		Edges: []oracle.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}, {From: 3, To: 0}}}, false)
	nodes, edges := o.Betweenness([]int{0, 1, 2, 3}).Float64(0.5)
	for i := range 4 {
		if nodes[i] != 0.5 || edges[i] != 2 {
			t.Fatalf("a square has node scores %v and edge scores %v; want 0.5 and 2", nodes, edges)
		}
	}
}
