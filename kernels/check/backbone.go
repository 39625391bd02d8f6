package check

import (
	"errors"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/kernels"
)

// checkBackbone verifies that as much was kept as was asked for, that nothing outside has a higher betweenness, that no
// component fell apart if that was asked for, and that nodes, edges and scores say the same.
func checkBackbone(g *export.Graph, r kernels.Request, s *kernels.Scores) error {
	b := s.Backbone
	if b == nil || len(b.Edges) != g.M() || len(b.Nodes) != g.N() {
		return fmt.Errorf("backbone: no choice among %d nodes and %d edges", g.N(), g.M())
	}
	chosen := b.Edges
	if r.Variant == kernels.OfNodes {
		chosen = b.Nodes
	}
	if len(b.Betweenness) != len(chosen) {
		return fmt.Errorf("backbone: %d scores to choose from %d", len(b.Betweenness), len(chosen))
	}
	if err := checkFlags(b, s); err != nil {
		return err
	}
	if err := checkEnds(b, g, r.Variant == kernels.OfNodes); err != nil {
		return err
	}
	spanning := 0 // edges of a spanning forest
	if r.Connected {
		all := joined(g, nil)
		if parts := joined(g, b.Edges); parts != all {
			return fmt.Errorf("backbone: connected, but %d components became %d", all, parts)
		}
		spanning = g.N() - all
	}
	return checkChoice(b.Betweenness, chosen, r.Params, spanning)
}

// checkFlags verifies that scores are 1 for what is kept and 0 otherwise, and the counts.
func checkFlags(b *kernels.Backbone, s *kernels.Scores) error {
	for _, x := range []struct {
		what  string
		kept  []bool
		score []float64
		count int
	}{{"node", b.Nodes, s.Nodes, b.NodeCount}, {"edge", b.Edges, s.Edges, b.EdgeCount}} {
		count := 0
		for i, kept := range x.kept {
			want := 0.0
			if kept {
				want, count = 1, count+1
			}
			if x.score != nil && x.score[i] != want {
				return fmt.Errorf("backbone: %s %d has the score %g, want %g", x.what, i, x.score[i], want)
			}
		}
		if count != x.count {
			return fmt.Errorf("backbone: %d kept of kind %s, but %d counted", count, x.what, x.count)
		}
	}
	return nil
}

// checkEnds verifies that a kept edge has kept ends, and that a kept node is the end of one; or, if nodes were chosen,
// that an edge is kept if both of its ends are.
func checkEnds(b *kernels.Backbone, g *export.Graph, nodes bool) error {
	touched := make([]bool, g.N())
	source, target := g.Ends()
	for e, kept := range b.Edges {
		both := b.Nodes[source[e]] && b.Nodes[target[e]]
		if kept && !both || nodes && both != kept {
			return fmt.Errorf("backbone: edge %d is kept: %t, its ends: %t", e, kept, both)
		}
		if kept {
			touched[source[e]], touched[target[e]] = true, true
		}
	}
	for v, kept := range b.Nodes {
		if !nodes && kept != touched[v] {
			return fmt.Errorf("backbone: node %d is kept: %t, one of its edges: %t", v, kept, touched[v])
		}
	}
	return nil
}

// joined counts what edges connect, all of them if none are named.
func joined(g *export.Graph, edges []bool) int {
	parts := disjoint.New(g.N())
	source, target := g.Ends()
	for e := range source {
		if edges == nil || edges[e] {
			parts.Join(source[e], target[e])
		}
	}
	return parts.Count
}

// checkChoice verifies how many were chosen, and that no other has a higher score. spanning is the number of edges of a
// spanning forest, which may be chosen whatever their scores; 0 for none.
func checkChoice(scores []float64, chosen []bool, p kernels.Params, spanning int) error {
	count, lowest, highest := 0, math.Inf(1), math.Inf(-1)
	for i, x := range scores {
		if chosen[i] {
			count, lowest = count+1, min(lowest, x)
		} else {
			highest = max(highest, x)
		}
	}
	const rounding = 1e-8
	if t := p.Threshold; t != nil {
		if highest > *t*(1+rounding) {
			return fmt.Errorf("backbone: %g is left out with the threshold %g", highest, *t)
		}
		if spanning == 0 && lowest < *t*(1-rounding) {
			return fmt.Errorf("backbone: %g is kept with the threshold %g", lowest, *t)
		}
		return nil
	}
	if want := max(1, spanning, int(math.Round(p.KeepShare()*float64(len(scores))))); count != want {
		return fmt.Errorf("backbone: %d kept of %d, want %d", count, len(scores), want)
	}
	if spanning == 0 && highest > lowest*(1+rounding) {
		return errors.New("backbone: what is left out has a higher betweenness than what is kept")
	}
	return nil
}
