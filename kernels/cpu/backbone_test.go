package cpu

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
)

// exactBetweenness is the betweenness in exact arithmetic.
func exactBetweenness(g *export.Graph, weighted bool) (nodes, edges []float64) {
	factor := 0.5
	if g.Directed {
		factor = 1
	}
	sources := make([]int, g.N())
	for v := range sources {
		sources[v] = v
	}
	return oracle.Of(g, weighted).Betweenness(sources).Float64(factor)
}

// oracleDistances sums up all distances over 0 in a graph of those edges.
func oracleDistances(g *export.Graph, weighted bool) (pairs int64, mean, diameter float64) {
	o, sum := oracle.Of(g, weighted), 0.0
	for s := range g.N() {
		for v, d := range o.From(s).Distance {
			if d >= 0 && v != s {
				pairs, sum, diameter = pairs+1, sum+d, max(diameter, d)
			}
		}
	}
	if pairs > 0 {
		mean = sum / float64(pairs)
	}
	return pairs, mean, diameter
}

// highest chooses so many, one after another.
func highest(scores []float64, most int) []bool {
	keep := make([]bool, len(scores))
	for range most {
		best := -1
		for i, x := range scores {
			if !keep[i] && (best < 0 || x > scores[best]*(1+1e-9)) {
				best = i
			}
		}
		keep[best] = true
	}
	return keep
}

// only lists the edges that are kept, for a graph that is built anew.
func only(t *testing.T, g *export.Graph, keep []bool) *export.Graph {
	t.Helper()
	source, target := g.Ends()
	weight := make([]float64, g.M())
	for i := range int64(g.Arcs()) {
		weight[g.Edge(i)] = g.Weight(i)
	}
	var edges []edge
	for e, k := range keep {
		if k {
			edges = append(edges, edge{source[e], target[e], weight[e]})
		}
	}
	return build(t, g.N(), g.Directed, edges)
}

// TestBackboneAgainstTheOracle: the edges, or nodes, of the highest exact betweenness are kept, and distances before
// and after are those of the oracle.
func TestBackboneAgainstTheOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(25, 3))
	for i := range 120 {
		weighted := i%3 == 0
		g := graphtest.Random(t, random, 2+random.IntN(18), i%2 == 0, i%4 == 0, weighted)
		if g.M() == 0 {
			continue
		}
		share := float64(1+random.IntN(10)) / 10
		nodes, edges := exactBetweenness(g, weighted)
		r := kernels.Request{Params: kernels.Params{Weighted: weighted, Keep: &share}, Nodes: true, Edges: true}
		want := edges
		if i%5 == 0 {
			r.Variant, want = kernels.OfNodes, nodes
		}
		s := compute(t, g, "backbone", r)
		b := s.Backbone
		got := b.Edges
		if r.Variant == kernels.OfNodes {
			got = b.Nodes
		}
		if keep := highest(want, max(1, int(math.Round(share*float64(len(want)))))); !slices.Equal(got, keep) {
			t.Fatalf("graph %d: %v are kept of %v, want %v", i, got, want, keep)
		}
		for _, x := range []struct {
			g    *export.Graph
			have kernels.DistanceSummary
		}{{g, b.Change.Before}, {only(t, g, b.Edges), b.Change.After}} {
			pairs, mean, diameter := oracleDistances(x.g, weighted)
			if x.have.Pairs != pairs || !within(x.have.Mean, mean, 1e-9) || !within(x.have.Diameter, diameter, 1e-9) {
				t.Fatalf("graph %d: %+v, want %d pairs, mean %v, diameter %v", i, x.have, pairs, mean, diameter)
			}
		}
		if rank := b.Change.Rank; share == 1 && rank != nil && *rank != 1 {
			t.Errorf("graph %d: all is kept, and the rank correlation is %v", i, *rank)
		}
	}
}

// TestConnectedBackbone: a ring with a tail stays in one piece, even if its share is smaller than a spanning tree.
func TestConnectedBackbone(t *testing.T) {
	g, keep := graphtest.Ring(t, 30, 40), 0.1
	s := compute(t, g, "backbone", kernels.Request{Params: kernels.Params{Keep: &keep, Connected: true}, Edges: true})
	b := s.Backbone
	if b.EdgeCount != 29 || b.NodeCount != 30 || b.Change.After.Components != 1 ||
		b.Excess != 29-int(math.Round(.1*float64(g.M()))) {
		t.Errorf("%d edges, %d nodes, %+v, excess %d", b.EdgeCount, b.NodeCount, b.Change.After, b.Excess)
	}
	if s.Nodes != nil || len(s.Edges) != g.M() {
		t.Errorf("%d node and %d edge scores", len(s.Nodes), len(s.Edges))
	}
}

// TestBackboneByThreshold: what reaches it is kept; components are those of what is kept.
func TestBackboneByThreshold(t *testing.T) {
	g := graphtest.Links(t, 7, false, false, []graphtest.Link{{From: 0, To: 1, Weight: 1}, {From: 1, To: 2, Weight: 1},
		{From: 2, To: 3, Weight: 1}, {From: 4, To: 5, Weight: 1}})
	three := 3.0 // betweenness 3, 4, 3, 1
	b := compute(t, g, "backbone", kernels.Request{Params: kernels.Params{Threshold: &three}, Nodes: true}).Backbone
	after := b.Change.After
	if b.EdgeCount != 3 || b.NodeCount != 4 || after.Components != 1 || after.LargestComponent != 4 ||
		b.Change.Before.Components != 3 {
		t.Errorf("%d edges, %d nodes, %+v", b.EdgeCount, b.NodeCount, b.Change)
	}
}

// TestBackboneRefuses: a graph without edges, and a threshold that nothing reaches.
func TestBackboneRefuses(t *testing.T) {
	m, _ := kernels.Lookup("backbone")
	high, low, over := 100.0, 0.0, 1.5
	for want, c := range map[string]struct {
		g *export.Graph
		p kernels.Params
	}{
		"backbone: the graph has no edges": {build(t, 3, false, nil), kernels.Params{}},
		"backbone: threshold 100 keeps no edge: the highest score is 1": {build(t, 2, false, []edge{{0, 1, 1}}),
			kernels.Params{Threshold: &high}},
		"backbone: keep: 0 is not over 0": {build(t, 2, false, []edge{{0, 1, 1}}),
			kernels.Params{Keep: &low}},
		"backbone: keep: 1.5 is more than 1": {build(t, 2, false, []edge{{0, 1, 1}}),
			kernels.Params{Keep: &over}},
		"backbone: threshold: 100 does not go with keep 0": {build(t, 2, false, []edge{{0, 1, 1}}),
			kernels.Params{}},
		"backbone: connected: true does not go with variant nodes: a spanning ": {build(t, 2, false, []edge{{0, 1, 1}}),
			kernels.Params{Connected: true, Variant: kernels.OfNodes}},
	} {
		if strings.Contains(want, "does not go with keep") {
			half := 0.5
			c.p.Keep, c.p.Threshold = &half, &high
		}
		_, err := Compute(context.Background(), m, c.g, kernels.Request{Params: c.p, Edges: true})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestCheckFindsWrongBackbones spoils each part of a backbone.
func TestCheckFindsWrongBackbones(t *testing.T) {
	g, keep := graphtest.Ring(t, 20, 20), 0.3
	m, _ := kernels.Lookup("backbone")
	for _, p := range []kernels.Params{{Keep: &keep}, {Keep: &keep, Connected: true},
		{Keep: &keep, Variant: kernels.OfNodes}} {
		r := kernels.Request{Params: p, Nodes: true, Edges: true}
		for name, spoil := range map[string]func(s *kernels.Scores){
			"a score":          func(s *kernels.Scores) { s.Edges[slices.Index(s.Backbone.Edges, true)] = 0 },
			"a count":          func(s *kernels.Scores) { s.Backbone.NodeCount++ },
			"nothing is there": func(s *kernels.Scores) { s.Backbone = nil },
			"an edge is lost": func(s *kernels.Scores) {
				e := slices.Index(s.Backbone.Edges, true)
				s.Backbone.Edges[e], s.Edges[e] = false, 0
				s.Backbone.EdgeCount--
			},
			"an edge too many": func(s *kernels.Scores) {
				e := slices.Index(s.Backbone.Edges, false)
				s.Backbone.Edges[e], s.Edges[e] = true, 1
				s.Backbone.EdgeCount++
			},
			"the order": func(s *kernels.Scores) {
				for i := range s.Backbone.Betweenness {
					s.Backbone.Betweenness[i] = 1 / (1 + s.Backbone.Betweenness[i])
				}
			},
		} {
			if name == "the order" && p.Connected {
				continue // a spanning tree has edges of any order
			}
			s := compute(t, g, "backbone", r)
			spoil(s)
			if err := check.Scores(m, g, r, s); err == nil {
				t.Errorf("%+v: %s is wrong, and Check finds nothing", p, name)
			}
		}
	}
}
