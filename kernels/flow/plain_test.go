package flow_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// plain are the scores by their definitions: the potentials of every pair of nodes, from Gauss's elimination in 400
// bits.
type plain struct {
	betweenness, closeness, resistance []float64 // of nodes; not normalised
	current, between                   []float64 // of edges: current, and resistance between the ends
}

const bits = 400

func number(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }

func plainly(g *export.Graph) *plain {
	n := g.N()
	out := &plain{
		betweenness: make([]float64, n), closeness: make([]float64, n), resistance: make([]float64, n),
		current: make([]float64, g.M()), between: make([]float64, g.M()),
	}
	weights := make([]float64, g.M())
	for a := range int64(g.Arcs()) {
		weights[g.Edge(a)] = g.Weight(a)
	}
	count, sum := make([]float64, n), make([]float64, n)
	source, target := g.Ends()
	for s := range n {
		for t := range s {
			x := potentials(g, s, t)
			if x == nil {
				continue
			}
			drop := func(u, v int32) float64 {
				d, _ := new(big.Float).SetPrec(bits).Sub(x[u], x[v]).Float64()
				return d
			}
			r := drop(int32(s), int32(t))
			for _, v := range []int{s, t} {
				count[v]++
				sum[v] += r
			}
			through := make([]float64, n)
			for e, w := range weights {
				current := math.Abs(w * drop(source[e], target[e]))
				out.current[e] += current
				through[source[e]] += current / 2
				through[target[e]] += current / 2
				if u, v := int(source[e]), int(target[e]); u != v && min(u, v) == t && max(u, v) == s {
					out.between[e] = r
				}
			}
			for v, x := range through {
				if v != s && v != t {
					out.betweenness[v] += x
				}
			}
		}
	}
	for v := range n {
		if count[v] > 0 {
			out.closeness[v], out.resistance[v] = 1/sum[v], sum[v]/count[v]
		}
	}
	return out
}

// potentials are those when one unit of current enters at s and leaves at t, which has 0; nil if nothing joins them.
func potentials(g *export.Graph, s, t int) []*big.Float {
	n := g.N()
	rows := make([][]*big.Float, n)
	for v := range rows {
		rows[v] = make([]*big.Float, n+1)
		for k := range rows[v] {
			rows[v][k] = number(0)
		}
	}
	for v := range int32(n) {
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			w := number(g.Weight(a))
			rows[v][v].Add(rows[v][v], w)
			rows[v][g.Targets[a]].Sub(rows[v][g.Targets[a]], w)
		}
	}
	rows[s][n] = number(1)
	reached := map[int]bool{t: true}
	for changed := true; changed; {
		changed = false
		for v := range int32(n) {
			for _, u := range g.Row(v) {
				if reached[int(v)] && !reached[int(u)] {
					reached[int(u)], changed = true, true
				}
			}
		}
	}
	if !reached[s] {
		return nil
	}
	for v := range n { // those outside, and t, have 0
		if v == t || !reached[v] {
			for k := range rows[v] {
				rows[v][k] = number(0)
			}
			rows[v][v] = number(1)
		}
	}
	return eliminated(rows)
}

func eliminated(rows [][]*big.Float) []*big.Float {
	n := len(rows)
	f := new(big.Float).SetPrec(bits)
	for p := range n { // the rows are diagonally dominant: no need to look for pivots
		for v := range n {
			if v == p || rows[v][p].Sign() == 0 {
				continue
			}
			factor := new(big.Float).SetPrec(bits).Quo(rows[v][p], rows[p][p])
			for k := p; k <= n; k++ {
				rows[v][k].Sub(rows[v][k], f.Mul(factor, rows[p][k]))
			}
			rows[v][p] = number(0)
		}
	}
	x := make([]*big.Float, n)
	for v := range x {
		x[v] = new(big.Float).SetPrec(bits).Quo(rows[v][n], rows[v][v])
	}
	return x
}

// TestPlainly: graphs of up to 12 nodes agree with the definitions in 400 bits, also where weights are twelve and
// eighteen powers of ten apart.
func TestPlainly(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 400 {
		g := tiny(t, random, i)
		want := plainly(g)
		no := false
		r := kernels.Request{Nodes: true, Edges: true}
		r.Weighted, r.Normalized = true, &no
		got := compute(t, "currentFlowBetweenness", g, r)
		same(t, i, "betweenness of nodes", got.Nodes, want.betweenness)
		same(t, i, "betweenness of edges", got.Edges, want.current)
		same(t, i, "closeness", compute(t, "currentFlowCloseness", g, r).Nodes, want.closeness)
		r.Normalized = nil
		resistance := compute(t, "effectiveResistance", g, r)
		same(t, i, "mean resistance", resistance.Nodes, want.resistance)
		same(t, i, "resistance", resistance.Edges, want.between)
		shares, sums := make([]float64, g.M()), make([]float64, g.N())
		for v := range int32(g.N()) {
			for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
				shares[g.Edge(a)] = want.between[g.Edge(a)] * g.Weight(a)
				sums[v] += shares[g.Edge(a)]
			}
		}
		spanning := compute(t, "spanningCentrality", g, r)
		same(t, i, "shares of spanning trees", spanning.Edges, shares)
		same(t, i, "mean degrees in spanning trees", spanning.Nodes, sums)
	}
}

func tiny(t *testing.T, random *rand.Rand, i int) *export.Graph {
	n := 1 + random.IntN(12)
	var links []graphtest.Link
	for range random.IntN(3*n + 1) {
		w := 0.5 + random.Float64()
		switch i % 4 {
		case 0:
			w = math.Pow(10, 12*random.Float64()-6)
		case 1: // what rounding leaves of strong currents passes through the weakest resistors
			w = []float64{1e-9, 0.2, 2.5, 1e9}[random.IntN(4)]
		}
		links = append(links, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: w})
	}
	return graphtest.Links(t, n, false, true, links)
}
