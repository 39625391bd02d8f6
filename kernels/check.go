package kernels

import (
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// How far, relative to the larger side, the two sides of an invariant may lie apart by rounding.
const (
	checkTolerance       = 1e-9
	checkSingleTolerance = 1e-5
)

// Check verifies scores before anyone relies on them: their number, that all are finite, and for betweenness the
// invariants that tie its sums to the pairs and distances that the searches counted: the scores of all edges less those
// of all nodes make the number of pairs; by hops, those of all edges make the sum of the distances. They hold for any
// set of sources, under scaling, halving and normalisation. NaN stands for null under the option log.
func Check(m Measure, g *export.Graph, r Request, s *Scores) error {
	if r.Nodes && len(s.Nodes) != g.N() || r.Edges && len(s.Edges) != g.M() {
		return fmt.Errorf("%s: %d node and %d edge scores for %d nodes and %d edges", m.Name, len(s.Nodes), len(s.Edges), g.N(), g.M())
	}
	if err := CheckFinite(m.Name, g, s, r.Log); err != nil {
		return err
	}
	switch {
	case m.Kind == Dependencies:
		return checkDependencies(g, r, s)
	case m.Kind.Groups():
		return checkGrouping(m, g, r, s)
	case m.Kind == Backbones:
		return checkBackbone(g, r, s)
	}
	if m.Kind.Iterates() {
		return checkRanks(m, g, r, s)
	}
	return checkStructure(m, g, r, s)
}

func checkDependencies(g *export.Graph, r Request, s *Scores) error {
	byNode, byEdge := BetweennessFactors(g, r)
	pairs, distance := float64(s.Totals.Pairs), s.Totals.Distance
	if r.HasDemand() {
		pairs, distance = s.Totals.Demand, s.Totals.DemandDistance
	}
	var nodes, edges float64
	if s.Nodes != nil {
		nodes = Quotient(total(s.Nodes), byNode)
		if r.Endpoints {
			nodes -= 2 * pairs
		}
	}
	edges = Quotient(total(s.Edges), byEdge)
	hops := !r.Weighted && !s.Totals.NoDistance
	near := func(a, b float64) bool { return near(a, b, s.Single) }
	switch {
	case r.Nodes && r.Edges && byNode != 0 && !near(edges, nodes+pairs):
		return fmt.Errorf("betweenness: edge scores sum to %g, node scores to %g, apart by other than the %g pairs", edges, nodes, pairs)
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
	tolerance := checkTolerance
	if single {
		tolerance = checkSingleTolerance
	}
	return math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}

// CheckFinite reports the first score that is infinite, or not a number unless NaN stands for null.
func CheckFinite(measure string, g *export.Graph, s *Scores, null bool) error {
	bad := func(x float64) bool { return math.IsInf(x, 0) || math.IsNaN(x) && !null }
	if v := slices.IndexFunc(s.Nodes, bad); v >= 0 {
		return export.NewNodesError(nil, measure+" of node %s "+whyBad(s.Nodes[v]), int32(v))
	}
	if e := slices.IndexFunc(s.Edges, bad); e >= 0 {
		source, target := g.Ends()
		return export.NewNodesError(nil, measure+" of the edge from node %s to node %s "+whyBad(s.Edges[e]), source[e], target[e])
	}
	return nil
}

func whyBad(score float64) string {
	if math.IsNaN(score) {
		return "is not a number"
	}
	return "overflows float64; use larger or smaller units for the weights"
}
