package generate

import (
	"github.com/linchpin-graph/linchpin/export"
)

// Weights says which weights edges get.
type Weights string

// Integers are uniform in 1..10, or from 1 to another bound; reals are uniform in (0, 1].
const (
	NoWeights       Weights = ""
	OneWeights      Weights = "one"
	IntegerWeights  Weights = "int"
	ThousandWeights Weights = "thousand"
	MillionWeights  Weights = "million"
	RealWeights     Weights = "real"
)

// greatest is the bound of whole weights; 0 for reals.
func (w Weights) greatest() float64 {
	return map[Weights]float64{OneWeights: 1, IntegerWeights: 10, ThousandWeights: 1e3, MillionWeights: 1e6}[w]
}

// edgeWeights draws the weights of count edges from number first on; edge e's depends on seed and e alone.
func edgeWeights(kind Weights, seed uint64, first int64, count int) []float64 {
	if kind == NoWeights {
		return nil
	}
	out := make([]float64, count)
	for e := range out {
		x := mix(mix(seed) ^ uint64(first+int64(e))*0x9e3779b97f4a7c15)
		if most := kind.greatest(); most > 0 {
			out[e] = 1 + float64(int(unit(x)*most))
		} else {
			out[e] = 1 - unit(x)
		}
	}
	return out
}

// WithWeights returns the snapshot of an undirected graph with other weights: one an edge, in the order of the edges,
// which are sorted by their smaller and larger end. Everything but the weights is shared.
func WithWeights(s *export.Snapshot, kind Weights, seed uint64) *export.Snapshot {
	g, perEdge := s.Graph, edgeWeights(kind, seed, 0, s.Graph.M())
	out := *s
	out.Graph = &export.Graph{Directed: g.Directed, Offsets: g.Offsets, Targets: g.Targets, Edges: g.Edges,
		EdgeCount: g.EdgeCount}
	if perEdge != nil {
		out.Graph.Weights = make([]float64, g.Arcs())
		for i := range out.Graph.Weights {
			out.Graph.Weights[i] = perEdge[g.Edge(int64(i))]
		}
	}
	return &out
}
