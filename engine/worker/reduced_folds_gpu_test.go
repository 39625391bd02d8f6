//go:build cuda || emulate

package worker

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestTreesByWeights folds the trees of random graphs, searches what is left, and compares with the definition and with
// a search of the whole graph on the CPU.
func TestTreesByWeights(t *testing.T) {
	d := devicetest.Open(t)
	random := rand.New(rand.NewPCG(8, 6))
	taken, alone := 0, 0
	for i := range devicetest.Sized(90, 12) {
		var links []graphtest.Link
		n := int32(5 + random.IntN(devicetest.Sized(300, 60)))
		for v := int32(1); v < n; v++ {
			if random.IntN(12) > 0 {
				links = append(links, graphtest.Link{From: int32(random.IntN(int(v))), To: v,
					Weight: enginetest.Weights(random, i%3, v)})
			}
			for i%5 > 0 && random.IntN(3+i%5) == 0 { // loops and parallel edges among them
				links = append(links, graphtest.Link{From: int32(random.IntN(int(v) + 1)), To: v,
					Weight: enginetest.Weights(random, i%3, v)})
			}
		}
		g := graphtest.Links(t, int(n), false, true, links)
		for _, measure := range []string{"closeness", "eccentricity", "graph"} {
			m, _ := kernels.Lookup(measure)
			r := kernels.Request{Nodes: true, Reduce: kernels.ReduceOff, Params: kernels.Params{Weighted: true}}
			if measure == "closeness" {
				r.Variant = []string{"", kernels.WassermanFaust, kernels.Classic}[i%3]
			}
			want, err := cpu.Compute(t.Context(), m, g, r)
			if err != nil {
				t.Fatal(err)
			}
			r.Reduce = []string{"on", "trees", "trees,blocks"}[i%3]
			at := fmt.Sprintf("%s of graph %d (n %d, m %d)", measure, i, g.N(), g.M())
			got, err := onDevice(t.Context(), d, g, measure, r, "batched", false)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			if got.Reduction == nil {
				t.Fatalf("%s: nothing said of reductions", at)
			}
			if len(got.Reduction.Taken) > 0 {
				taken++
				if got.Reduction.Searched == 0 {
					alone++
				}
			}
			if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 1e-12 {
				t.Errorf("%s: %s", at, where)
			}
			if got.Totals.Pairs != want.Totals.Pairs || got.Ties != "exact" ||
				got.Totals.NoDistance == (measure == "closeness") ||
				!got.Totals.NoDistance && math.Abs(got.Totals.Distance-want.Totals.Distance) > 1e-12*want.Totals.Distance {
				t.Errorf("%s: totals %+v, ties %q; want %+v", at, got.Totals, got.Ties, want.Totals)
			}
			if again, err := onDevice(t.Context(), d, g, measure, r, "batched", false); err != nil || !sameBits(again, got) {
				t.Errorf("%s: other bits the second time, %v", at, err)
			}
			if r.Variant == "" && i < 12 {
				exact := oracle.Of(g, true).Distant(g.N())[measure]
				if difference, where := enginetest.Worst(got.Nodes, exact); difference > 1e-9 {
					t.Errorf("%s, by the definition: %s", at, where)
				}
			}
		}
	}
	if taken < devicetest.Sized(200, 25) || alone < devicetest.Sized(10, 2) {
		t.Errorf("%d runs with folded trees, %d of trees alone", taken, alone)
	}
}

// TestTreesAreFoldedWhereTheyCanBe: and said why not.
func TestTreesAreFoldedWhereTheyCanBe(t *testing.T) {
	d := devicetest.Open(t)
	links := []graphtest.Link{{From: 0, To: 1, Weight: 2}, {From: 1, To: 2, Weight: 3}, {From: 2, To: 0, Weight: 4},
		{From: 2, To: 3, Weight: 1}, {From: 3, To: 4, Weight: 5}}
	plain, decades := graphtest.Links(t, 6, false, true, links),
		graphtest.Links(t, 6, false, true, append(links, graphtest.Link{From: 4, To: 5, Weight: 1e17 + 16}))
	whole := kernels.Request{Nodes: true, Params: kernels.Params{Weighted: true}, Reduce: "on"}
	for _, c := range []struct {
		name, measure, strategy string
		change                  func(r *kernels.Request)
		directed, wide          bool
		says                    string
	}{
		{name: "closeness", measure: "closeness", strategy: "batched",
			says: "graph reduced: 3 of 6 sources, 30 % of the work"},
		{name: "directed", measure: "closeness", strategy: "batched", directed: true,
			says: "not reduced: the graph is directed"},
		{name: "edge scores", measure: "closeness", strategy: "batched", change: func(r *kernels.Request) { r.Edges = true },
			says: "not reduced: edge scores"},
		{name: "a sample", measure: "closeness", strategy: "batched",
			change: func(r *kernels.Request) { r.Sources = []int32{1} }, says: "not all nodes are sources"},
		{name: "by hops", measure: "closeness", strategy: "batched", change: func(r *kernels.Request) { r.Weighted = false },
			says: "by hops"},
		{name: "another strategy", measure: "graph", strategy: "work-efficient", says: "batched searches alone"},
		{name: "wide weights", measure: "eccentricity", strategy: "batched", wide: true, says: "2^53 ticks"},
		{name: "harmonic", measure: "harmonic", strategy: "batched"},
		{name: "off", measure: "closeness", strategy: "batched", change: func(r *kernels.Request) { r.Reduce = "off" }},
		{name: "too small to pay", measure: "closeness", strategy: "batched",
			change: func(r *kernels.Request) { r.Reduce = "auto" }},
		{name: "blocks alone", measure: "closeness", strategy: "batched",
			change: func(r *kernels.Request) { r.Reduce = "blocks" }},
	} {
		g, r := plain, whole
		if c.directed {
			g = graphtest.Links(t, 6, true, true, links)
		}
		if c.wide {
			g = decades
		}
		if c.change != nil {
			c.change(&r)
		}
		got, err := onDevice(t.Context(), d, g, c.measure, r, c.strategy, false)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		switch {
		case c.says == "" && got.Reduction != nil,
			c.says != "" && (got.Reduction == nil || !strings.Contains(got.Reduction.Reason, c.says)):
			t.Errorf("%s: %+v, want %q", c.name, got.Reduction, c.says)
		case got.Reduction != nil && (len(got.Reduction.Taken) > 0) != strings.HasPrefix(c.says, "graph reduced"):
			t.Errorf("%s: took %v", c.name, got.Reduction.Taken)
		}
		m, _ := kernels.Lookup(c.measure)
		r.Reduce = "off"
		want, err := cpu.Compute(t.Context(), m, g, r)
		if err != nil {
			t.Fatal(err)
		}
		if difference, where := enginetest.Worst(got.Nodes, want.Nodes); difference > 1e-9 {
			t.Errorf("%s: %s", c.name, where)
		}
	}
}
