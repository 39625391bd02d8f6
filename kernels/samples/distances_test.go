package samples

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// intervalGraphs are graphs with long and short distances, of one component and of many.
func intervalGraphs(t *testing.T) map[string]*export.Graph {
	random := rand.New(rand.NewPCG(7, 7))
	return map[string]*export.Graph{
		"hubs":                hubs(t, 5, 20),
		"grid":                graphtest.Grid(t, 12, false),
		"grid of weights":     graphtest.Grid(t, 11, true),
		"random":              graphtest.Random(t, random, 60, false, true, false),
		"random of weights":   graphtest.Random(t, random, 50, false, true, true),
		"directed":            graphtest.Random(t, random, 60, true, true, false),
		"directed of weights": graphtest.Random(t, random, 50, true, true, true),
		"ring of paths":       graphtest.RingOfPaths(t, 6, 6),
	}
}

// TestIntervalsCover: over 200 seeds, the intervals of all scores at once hold at least as often as asked.
func TestIntervalsCover(t *testing.T) {
	const seeds, confidence = 200, 0.8
	no := false
	for name, g := range intervalGraphs(t) {
		for _, c := range []struct {
			measure string
			params  kernels.Params
		}{
			{"harmonic", kernels.Params{}}, {"harmonic", kernels.Params{Normalized: &no}}, {"closeness", kernels.Params{}},
			{"closeness", kernels.Params{Variant: kernels.WassermanFaust}},
			{"closeness", kernels.Params{Variant: kernels.Classic}},
		} {
			m, _ := kernels.Lookup(c.measure)
			r := kernels.Request{Params: c.params, Nodes: true, Edges: true}
			if r.Weighted = g.Weights != nil; !HasIntervals(m, g.Directed, r) {
				continue
			}
			t.Run(fmt.Sprint(name, " ", c.measure, c.params.Variant, c.params.Normalized != nil), func(t *testing.T) {
				t.Parallel()
				coverage(t, m, g, r, seeds, confidence)
			})
		}
	}
}

// coverage draws samples of a fourth of the nodes.
func coverage(t *testing.T, m kernels.Measure, g *export.Graph, r kernels.Request, seeds int, confidence float64) {
	want, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	held, ratios := 0, []float64{}
	for seed := range seeds {
		r.Sources, r.Scale = kernels.Sample(g.N(), g.N()/4, int64(seed))
		got, err := cpu.Compute(t.Context(), m, g, r)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Intervals(t.Context(), m, g, r, got, confidence)
		if err != nil {
			t.Fatal(err)
		}
		nodes, worst := holds(t, got.Nodes, want.Nodes, e.Nodes)
		edges, worstEdge := holds(t, got.Edges, want.Edges, e.Edges)
		if nodes && edges {
			held++
		}
		ratios = append(ratios, e.Bound/max(worst, worstEdge))
	}
	slices.Sort(ratios)
	if t.Logf("%d of %d hold; the bound is %.1f times the greatest error in the median", held, seeds,
		ratios[seeds/2]); float64(held) < confidence*float64(seeds) {
		t.Errorf("intervals of %d of %d samples hold", held, seeds)
	}
	if ratios[seeds/2] > 60 {
		t.Errorf("the bound is %.1f times the greatest error", ratios[seeds/2])
	}
}

// holds reports whether all errors are within their bounds, and the greatest error.
func holds(t *testing.T, got, want, bounds []float64) (all bool, worst float64) {
	t.Helper()
	all = true
	for i, bound := range bounds {
		if math.IsNaN(bound) || math.IsInf(bound, 0) || bound < 0 {
			t.Fatalf("bound %d is %v", i, bound)
		}
		miss := math.Abs(got[i] - want[i])
		all, worst = all && miss <= bound*(1+1e-9)+1e-12, max(worst, miss)
	}
	return all, worst
}
