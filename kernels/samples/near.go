package samples

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/dependencies"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// isNear reports whether the nodes of a graph lie next to their neighbours while the CPU draws of it: it is large and
// deep, so that each search looks at much of it.
func isNear(g *export.Graph) bool {
	return mayBeNear(int64(g.N()), g.Directed) && order.LikelyDepth(g).Deep
}

// nearNodes is from how many nodes on a graph is large, or order.NearNodes where that is less, as in tests.
const nearNodes = 1 << 16

// mayBeNear is isNear of a graph that is deep.
func mayBeNear(nodes int64, directed bool) bool {
	return !directed && nodes >= min(nearNodes, order.NearNodes)
}

// drawnNear draws sources by hops as DrawnSources does, for scores of nodes alone, of a graph whose nodes lie next to
// their neighbours. It searches from one source at a time, since sources that lie apart share little.
func drawnNear(
	ctx context.Context, g *export.Graph, r kernels.Request, a kernels.Accuracy, most float64,
) (*kernels.Scores, *kernels.Estimate, error) {
	near, places := inOrder(g, order.Near(g))
	s := newSummer(near, r, search.Of(near, lengths.Hops{}))
	s.hops = dependencies.FitsHops(near)
	strata := func() []int32 { return order.All(near) }
	scores, est, err := OfSources(ctx, near, r, a, s, strata, most/sourceArcs(g, lanes.Single))
	if scores != nil {
		scores.Nodes, est.Nodes, scores.Totals = at(scores.Nodes, places), at(est.Nodes, places), s.found()
	}
	return scores, est, err
}

// at puts the values of nodes in another order back: node v has the value at places[v]. It keeps nil.
func at(values []float64, places []int32) []float64 {
	if values == nil {
		return nil
	}
	out := make([]float64, len(places))
	for v, i := range places {
		out[v] = values[i]
	}
	return out
}

// inOrder returns an undirected graph with its nodes in another order, and their places. Unlike those of
// export.InOrder, rows keep the order of their arcs, by which a key draws one.
func inOrder(g *export.Graph, nodes []int32) (out *export.Graph, places []int32) {
	out = &export.Graph{EdgeCount: g.EdgeCount, Offsets: make([]int64, 1, g.N()+1), Targets: make([]int32, 0, g.Arcs()),
		Edges: make([]int32, 0, g.Arcs())}
	places = make([]int32, g.N())
	for i, v := range nodes {
		places[v] = int32(i)
	}
	for _, v := range nodes {
		for k, w := range g.Row(v) {
			out.Targets, out.Edges = append(out.Targets, places[w]), append(out.Edges, g.Edge(g.Offsets[v]+int64(k)))
		}
		out.Offsets = append(out.Offsets, int64(len(out.Targets)))
	}
	return out, places
}
