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
	if obstacle := unlike(g, r); obstacle != "" {
		return nil, obstacle
	}
	if w, ok := l.(*lengths.Ticks); ok {
		return w.Arc, ""
	}
	if _, ok := l.(lengths.Hops); !ok {
		return nil, noTick
	}
	return nil, ""
}

// noTick stands against reductions by weights.
const noTick = "the weights share no tick that 62 bits hold"

// unlike returns what stands against reductions by any lengths, or "".
func unlike(g *export.Graph, r kernels.Request) string {
	switch {
	case g.Directed:
		return "the graph is directed"
	case r.Sources != nil:
		return "not all nodes are sources"
	case r.Pairs != nil:
		return "not all pairs of nodes count alike"
	case g.M() > reduce.MaxEdges:
		return fmt.Sprintf("more than %d edges", reduce.MaxEdges)
	}
	return ""
}
