package flow

import (
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
	"github.com/linchpin-graph/linchpin/kernels"
)

// solvedTolerance is how far, relative to the larger side, the sides of an invariant may lie apart where equations were
// solved.
const solvedTolerance = 1e-6

// Check verifies the invariants of a flow: bounds of all scores, and what they sum to.
func Check(m kernels.Measure, g *export.Graph, r kernels.Request, s *kernels.Scores) error {
	if err := kernels.CheckFinite(m.Name, g, s, false); err != nil {
		return err
	}
	if m.Kind == kernels.Currents {
		return checkCurrents(m.Name, g, r, s)
	}
	if err := checkPositive(m.Name, g, s); err != nil {
		return err
	}
	switch m.Kind {
	case kernels.Resistances:
		return checkResistances(m.Name, g, r, s)
	case kernels.SpanningTrees:
		if err := checkDegrees(m.Name, g, s); err != nil {
			return err
		}
		return checkSpanning(m.Name, g, s.Edges, s)
	}
	return nil
}

// tolerance is that of the invariants of a solution.
func tolerance(s *kernels.Solution) float64 { return max(solvedTolerance, s.Error) }

// checkCurrents verifies that scores lie between 0 and the number of pairs, and that those of all edges less those of
// all nodes make the number of pairs. Of edges drawn, only the bounds hold.
func checkCurrents(measure string, g *export.Graph, r kernels.Request, s *kernels.Scores) error {
	byNode, byEdge := kernels.BetweennessFactors(g, r)
	pairs, all := connectedPairs(g), float64(g.N())*float64(g.N()-1)/2
	for _, c := range []struct {
		what   string
		scores []float64
		factor float64
	}{{"node", s.Nodes, 2 * byNode}, {"edge", s.Edges, 2 * byEdge}} {
		for i, x := range c.scores {
			if most := (pairs + all*tolerance(s.Solution)) * c.factor; x < 0 || x > most {
				return fmt.Errorf("%s: %s %d has the score %g, which is not in 0 to %g", measure, c.what, i, x, most)
			}
		}
	}
	if s.Nodes == nil || s.Edges == nil || byNode == 0 || s.Solution.Drawn > 0 {
		return nil
	}
	nodes, edges := total(s.Nodes)/(2*byNode), total(s.Edges)/(2*byEdge)
	if math.Abs(edges-nodes-pairs) > solvedTolerance*edges {
		return fmt.Errorf("%s: edge scores sum to %g, node scores to %g, apart by other than the %g pairs", measure, edges,
			nodes, pairs)
	}
	return nil
}

// connectedPairs is the number of pairs of nodes of the same component.
func connectedPairs(g *export.Graph) (sum float64) {
	of, size := componentsOf(g), make([]float64, g.N())
	for v := range int32(g.N()) {
		size[of.Find(v)]++
	}
	for _, n := range size {
		sum += n * (n - 1) / 2
	}
	return sum
}

func componentsOf(g *export.Graph) *disjoint.Sets {
	of := disjoint.New(g.N())
	for v := range int32(g.N()) {
		for _, w := range g.Row(v) {
			of.Join(v, w)
		}
	}
	return of
}

// checkPositive verifies that nodes have scores above 0, except those without a neighbour, which have 0.
func checkPositive(measure string, g *export.Graph, s *kernels.Scores) error {
	for v, x := range s.Nodes {
		if alone := isAlone(g, int32(v)); alone != (x == 0) || x < 0 {
			return export.NewNodesError(nil, fmt.Sprintf("%s: node %%s has the score %g", measure, x), int32(v))
		}
	}
	return nil
}

// isAlone reports whether a node has no neighbour but itself.
func isAlone(g *export.Graph, v int32) bool {
	for _, w := range g.Row(v) {
		if w != v {
			return false
		}
	}
	return true
}

// checkResistances verifies that resistances of edges, times their conductances, make shares of spanning trees.
func checkResistances(measure string, g *export.Graph, r kernels.Request, s *kernels.Scores) error {
	if s.Edges == nil {
		return nil
	}
	shares := make([]float64, g.M())
	for v := range int32(g.N()) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			shares[g.Edge(i)] = s.Edges[g.Edge(i)]
			if r.Weighted {
				shares[g.Edge(i)] *= g.Weight(i)
			}
		}
	}
	return checkSpanning(measure, g, shares, s)
}

// checkDegrees verifies that degrees in spanning trees sum to those of any spanning forest.
func checkDegrees(measure string, g *export.Graph, s *kernels.Scores) error {
	want := 2 * float64(g.N()-componentsOf(g).Count)
	if sum := total(s.Nodes); s.Nodes != nil && math.Abs(sum-want) > tolerance(s.Solution)*want {
		return fmt.Errorf("%s: node scores sum to %g, not to %g", measure, sum, want)
	}
	return nil
}

// checkSpanning verifies that shares of spanning trees lie in (0, 1], or are 0 for self-loops, and sum to the number of
// edges of a spanning forest (Foster's theorem).
func checkSpanning(measure string, g *export.Graph, shares []float64, s *kernels.Scores) error {
	want := float64(g.N() - componentsOf(g).Count)
	if shares == nil {
		return nil
	}
	source, target := g.Ends()
	for e, x := range shares {
		if loop := source[e] == target[e]; loop != (x == 0) || x < 0 || x > 1+solvedTolerance {
			return export.NewNodesError(nil,
				fmt.Sprintf("%s: the edge from node %%s to node %%s is in a share of %g of the spanning trees", measure, x),
				source[e], target[e])
		}
	}
	if sum := total(shares); math.Abs(sum-want) > tolerance(s.Solution)*want {
		return fmt.Errorf("%s: edges are in shares of the spanning trees that sum to %g, not to %g", measure, sum, want)
	}
	return nil
}

func total(scores []float64) (sum float64) {
	for _, x := range scores {
		sum += x
	}
	return sum
}
