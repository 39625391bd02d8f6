package cores

import (
	"github.com/linchpin-graph/linchpin/internal/heap"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// heaped is the search for arcs whose lengths differ too much for buckets: Dijkstra's, with a binary heap that may hold
// a node more than once.
func (s *Search[T]) heaped(a int32, r *Row[T]) bool {
	p := s.p
	s.heap = append(s.heap[:0], heap.Entry[T]{At: a})
	for steps := 0; len(s.heap) > 0; steps++ {
		if steps%stopper.Every == 0 && s.stop() {
			return false
		}
		e := s.heap.Pop()
		v := e.At
		if r.Dist[v] != e.Key {
			continue
		}
		r.Order = append(r.Order, v)
		for _, arc := range p.arcs[p.offsets[v]:p.offsets[v+1]] {
			w, to, c := arc.to, e.Key+arc.length, r.Count[v]*arc.paths
			old := r.Dist[w]
			if to > old+p.slack {
				continue
			}
			if to+p.slack >= old {
				r.Count[w] += c
				r.doubt = r.doubt || p.slack > 0
			}
			if to < old {
				r.Dist[w], r.Count[w] = to, c
				s.heap.Push(heap.Entry[T]{Key: to, At: w})
			}
		}
	}
	return true
}
