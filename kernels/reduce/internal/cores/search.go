package cores

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/linchpin-graph/linchpin/internal/heap"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// arc is an arc of a core, with what a search reads side by side.
type arc[T Distance] struct {
	to     int32
	length T
	paths  float64 // of the arc's link
}

// Row is what a search from one branch node finds, for each branch node of the core.
type Row[T Distance] struct {
	Dist  []T
	Count []float64 // shortest paths; where Exp is set, times 2^Exp
	Exp   []int32   // nil when no count passes 2^600
	Order []int32   // nodes, the source first, none before one that is on a shortest path to it
	// doubt says that rounding hides which paths are shortest, so that fine tells them.
	doubt bool
	fine  atomic.Pointer[[]lengths.U128] // distances where Dist are rounded; nil until they are needed
}

// NewRow returns a row for a core of n branch nodes.
func NewRow[T Distance](n int) *Row[T] {
	return &Row[T]{Dist: make([]T, n), Count: make([]float64, n), Order: make([]int32, 0, n)}
}

func (r *Row[T]) paths(v int32) count {
	if r.Exp == nil {
		return count{mantissa: r.Count[v]}
	}
	return count{r.Count[v], r.Exp[v]}
}

// maxBuckets bounds the ring of buckets; lengths of a wider range are far apart.
const maxBuckets = 1 << 16

// Search finds shortest paths in a core with buckets (Dial). Unless lengths are far apart, a bucket is no wider than
// the shortest arc, so that no shortest path has two nodes in one, and the nodes of a bucket are final when it is
// reached.
type Search[T Distance] struct {
	p     *Problem[T]
	stop  func() bool
	level bool // all arcs are as long
	shift uint // log2 of the width of a bucket
	ring  *heap.Ring
	apart *farApart // nil unless they are
}

// NewSearch returns a search for one goroutine at a time. It calls stop now and then, and gives up once that returns
// true.
func NewSearch[T Distance](p *Problem[T], stop func() bool) *Search[T] {
	s := &Search[T]{p: p, stop: stop}
	if s.level = p.shortest == p.longest && (p.slack == 0 || len(p.arcs) == 0); s.level {
		return s
	}
	s.shift = uint(bits.Len64(uint64(p.shortest-p.slack)) - 1)
	if size := uint64(p.longest)>>s.shift + 2; size <= maxBuckets {
		s.ring = heap.NewRing(size)
	} else {
		s.chooseWidth()
	}
	return s
}

// From searches from a into r. It returns false when stopped.
func (s *Search[T]) From(a int32, r *Row[T]) bool {
	r.begin(a)
	done := false
	switch {
	case s.level:
		done = s.levels(a, r)
	case s.apart != nil:
		done = s.settleApart(a, r)
	default:
		done = s.buckets(a, r)
	}
	if !done {
		return false
	}
	if r.doubt {
		s.p.countFinely(r)
	}
	for _, c := range r.Count {
		if !(c <= maxCount) {
			s.p.recount(r)
			break
		}
	}
	return true
}

// begin makes it the row of a search from a that has found nothing yet.
func (r *Row[T]) begin(a int32) {
	far := Unreached[T]()
	for v := range r.Dist {
		r.Dist[v] = far
	}
	r.Dist[a], r.Count[a], r.Order, r.Exp, r.doubt = 0, 1, r.Order[:0], nil, false
	r.fine.Store(nil)
}

// Unreached returns a distance longer than any.
func Unreached[T Distance]() T { return T(1) << (8*unsafe.Sizeof(T(0)) - 2) }

// levels is the search for arcs of equal length.
func (s *Search[T]) levels(a int32, r *Row[T]) bool {
	p, dist, paths, order := s.p, r.Dist, r.Count, append(r.Order, a)
	for i := 0; i < len(order); i++ {
		if i%stopper.Every == 0 && s.stop() {
			return false
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
	r.Order = order
	return true
}

// buckets is the search for arcs of lengths that differ.
func (s *Search[T]) buckets(a int32, r *Row[T]) bool {
	s.ring.Push(a, 0)
	for at, ok := uint64(0), true; ok; at, ok = s.ring.Next(at) {
		if s.stop() {
			s.ring.Reset()
			return false
		}
		for e := s.ring.Take(at); e >= 0; {
			var v int32
			if v, e = s.ring.Entry(e); uint64(r.Dist[v])>>s.shift == at {
				r.Order = append(r.Order, v)
				s.relax(v, r)
			}
		}
	}
	return true
}

// relax follows the arcs of a node.
func (s *Search[T]) relax(v int32, r *Row[T]) {
	if s.p.slack > 0 {
		s.relaxRounded(v, r)
		return
	}
	p, dist, paths := s.p, r.Dist, r.Count
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
			s.ring.Push(w, bucket)
		}
	}
}

// relaxRounded is relax where lengths are rounded: distances that differ by the slack at most may be the same, which
// leaves doubt.
func (s *Search[T]) relaxRounded(v int32, r *Row[T]) {
	p, dist, paths := s.p, r.Dist, r.Count
	from, through, slack := dist[v], paths[v], p.slack
	for _, arc := range p.arcs[p.offsets[v]:p.offsets[v+1]] {
		w, to := arc.to, from+arc.length
		old := dist[w]
		if to > old+slack {
			continue
		}
		c := through * arc.paths
		if to+slack >= old {
			paths[w] += c
			r.doubt = true
			if to >= old {
				continue
			}
		}
		dist[w], paths[w] = to, c
		if bucket := uint64(to) >> s.shift; bucket != uint64(old)>>s.shift {
			s.ring.Push(w, bucket)
		}
	}
}
