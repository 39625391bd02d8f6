package kernels

import (
	"math"
	"slices"
	"sync/atomic"

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
	if !allFinite(s.Nodes) && slices.ContainsFunc(s.Nodes, bad) {
		v := slices.IndexFunc(s.Nodes, bad)
		return export.NewNodesError(nil, measure+" of node %s "+why(s.Nodes[v]), int32(v))
	}
	if !allFinite(s.Edges) && slices.ContainsFunc(s.Edges, bad) {
		e := slices.IndexFunc(s.Edges, bad)
		source, target := g.Ends()
		return export.NewNodesError(nil, measure+" of the edge from node %s to node %s "+why(s.Edges[e]), source[e], target[e])
	}
	return nil
}

// allFinite reports whether no value is infinite or not a number.
func allFinite(values []float64) bool {
	var some atomic.Bool
	inparts.Quick(len(values), func(first, last int) {
		for _, x := range values[first:last] {
			if x-x != 0 {
				some.Store(true)
				return
			}
		}
	})
	return !some.Load()
}
