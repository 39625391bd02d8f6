package cpu

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// folder is how distances are folded.
type folder struct {
	// add folds one more distance, from so many sources, into a sum that starts at 0; join folds two sums.
	add  func(sum, d, sources float64) float64
	join func(sum, other float64) float64
}

func folderOf(fold kernels.Fold) folder {
	switch fold {
	case kernels.FoldInverse:
		return folder{addInverses, add}
	case kernels.FoldGreatest:
		return folder{takeGreatest, greatestOf}
	}
	return folder{addDistances, add}
}

func add(sum, x float64) float64 { return sum + x }

func greatestOf(sum, x float64) float64 { return max(sum, x) }

func addDistances(sum, d, k float64) float64 { return sum + k*d }

func addInverses(sum, d, k float64) float64 { return sum + k/d }

func takeGreatest(sum, d, _ float64) float64 { return max(sum, d) }

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
	fold     folder
	g        *export.Graph
	own, all *folded
	reach    reach
	sum      kernels.Totals
	totals   *kernels.Totals
}

func (w *folding) merge() error {
	if w.reach.many {
		w.all.join(w.own, w.fold.join)
	} else {
		for _, v := range w.reach.nodes {
			w.all.joinAt(w.own, w.fold.join, w.g, v)
		}
	}
	w.reach.forget()
	moveTotals(w.totals, &w.sum)
	return nil
}

// join joins all of from, and clears it.
func (f *folded) join(from *folded, join func(sum, other float64) float64) {
	for i, x := range from.nodes {
		f.nodes[i] = join(f.nodes[i], x)
	}
	for i, x := range from.edges {
		f.edges[i] = join(f.edges[i], x)
	}
	clear(from.nodes)
	clear(from.edges)
	move(f.nodeCount, from.nodeCount)
	move(f.edgeCount, from.edgeCount)
}

// joinAt joins what from has of a node and its edges, and clears it.
func (f *folded) joinAt(from *folded, join func(sum, other float64) float64, g *export.Graph, v int32) {
	f.nodes[v], from.nodes[v] = join(f.nodes[v], from.nodes[v]), 0
	f.nodeCount[v], from.nodeCount[v] = f.nodeCount[v]+from.nodeCount[v], 0
	if f.edges == nil {
		return
	}
	edges := func(g *export.Graph) {
		for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
			e := g.Edge(k) // 0 from an edge's other end
			f.edges[e], from.edges[e] = join(f.edges[e], from.edges[e]), 0
			f.edgeCount[e], from.edgeCount[e] = f.edgeCount[e]+from.edgeCount[e], 0
		}
	}
	edges(g)
	if g.Directed {
		edges(g.Transpose())
	}
}
