package cpu

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// folder folds one more distance, from so many sources, into a sum that starts at 0.
type folder func(sum, d, sources float64) float64

func folderOf(fold kernels.Fold) folder {
	switch fold {
	case kernels.FoldInverse:
		return func(sum, d, k float64) float64 { return sum + k/d }
	case kernels.FoldGreatest:
		return func(sum, d, _ float64) float64 { return max(sum, d) }
	}
	return func(sum, d, k float64) float64 { return sum + k*d }
}

// folded has the folded sum of distances of every node and edge, and of how many sources.
type folded struct {
	nodes, nodeCount, edges, edgeCount []float64
}

func newFolded(g *export.Graph, edges bool) *folded {
	f := &folded{nodes: make([]float64, g.N()), nodeCount: make([]float64, g.N())}
	if edges {
		f.edges, f.edgeCount = make([]float64, g.M()), make([]float64, g.M())
	}
	return f
}

// folding is what workers fold.
type folding struct {
	fold  folder
	g     *export.Graph
	own   *folded
	reach reach
	sum   kernels.Totals
	all   *kernels.Partial
}

func newFolding(g *export.Graph, r kernels.Request, fold kernels.Fold, into *kernels.Partial) folding {
	return folding{fold: folderOf(fold), g: g, own: newFolded(g, r.Edges), reach: newReach(g.N()), all: into}
}

func (w *folding) Merge() error {
	if w.reach.many {
		w.own.moveAll(w.all)
	} else {
		for _, v := range w.reach.nodes {
			w.own.moveAt(w.all, w.g, v)
		}
	}
	w.reach.forget()
	joinTotals(w.all, &w.sum)
	return nil
}

// moveAll adds all folds to a partial result, and clears them.
func (f *folded) moveAll(into *kernels.Partial) {
	for v := range f.nodes {
		f.moveNode(into, int32(v))
	}
	for e := range f.edges {
		f.moveEdge(into, int32(e))
	}
}

// moveAt adds the folds of a node and its edges, and clears them.
func (f *folded) moveAt(into *kernels.Partial, g *export.Graph, v int32) {
	f.moveNode(into, v)
	if f.edges == nil {
		return
	}
	edges := func(g *export.Graph) {
		for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
			f.moveEdge(into, g.Edge(k)) // 0 from an edge's other end
		}
	}
	edges(g)
	if g.Directed {
		edges(g.Transpose())
	}
}

func (f *folded) moveNode(into *kernels.Partial, v int32) {
	if f.nodeCount[v] == 0 {
		return
	}
	switch {
	case into.Nodes != nil:
		into.Nodes.Add(int(v), f.nodes[v])
	case into.WideNodes != nil:
		into.WideNodes[v].AddFloat(f.nodes[v])
	default:
		into.MostNodes[v] = max(into.MostNodes[v], f.nodes[v])
	}
	if into.NodeDemands != nil {
		into.NodeDemands[v].AddFloat(f.nodeCount[v])
	} else {
		into.NodeCounts[v] += int64(f.nodeCount[v])
	}
	f.nodes[v], f.nodeCount[v] = 0, 0
}

func (f *folded) moveEdge(into *kernels.Partial, e int32) {
	if f.edgeCount[e] == 0 {
		return
	}
	switch {
	case into.Edges != nil:
		into.Edges.Add(int(e), f.edges[e])
	case into.WideEdges != nil:
		into.WideEdges[e].AddFloat(f.edges[e])
	default:
		into.MostEdges[e] = max(into.MostEdges[e], f.edges[e])
	}
	if into.EdgeDemands != nil {
		into.EdgeDemands[e].AddFloat(f.edgeCount[e])
	} else {
		into.EdgeCounts[e] += int64(f.edgeCount[e])
	}
	f.edges[e], f.edgeCount[e] = 0, 0
}
