// Package check verifies scores of any engine against what the definitions of their measures say, as far as a look at
// the graph can tell.
package check

import (
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// How far, relative to the larger side, the two sides of an invariant may lie apart by rounding.
const (
	tolerance       = 1e-9
	singleTolerance = 1e-5
)

// Scores verifies scores before anyone relies on them: their number, that all are finite, and for betweenness the
// invariants that tie its sums to the pairs and distances that the searches counted: the scores of all edges less those
// of all nodes make the number of pairs; by hops, those of all edges make the sum of the distances. They hold for any
// set of sources, under scaling, halving and normalisation. NaN stands for null under the options log and top.
func Scores(m kernels.Measure, g *export.Graph, r kernels.Request, s *kernels.Scores) error {
	if r.Nodes && len(s.Nodes) != g.N() || r.Edges && len(s.Edges) != g.M() {
		return fmt.Errorf("%s: %d node and %d edge scores for %d nodes and %d edges", m.Name, len(s.Nodes), len(s.Edges),
			g.N(), g.M())
	}
	if err := kernels.CheckFinite(m.Name, g, s, r.Log || r.Top != nil); err != nil {
		return err
	}
	switch {
	case m.Kind == kernels.Dependencies:
		return checkDependencies(g, r, s)
	case m.Kind.Groups():
		return checkGrouping(m, g, r, s)
	case m.Kind == kernels.Backbones:
		return checkBackbone(g, r, s)
	}
	if m.Kind.Iterates() {
		return checkRanks(m, g, r, s)
	}
	return checkStructure(m, g, r, s)
}

func checkDependencies(g *export.Graph, r kernels.Request, s *kernels.Scores) error {
	byNode, byEdge := kernels.BetweennessFactors(g, r)
	pairs, distance := float64(s.Totals.Pairs), s.Totals.Distance
	if r.HasDemand() {
		pairs, distance = s.Totals.Demand, s.Totals.DemandDistance
	}
	var nodes, edges float64
	if s.Nodes != nil {
		nodes = kernels.Quotient(total(s.Nodes), byNode)
		if r.Endpoints {
			nodes -= 2 * pairs
		}
	}
	edges = kernels.Quotient(total(s.Edges), byEdge)
	hops := !r.Weighted && !s.Totals.NoDistance
	near := func(a, b float64) bool { return near(a, b, s.Single) }
	switch {
	case r.Nodes && r.Edges && byNode != 0 && !near(edges, nodes+pairs):
		return fmt.Errorf("betweenness: edge scores sum to %g, node scores to %g, apart by other than the %g pairs", edges,
			nodes, pairs)
	case r.Nodes && hops && byNode != 0 && !near(nodes+pairs, distance):
		return fmt.Errorf("betweenness: node scores sum to %g, but distances less pairs to %g", nodes, distance-pairs)
	case r.Edges && hops && byEdge != 0 && !near(edges, distance):
		return fmt.Errorf("betweenness: edge scores sum to %g, but distances to %g", edges, distance)
	}
	return nil
}

func total(scores []float64) float64 {
	sum := 0.0
	for _, x := range scores {
		sum += x
	}
	return sum
}

func near(a, b float64, single bool) bool {
	within := tolerance
	if single {
		within = singleTolerance
	}
	return math.Abs(a-b) <= within*max(math.Abs(a), math.Abs(b))
}
