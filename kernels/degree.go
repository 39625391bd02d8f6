package kernels

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
)

// degrees counts arcs, or sums weights where the measure reads them.
func degrees(_ context.Context, m Measure, g *export.Graph, _ Request, _ *Plan) (*Scores, error) {
	if m.Weights == RequiredWeights {
		return strength(m, g)
	}
	return degree(g), nil
}

// degree counts the arcs that leave each node: parallel ones all, a self-loop 2 when undirected and 1 when directed.
func degree(g *export.Graph) *Scores {
	out := &Scores{Nodes: make([]float64, g.N())}
	for v := range out.Nodes {
		out.Nodes[v] = float64(g.Degree(int32(v)))
	}
	return out
}

// strength sums the weights of the arcs that leave each node.
func strength(m Measure, g *export.Graph) (*Scores, error) {
	out := &Scores{Nodes: make([]float64, g.N())}
	for v := range out.Nodes {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			out.Nodes[v] += g.Weight(i)
		}
	}
	return out, usable(m.Name, g, out, false)
}
