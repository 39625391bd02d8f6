package kernels

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
)

// degree counts the arcs that leave each node: parallel ones all, a self-loop 2 when undirected and 1 when directed.
func degree(_ context.Context, g *export.Graph, r Request) (*Scores, error) {
	out := &Scores{Nodes: make([]float64, g.N())}
	for v := range out.Nodes {
		out.Nodes[v] = float64(g.Degree(int32(v)))
	}
	return out, nil
}

// strength sums the weights of the arcs that leave each node.
func strength(_ context.Context, g *export.Graph, r Request) (*Scores, error) {
	out := &Scores{Nodes: make([]float64, g.N())}
	for v := range out.Nodes {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			out.Nodes[v] += g.Weight(i)
		}
	}
	return out, usable("strength", g, out, false)
}
