package simplify

import (
	"errors"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Choose makes the backbone of a graph. The scores are the betweenness of all nodes, and then of all edges.
func Choose(g *export.Graph, scores []float64, p kernels.Params) (b *kernels.Backbone, err error) {
	if g.M() == 0 {
		return nil, errors.New("backbone: the graph has no edges, so there is nothing to keep")
	}
	nodes, edges := scores[:g.N()], scores[g.N():]
	rule := Rule{Share: p.KeepShare(), Threshold: p.Threshold, Connected: p.Connected}
	b = &kernels.Backbone{Betweenness: edges}
	if p.Variant == kernels.OfNodes {
		b.Betweenness = nodes
		if b.Nodes, err = Nodes(nodes, rule); err != nil {
			return nil, errors.New("backbone: " + err.Error())
		}
		b.Edges = Between(g, b.Nodes)
	} else {
		if b.Edges, err = Edges(g, edges, rule); err != nil {
			return nil, errors.New("backbone: " + err.Error())
		}
		b.Nodes = Touched(g, b.Edges)
	}
	b.NodeCount, b.EdgeCount = countOf(b.Nodes), countOf(b.Edges)
	if p.Connected && p.Threshold == nil {
		b.Excess = max(0, b.EdgeCount-rule.Count(g.M()))
	}
	return b, nil
}

func countOf(flags []bool) (n int) {
	for _, flag := range flags {
		if flag {
			n++
		}
	}
	return n
}

// Draw returns so many of the nodes, or all if there are no more.
func Draw(nodes []int32, most int) (sources []int32) {
	if len(nodes) <= most {
		return nodes
	}
	for _, i := range kernels.DrawSources(len(nodes), most, 1) {
		sources = append(sources, nodes[i])
	}
	return sources
}
