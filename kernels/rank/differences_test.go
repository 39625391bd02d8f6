package rank

import (
	"math"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// undirectedSystem is the system of PageRank on a graph.
func undirectedSystem(t *testing.T, g *export.Graph, r kernels.Request) *system {
	m, _ := kernels.Lookup("pagerank")
	e, err := spreadOf(m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	stop := stopper.New(t.Context())
	t.Cleanup(stop.Release)
	return &system{newMatrix(g.Transpose(), nil, 2, stop), e}
}

// TestDifferenceKernels: the kernel of this processor has the bits of that in plain Go, in rows of one cache line and
// of two.
func TestDifferenceKernels(t *testing.T) {
	g := anyGraph(t, false)
	for _, count := range []int{2, 9, wide, wide + 1, widest} {
		requests := drawRestarts(g, count, false)
		y := undirectedSystem(t, g, requests[0])
		fast, _ := newDifferences(y, requests)
		plain, _ := newDifferences(y, requests)
		plain.kernel = plainDifferences
		for k := range 30 {
			a, b := fast.step(), plain.step()
			if a != b || !slices.Equal(fast.scores, plain.scores) || !slices.Equal(fast.left, plain.left) ||
				!slices.Equal(fast.sent, plain.sent) {
				t.Fatalf("%d lanes, step %d: residuals %v and %v", count, k, a, b)
			}
		}
	}
}

// TestDifferencesAgree compares with iterations that send scores in float64: on hubs with more arcs than full sums have
// bits for, long paths, and a damping that takes many iterations.
func TestDifferencesAgree(t *testing.T) {
	star := []graphtest.Link{{From: 1, To: 2, Weight: 1}}
	for v := range int32(300_000) {
		star = append(star, graphtest.Link{From: 0, To: v + 1, Weight: 1})
	}
	var path []graphtest.Link
	for v := range int32(3000) {
		path = append(path, graphtest.Link{From: v, To: v + 1, Weight: 1})
	}
	graphs := map[string]*export.Graph{
		"star": graphtest.Links(t, 300_002, false, false, star), "path": graphtest.Links(t, 3002, false, false, path),
		"any": anyGraph(t, false),
	}
	for name, g := range graphs {
		for _, damping := range []float64{0.01, 0.85, 0.99} {
			last := int32(g.N() - 1)
			for _, sources := range [][]int32{{0}, {2, 5, last}, {last}} {
				r := kernels.Request{Sources: sources}
				r.Damping = &damping
				y := undirectedSystem(t, g, r)
				got, most, err := y.solveAll(r, []kernels.Request{r})
				if err != nil || got[0].err != nil {
					t.Fatal(name, damping, err, got[0].err)
				}
				y.Restart, y.Most = restarts(r, g.N(), y.Base)
				want, ended, err := y.solve(r)
				// Both are as far from the solution as their residuals allow.
				if off := apart(got[0].scores, want); err != nil || most[0] != y.Most ||
					total(want) > 0 && off > 2*float64(g.N())*1e-10/(1-damping) {
					t.Errorf("%s, damping %g, from %v: %g apart, %v and %v, %v", name, damping, sources, off, got[0].ended, ended, err)
				}
				// The bound of Chebyshev's semi-iteration, and a quarter for rounding.
				bound := 1.25 * math.Log(2e10) / math.Log((1+math.Sqrt(1-damping*damping))/damping)
				if k := got[0].ended.Iterations; float64(k) > 3+bound {
					t.Errorf("%s, damping %g, from %v: %d iterations, over %g", name, damping, sources, k, bound)
				}
			}
		}
	}
}
