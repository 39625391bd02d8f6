package distances

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// foldWorker searches from one source after another.
type foldWorker struct {
	folding
	search search.Search
	masses *pairs.Masses
	far    []float64 // the distances of the nodes that the search has reached, in their order
}

func (w *foldWorker) Source(s int32) error {
	if !w.masses.From(s) {
		return nil
	}
	if err := w.search.From(s); err != nil {
		return err
	}
	p := w.search.Found()
	w.far = search.Distances(w.search, w.far)
	w.masses.Count(&w.sum, p.Order, w.far)
	w.reach.Add(p.Order)
	if nodes, far := p.Order[1:], w.far[1:]; w.masses == nil {
		w.eachNode(nodes, far)
	} else {
		for i, v := range nodes {
			if mass := w.masses.Of(v); mass > 0 {
				w.at(far[i])
				w.node(v, mass)
			}
		}
	}
	if w.own.edgeCount != nil {
		w.edges(s, p)
	}
	return nil
}

// edges folds distances at the edges: each at the arc that leaves its nearer end.
func (w *foldWorker) edges(s int32, p *search.Paths) {
	back := w.g.Transpose()
	for _, v := range p.Order[1:] {
		d := w.search.Distance(v)
		w.row(w.g, s, v, d, false)
		if w.g.Directed {
			w.row(back, s, v, d, true)
		}
	}
}

// row folds d at the edges of v's row whose nearer end is v. Of two ends equally near, the one with the smaller index
// counts when undirected, and the one the arc leaves when directed.
func (w *foldWorker) row(g *export.Graph, s, v int32, d float64, back bool) {
	for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
		u := g.Targets[i]
		if u == s || u == v {
			continue
		}
		if w.search.Reached(u) {
			far := w.search.Distance(u)
			if far < d || far == d && (back || !g.Directed && u < v) {
				continue
			}
		}
		if mass := w.masses.OfEdge(u, v); mass > 0 {
			w.at(d)
			w.edge(g.Edge(i), mass)
		}
	}
}
