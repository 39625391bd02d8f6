package check_test

import (
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
)

// one is a node or an edge whose score is spoilt.
type one struct {
	edge bool
	at   int
	by   float64
}

// TestScoresOfAPath: the scores of the path 0-1-2 pass, and none that is off by what its measure cannot have.
func TestScoresOfAPath(t *testing.T) {
	g := graphtest.Links(t, 3, false, false, []graphtest.Link{{From: 0, To: 1, Weight: 1}, {From: 1, To: 2, Weight: 1}})
	for _, c := range []struct {
		measure      string
		nodes, edges []float64
		totals       kernels.Totals
		wrong        []one
	}{
		{"betweenness", []float64{0, 1, 0}, []float64{2, 2}, kernels.Totals{Pairs: 6, Distance: 8},
			[]one{{false, 1, 1e-6}, {true, 0, -1}, {false, 0, math.NaN()}, {true, 1, math.Inf(1)}}},
		{"components", []float64{0, 0, 0}, nil, kernels.Totals{}, []one{{false, 2, 1}, {false, 0, 1}, {false, 1, .5}}},
		{"core", []float64{1, 1, 1}, nil, kernels.Totals{}, []one{{false, 1, 1}, {false, 0, -1}}},
		{"triangles", []float64{0, 0, 0}, []float64{0, 0}, kernels.Totals{}, []one{{false, 1, 1}, {true, 0, 1}}},
		{"bridges", []float64{1, 2, 1}, []float64{1, 1}, kernels.Totals{}, []one{{false, 0, 1}, {true, 1, -1}}},
	} {
		m, ok := kernels.Lookup(c.measure)
		if !ok {
			t.Fatal(c.measure)
		}
		r := kernels.Request{Nodes: c.nodes != nil, Edges: c.edges != nil}
		s := kernels.Scores{Nodes: c.nodes, Edges: c.edges, Totals: c.totals}
		if err := check.Scores(m, g, r, &s); err != nil {
			t.Errorf("%s: %v", c.measure, err)
		}
		for _, w := range c.wrong {
			part := s.Nodes
			if w.edge {
				part = s.Edges
			}
			right := part[w.at]
			part[w.at] += w.by
			if check.Scores(m, g, r, &s) == nil {
				t.Errorf("%s: %v passes as %v, %v", c.measure, w, s.Nodes, s.Edges)
			}
			part[w.at] = right
		}
		if s.Nodes = s.Nodes[:2]; check.Scores(m, g, r, &s) == nil {
			t.Errorf("%s: two scores for three nodes pass", c.measure)
		}
	}
}

// TestRanksOfARing: all PageRanks are 1, once the iteration has ended.
func TestRanksOfARing(t *testing.T) {
	g := graphtest.Ring(t, 5, 0)
	m, _ := kernels.Lookup("pagerank")
	r := kernels.Request{Nodes: true}
	s := kernels.Scores{Nodes: []float64{1, 1, 1, 1, 1}, Convergence: &kernels.Convergence{Iterations: 1}}
	if err := check.Scores(m, g, r, &s); err != nil {
		t.Error(err)
	}
	if s.Nodes[2] += 1e-3; check.Scores(m, g, r, &s) == nil {
		t.Error("a rank that is too high passes")
	}
	if s.Nodes[2], s.Convergence = 1, nil; check.Scores(m, g, r, &s) == nil {
		t.Error("ranks that did not converge pass")
	}
}
