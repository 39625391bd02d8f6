package cpu

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// foldBatchWorker folds hops from a batch of sources at a time.
type foldBatchWorker struct {
	folding
	search *search.MultiBFS
}

// Source folds one source.
func (w *foldBatchWorker) Source(s int32) error { return w.Batch([]int32{s}) }

func (w *foldBatchWorker) Batch(sources []int32) error {
	err := w.search.From(sources, func(depth int32) {
		w.nodes(float64(depth))
		if w.own.edges != nil {
			w.edges(float64(depth))
		}
	})
	w.reach.add(w.search.Reached)
	return err
}

func (w *foldBatchWorker) nodes(d float64) {
	pairs := 0
	for _, v := range w.search.Level {
		k := w.search.Fresh[v].Count()
		w.own.nodes[v] = w.fold(w.own.nodes[v], d, float64(k))
		w.own.nodeCount[v] += float64(k)
		pairs += k
	}
	w.sum.Pairs += int64(pairs)
	w.sum.Distance += d * float64(pairs)
}

// edges folds d at the edges of which it is the nearer end's distance.
func (w *foldBatchWorker) edges(d float64) {
	for _, v := range w.search.Level {
		w.row(w.g, v, d, false)
		if w.g.Directed {
			w.row(w.search.Back, v, d, true)
		}
	}
}

// row folds d at the edges of v's row for the lanes to which v is the nearer end, as row of foldWorker. A source at the
// other end has seen that at a lesser distance.
func (w *foldBatchWorker) row(g *export.Graph, v int32, d float64, back bool) {
	m := w.search
	lanes := m.Fresh[v]
	for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
		u := g.Targets[i]
		if u == v {
			continue
		}
		nearer := lanes.Without(&m.Seen[u])
		if back || !g.Directed && u < v {
			nearer = nearer.Without(&m.Fresh[u])
		}
		if k := nearer.Count(); k > 0 {
			e := g.Edge(i)
			w.own.edges[e] = w.fold(w.own.edges[e], d, float64(k))
			w.own.edgeCount[e] += float64(k)
		}
	}
}
