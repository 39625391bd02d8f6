package reduce

type heapEntry[T Distance] struct {
	dist T
	node int32
}

// heaped is the search for arcs whose lengths differ too much for buckets: Dijkstra's, with a binary heap that may hold
// a node more than once.
func (s *Search[T]) heaped(a int32, r *Row[T]) bool {
	p := s.p
	s.heap = append(s.heap[:0], heapEntry[T]{0, a})
	for steps := 0; len(s.heap) > 0; steps++ {
		if steps%stopEvery == 0 && s.stop() {
			return false
		}
		e := s.pop()
		v := e.node
		if r.Dist[v] != e.dist {
			continue
		}
		r.Order = append(r.Order, v)
		for _, arc := range p.arcs[p.offsets[v]:p.offsets[v+1]] {
			w, to, c := arc.to, e.dist+arc.length, r.Count[v]*arc.paths
			if old := r.Dist[w]; to == old {
				r.Count[w] += c
			} else if to < old {
				r.Dist[w], r.Count[w] = to, c
				s.insert(heapEntry[T]{to, w})
			}
		}
	}
	return true
}

func (s *Search[T]) insert(e heapEntry[T]) {
	h := append(s.heap, e)
	i := len(h) - 1
	for i > 0 && e.dist < h[(i-1)/2].dist {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = e
	s.heap = h
}

func (s *Search[T]) pop() heapEntry[T] {
	h := s.heap
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for child := 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) && h[child+1].dist < h[child].dist {
			child++
		}
		if h[child].dist >= last.dist {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = last
	}
	s.heap = h
	return top
}
