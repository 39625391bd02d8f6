package reduce

import (
	"math/bits"
	"unsafe"
)

// arc is an arc of a core, with what a search reads side by side.
type arc[T distance] struct {
	to     int32
	length T
	paths  float64 // of the arc's link
}

// row is what a search from one branch node finds.
type row[T distance] struct {
	dist  []T
	count []float64 // shortest paths; mantissas when exp is set
	exp   []int32   // exponents, nil when no count passes maxCount
	order []int32   // nodes, none before one that is on a shortest path to it
}

func (r *row[T]) paths(v int32) count {
	if r.exp == nil {
		return count{mantissa: r.count[v]}
	}
	return count{r.count[v], r.exp[v]}
}

// maxBuckets bounds the ring of buckets; a search with a wider range of lengths uses a heap.
const maxBuckets = 1 << 16

// search finds shortest paths in a core with buckets (Dial). A bucket is no wider than the shortest arc, so that no
// shortest path has two nodes in one, and the nodes of a bucket are final when it is reached.
type search[T distance] struct {
	p     *problem[T]
	stop  *stopper
	shift uint // log2 of the width of a bucket
	head  []int32
	used  []uint64
	pool  []entry
	heap  []heapEntry[T]
}

type entry struct{ node, next int32 }

func newSearch[T distance](p *problem[T], stop *stopper) *search[T] {
	s := &search[T]{p: p, stop: stop}
	if p.shortest == p.longest {
		return s
	}
	s.shift = uint(bits.Len64(uint64(p.shortest)) - 1)
	if size := uint64(p.longest)>>s.shift + 2; size <= maxBuckets {
		size = max(64, uint64(1)<<bits.Len64(size-1))
		s.head, s.used = make([]int32, size), make([]uint64, size/64)
	}
	return s
}

// from searches from a into r, whose slices have room for all nodes.
func (s *search[T]) from(a int32, r *row[T]) error {
	far := unreached[T]()
	for v := range r.dist {
		r.dist[v] = far
	}
	r.dist[a], r.count[a], r.order, r.exp = 0, 1, r.order[:0], nil
	var err error
	switch {
	case s.p.shortest == s.p.longest:
		err = s.levels(a, r)
	case s.head != nil:
		err = s.buckets(a, r)
	default:
		err = s.heaped(a, r)
	}
	if err != nil {
		return err
	}
	for _, c := range r.count {
		if !(c <= maxCount) {
			s.p.recount(r)
			break
		}
	}
	return nil
}

// unreached is a distance longer than any.
func unreached[T distance]() T { return T(1) << (8*unsafe.Sizeof(T(0)) - 2) }

// levels is the search for arcs of equal length.
func (s *search[T]) levels(a int32, r *row[T]) error {
	p, dist, paths, order := s.p, r.dist, r.count, append(r.order, a)
	for i := 0; i < len(order); i++ {
		if i%stopEvery == 0 && s.stop.stopped() {
			return s.stop.err()
		}
		v := order[i]
		to, through := dist[v]+p.shortest, paths[v]
		for _, arc := range p.arcs[p.offsets[v]:p.offsets[v+1]] {
			if old := dist[arc.to]; to < old {
				dist[arc.to], paths[arc.to] = to, through*arc.paths
				order = append(order, arc.to)
			} else if to == old {
				paths[arc.to] += through * arc.paths
			}
		}
	}
	r.order = order
	return nil
}

// buckets is the search for arcs of lengths that differ.
func (s *search[T]) buckets(a int32, r *row[T]) error {
	for i := range s.head {
		s.head[i] = -1
	}
	clear(s.used)
	s.pool = s.pool[:0]
	s.push(a, 0)
	for at, ok := uint64(0), true; ok; at, ok = s.next(at) {
		if s.stop.stopped() {
			return s.stop.err()
		}
		i := int(at) & (len(s.head) - 1)
		e := s.head[i]
		s.head[i] = -1
		s.used[i/64] &^= 1 << (i % 64)
		for ; e >= 0; e = s.pool[e].next {
			if v := s.pool[e].node; uint64(r.dist[v])>>s.shift == at {
				r.order = append(r.order, v)
				s.relax(v, r)
			}
		}
	}
	return nil
}

func (s *search[T]) relax(v int32, r *row[T]) {
	p, dist, paths := s.p, r.dist, r.count
	from, through := dist[v], paths[v]
	for _, arc := range p.arcs[p.offsets[v]:p.offsets[v+1]] {
		w, to := arc.to, from+arc.length
		old := dist[w]
		if to > old {
			continue
		}
		c := through * arc.paths
		if to == old {
			paths[w] += c
			continue
		}
		dist[w], paths[w] = to, c
		if bucket := uint64(to) >> s.shift; bucket != uint64(old)>>s.shift {
			s.push(w, bucket)
		}
	}
}

func (s *search[T]) push(v int32, bucket uint64) {
	i := int(bucket) & (len(s.head) - 1)
	s.pool = append(s.pool, entry{v, s.head[i]})
	s.head[i] = int32(len(s.pool) - 1)
	s.used[i/64] |= 1 << (i % 64)
}

// next returns the first bucket after at that is in use.
func (s *search[T]) next(at uint64) (uint64, bool) {
	size := uint64(len(s.head))
	at++
	i := at & (size - 1)
	if word := s.used[i/64] >> (i % 64); word != 0 {
		return at + uint64(bits.TrailingZeros64(word)), true
	}
	at += 64 - i%64
	for range s.used {
		i = at & (size - 1)
		if word := s.used[i/64]; word != 0 {
			return at + uint64(bits.TrailingZeros64(word)), true
		}
		at += 64
	}
	return 0, false
}
