package distances

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
		w.at(float64(depth))
		w.nodes()
		if w.own.edgeCount != nil {
			w.edges()
		}
	})
	w.reach.Add(w.search.Reached)
	return err
}

func (w *foldBatchWorker) nodes() {
	pairs := 0
	for _, v := range w.search.Level {
		k := w.search.Fresh[v].Count()
		w.node(v, float64(k))
		pairs += k
	}
	w.sum.Pairs += int64(pairs)
	w.sum.Distance += w.distance * float64(pairs)
}

// edges folds the distance at the edges of which it is that of the nearer end.
func (w *foldBatchWorker) edges() {
	for _, v := range w.search.Level {
		w.row(w.g, v, false)
		if w.g.Directed {
			w.row(w.search.Back, v, true)
		}
	}
}

// row folds the distance at the edges of v's row for the lanes to which v is the nearer end, as row of foldWorker. A
// source at the other end has seen that at a lesser distance.
func (w *foldBatchWorker) row(g *export.Graph, v int32, back bool) {
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
			w.edge(g.Edge(i), float64(k))
		}
	}
}
