package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// degrees counts arcs, or sums weights where the measure reads them.
func degrees(_ context.Context, t task) (*kernels.Scores, error) {
	if t.measure.Weights == kernels.RequiredWeights {
		return strength(t.measure, t.graph)
	}
	return degree(t.graph), nil
}

// degree counts the arcs that leave each node: parallel ones all, a self-loop 2 when undirected and 1 when directed.
func degree(g *export.Graph) *kernels.Scores {
	out := &kernels.Scores{Nodes: make([]float64, g.N())}
	for v := range out.Nodes {
		out.Nodes[v] = float64(g.Degree(int32(v)))
	}
	return out
}

// strength sums the weights of the arcs that leave each node.
func strength(m kernels.Measure, g *export.Graph) (*kernels.Scores, error) {
	out := &kernels.Scores{Nodes: make([]float64, g.N())}
	for v := range out.Nodes {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			out.Nodes[v] += g.Weight(i)
		}
	}
	return out, kernels.CheckFinite(m.Name, g, out, false)
}
