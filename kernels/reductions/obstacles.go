package reductions

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// mostLeft is the share of the work that may be left under ReduceAuto.
func mostLeft(r kernels.Request) float64 {
	if r.MostLeft == 0 && r.MostInBlocks == 0 {
		return 1
	}
	return r.MostLeft
}

// reducible returns the lengths of arcs in ticks, nil for hops, or what stands against reductions.
func reducible(g *export.Graph, r kernels.Request, l lengths.Lengths) (ticks []int64, obstacle string) {
	switch {
	case g.Directed:
		return nil, "the graph is directed"
	case r.Sources != nil:
		return nil, "not all nodes are sources"
	case r.Pairs != nil:
		return nil, "not all pairs of nodes count alike"
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
