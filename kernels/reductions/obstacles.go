package reductions

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// sparseArcs is the number of arcs a node under which reduced searches cost little more than plain ones.
const sparseArcs = 4

// worthwhile is the share of the work that may be left of g for ReduceAuto to reduce. Reduced searches follow lengths.
// That costs 1.15 times a breadth-first search on power (2.7 arcs a node), 1.4 on ca-GrQc-lcc (6.5), and 1.8 to 2.2 on
// air-routes, wiki-Vote, facebook_combined, breast_coexpress and R-MAT graphs (7 to 73; user time of a thread at
// 433ca11). By weights it never costs more. Distances in hops are otherwise found from batches of sources, at a
// twentieth of that on shallow graphs, at half of it on a grid.
func worthwhile(g *export.Graph, weighted, distances bool) float64 {
	switch {
	case weighted:
		return 1
	case distances:
		return 0.1
	case g.Arcs() < sparseArcs*g.N():
		return 0.8
	}
	return 0.5
}

// reducible returns the lengths of arcs in ticks, nil for hops, or what stands against reductions.
func reducible(g *export.Graph, r kernels.Request, l lengths.Lengths) (ticks []int64, obstacle string) {
	switch {
	case g.Directed:
		return nil, "the graph is directed"
	case r.Sources != nil:
		return nil, "not all nodes are sources"
	case g.M() > reduce.MaxEdges:
		return nil, fmt.Sprintf("more than %d edges", reduce.MaxEdges)
	}
	if w, ok := l.(*lengths.Ticks); ok {
		return w.Arc, ""
	}
	if _, ok := l.(lengths.Hops); !ok {
		return nil, "the weights share no tick that 62 bits hold"
	}
	return nil, ""
}
