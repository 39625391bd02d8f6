package kernels

import (
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// CheckFinite reports the first score that is infinite, or not a number unless NaN stands for null.
func CheckFinite(measure string, g *export.Graph, s *Scores, null bool) error {
	why := func(score float64) string {
		if math.IsNaN(score) {
			return "is not a number"
		}
		return "overflows float64; use larger or smaller units for the weights"
	}
	bad := func(x float64) bool { return math.IsInf(x, 0) || math.IsNaN(x) && !null }
	infinite := func(scores []float64) bool { // or not a number
		var a, b, c, d float64 // not a number from the first such score on
		for ; len(scores) >= 4; scores = scores[4:] {
			a, b, c, d = a+0*scores[0], b+0*scores[1], c+0*scores[2], d+0*scores[3]
		}
		for _, x := range scores {
			a += 0 * x
		}
		return a+b+c+d != 0
	}
	if inparts.Some(s.Nodes, infinite) && slices.ContainsFunc(s.Nodes, bad) {
		v := slices.IndexFunc(s.Nodes, bad)
		return export.NewNodesError(nil, measure+" of node %s "+why(s.Nodes[v]), int32(v))
	}
	if inparts.Some(s.Edges, infinite) && slices.ContainsFunc(s.Edges, bad) {
		e := slices.IndexFunc(s.Edges, bad)
		source, target := g.Ends()
		return export.NewNodesError(nil, measure+" of the edge from node %s to node %s "+why(s.Edges[e]),
			source[e], target[e])
	}
	return nil
}
