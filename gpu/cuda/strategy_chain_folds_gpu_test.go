//go:build cuda || emulate

package cuda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
)

// randomChains draws a graph of chains: components of branch nodes with loops and parallel chains, rings, trees that hang from all of it, nodes alone.
func randomChains(t testing.TB, random *rand.Rand, weighted bool, weight func() float64) *export.Graph {
	t.Helper()
	var links []link
	n := int32(0)
	node := func() int32 { n++; return n - 1 }
	path := func(u, v int32, inner int) {
		for range inner {
			w := node()
			links = append(links, link{u, w, weight()})
			u = w
		}
		links = append(links, link{u, v, weight()})
	}
	inner := func() int {
		switch random.IntN(12) {
		case 0:
			return 40 + random.IntN(40)
		case 1, 2, 3:
			return 0
		}
		return random.IntN(6)
	}
	for range 1 + random.IntN(3) {
		first, count := n, int32(1+random.IntN(8))
		for range count {
			if v := node(); v > first {
				path(first+int32(random.IntN(int(v-first))), v, inner())
			}
		}
		for range random.IntN(2 * int(count)) {
			path(first+int32(random.IntN(int(count))), first+int32(random.IntN(int(count))), inner())
		}
	}
	for random.IntN(3) == 0 {
		v := node()
		path(v, v, random.IntN(50))
	}
	for range random.IntN(int(n)) { // trees, mostly on what was there
		v := int32(random.IntN(int(n)))
		links = append(links, link{v, node(), weight()})
	}
	n += int32(random.IntN(3))
	random.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
	number := random.Perm(int(n))
	for i := range links {
		links[i].from, links[i].to = int32(number[links[i].from]), int32(number[links[i].to])
	}
	return build(t, int(n), false, weighted, links)
}

// TestChainFolds compares with a search of the whole graph on the CPU, and with the definition.
func TestChainFolds(t *testing.T) {
	d := open(t)
	random := rand.New(rand.NewPCG(31, 41))
	taken, rings := 0, 0
	for i := range sized(150, 30) {
		weighted, kind := i%3 > 0, i%2
		greatest := float64(9)
		g := randomChains(t, random, weighted, func() float64 {
			if i%5 == 4 { // chains of which one way round is much longer
				return math.Ceil(math.Pow(1000, random.Float64())) / []float64{1, 8}[kind]
			}
			return float64(1+random.IntN(int(greatest))) / []float64{1, 10}[kind]
		})
		for _, measure := range []string{"closeness", "eccentricity", "graph"} {
			m, _ := kernels.Lookup(measure)
			r := kernels.Request{Nodes: true, Reduce: kernels.ReduceOff, Params: kernels.Params{Weighted: weighted}}
			if measure == "closeness" {
				r.Variant = []string{"", kernels.WassermanFaust, kernels.Classic}[i%3]
			}
			want, err := m.CPU(t.Context(), g, r)
			if err != nil {
				t.Fatal(err)
			}
			r.Reduce = []string{"on", "trees,chains"}[i%2]
			at := fmt.Sprintf("%s of graph %d (n %d, m %d)", measure, i, g.N(), g.M())
			got, err := onDevice(t.Context(), d, g, measure, r, "auto", false)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			if got.Reduction == nil {
				t.Fatalf("%s: nothing said of reductions", at)
			}
			if slices.Contains(got.Reduction.Taken, "chains") {
				taken++
				if !strings.Contains(got.note, "branch nodes") || !strings.Contains(got.Reduction.Reason, "chains") {
					t.Errorf("%s: %q, %q", at, got.note, got.Reduction.Reason)
				}
				if got.Reduction.Searched == 1 {
					rings++
				}
			}
			if difference, where := worst(got.Nodes, want.Nodes); difference > 1e-12 {
				t.Errorf("%s: %s", at, where)
			}
			chains := slices.Contains(got.Reduction.Taken, "chains")
			if chains && (got.Totals.Pairs != want.Totals.Pairs || got.Ties != want.Ties || got.Totals.NoDistance == (measure == "closeness") || !got.Totals.NoDistance && math.Abs(got.Totals.Distance-want.Totals.Distance) > 1e-12*want.Totals.Distance) {
				t.Errorf("%s: totals %+v, ties %q; want %+v, %q", at, got.Totals, got.Ties, want.Totals, want.Ties)
			}
			if again, err := onDevice(t.Context(), d, g, measure, r, "auto", false); err != nil || !sameBits(again, got) {
				t.Errorf("%s: other bits the second time, %v", at, err)
			}
			if r.Variant == "" && i < 12 {
				exact := ofDistances(measure, oracle.Of(g, weighted), g.N())
				if difference, where := worst(got.Nodes, exact); difference > 1e-9 {
					t.Errorf("%s, by the definition: %s", at, where)
				}
			}
		}
	}
	if taken < sized(400, 75) || rings < sized(10, 2) {
		t.Errorf("%d runs with chains, %d from one node alone", taken, rings)
	}
}

// TestChainFoldsOfNastyGraphs: stars, paths, cycles, grids, nodes alone, loops, parallel edges, by hops and by weights.
func TestChainFoldsOfNastyGraphs(t *testing.T) {
	d := open(t)
	taken := 0
	for _, weighted := range []bool{false, true} {
		for _, c := range nasty(t, weighted) {
			for _, measure := range []string{"closeness", "eccentricity"} {
				m, _ := kernels.Lookup(measure)
				r := kernels.Request{Nodes: true, Reduce: kernels.ReduceOff, Params: kernels.Params{Weighted: weighted}}
				want, err := m.CPU(t.Context(), c.graph, r)
				if err != nil {
					continue // weights that the measures do not take
				}
				r.Reduce = "on"
				got, err := onDevice(t.Context(), d, c.graph, measure, r, "auto", false)
				if err != nil {
					t.Errorf("%s of %s: %v", measure, c.name, err)
					continue
				}
				if got.Reduction != nil && slices.Contains(got.Reduction.Taken, "chains") {
					taken++
				}
				if difference, where := worst(got.Nodes, want.Nodes); difference > 1e-12 {
					t.Errorf("%s of %s, weighted %v: %s", measure, c.name, weighted, where)
				}
			}
		}
	}
	if taken < 4 {
		t.Errorf("%d runs with chains", taken)
	}
}

