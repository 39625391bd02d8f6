package communities

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// edgeLengths makes rows that measure paths in one way.
type edgeLengths interface {
	newRows(b *block, stored bool) rows
	// rowBytes is the memory that a pair of nodes takes.
	rowBytes() int64
}

type inHops struct{}

func (inHops) newRows(b *block, stored bool) rows { return newHopRows(b, stored) }

func (inHops) rowBytes() int64 { return 2 + flowBytes }

const flowBytes = 16

type inWeights[D int64 | float64] struct {
	length    []D // by edge of the graph
	far       D
	tolerance float64
}

func (l inWeights[D]) newRows(b *block, stored bool) rows {
	return newWeightRows(b, l.length, l.far, l.tolerance, stored)
}

func (inWeights[D]) rowBytes() int64 { return 8 + flowBytes }

// lengthsOf returns the lengths of edges. Ticks of more than 62 bits become float64.
func lengthsOf(g *export.Graph, l lengths.Lengths, tolerance float64) edgeLengths {
	switch l := l.(type) {
	case *lengths.Ticks:
		return inWeights[int64]{byEdge(g, l.Arc), farTicks, 0}
	case *lengths.Reals:
		return inWeights[float64]{byEdge(g, l.Arc), math.Inf(1), l.Tolerance}
	case *lengths.WideTicks:
		return lengthsOf(g, lengths.NewReals(g.Weights, tolerance, l.Shift()), tolerance)
	}
	return inHops{}
}

func byEdge[D any](g *export.Graph, arcs []D) []D {
	out := make([]D, g.M())
	for i, x := range arcs {
		out[g.Edge(int64(i))] = x
	}
	return out
}
