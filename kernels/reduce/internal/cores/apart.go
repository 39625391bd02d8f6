package cores

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/linchpin-graph/linchpin/internal/heap"
)

// farApart is the part of a Search for arcs whose lengths differ so much that few paths are as long. A bucket has a few
// nodes, which are settled as they come, and again where one lowers another. Paths are counted as if there were one to
// each node, and counted again where there are more.
type farApart struct {
	passed []bool // settled at its distance
	again  bool   // a node was lowered within its bucket
	ties   bool   // there may be more paths
}

const (
	// bucketsPerArc is how many buckets the longest arc reaches over in a small core, as a logarithm, and in a search that
	// nothing is known of.
	bucketsPerArc = 4
	// nodesPerBucket is how many nodes are to be in a bucket that a search comes to, in a core of leastProbed nodes and
	// more.
	nodesPerBucket = 6
	leastProbed    = 500
)

// chooseWidth makes buckets for a core by the distances from its first node.
func (s *Search[T]) chooseWidth() {
	s.apart = &farApart{passed: make([]bool, s.p.nodes())}
	s.setWidth(max(0, bits.Len64(uint64(s.p.longest))-bucketsPerArc))
	if s.p.nodes() < leastProbed {
		return
	}
	r := NewRow[T](s.p.nodes())
	r.begin(0)
	if !s.byParts(0, r) {
		s.ring.Reset()
		return
	}
	farthest := slices.Max(r.Dist)
	s.setWidth(bits.Len64(uint64(farthest) / uint64(s.p.nodes()) * nodesPerBucket))
}

// setWidth has buckets 2^shift wide, or wider where that would be more than maxBuckets.
func (s *Search[T]) setWidth(shift int) {
	for s.shift = uint(shift); uint64(s.p.longest)>>s.shift+2 > maxBuckets; s.shift++ {
	}
	s.ring = heap.NewRing(uint64(s.p.longest)>>s.shift + 2)
}

// settleApart is the search for arcs whose lengths differ too much for buckets that are no wider than the shortest.
func (s *Search[T]) settleApart(a int32, r *Row[T]) bool {
	if !s.byParts(a, r) {
		s.ring.Reset()
		return false
	}
	if s.apart.ties {
		dist := r.Dist
		slices.SortFunc(r.Order, func(v, w int32) int { return cmp.Or(cmp.Compare(dist[v], dist[w]), cmp.Compare(v, w)) })
		if r.doubt = s.p.slack > 0; !r.doubt {
			s.p.countAgain(r)
		}
	}
	return true
}

func (s *Search[T]) byParts(a int32, r *Row[T]) bool {
	s.apart.again, s.apart.ties = false, false
	clear(s.apart.passed)
	s.ring.Push(a, 0)
	for at, ok := uint64(0), true; ok; at, ok = s.ring.Next(at) {
		if s.stop() {
			return false
		}
		first := len(r.Order)
		for e := s.ring.Take(at); e >= 0; e = s.ring.Take(at) {
			for e >= 0 {
				var v int32
				if v, e = s.ring.Entry(e); !s.apart.passed[v] && uint64(r.Dist[v])>>s.shift == at {
					s.apart.passed[v] = true
					r.Order = append(r.Order, v)
					s.relaxApart(v, at, r)
				}
			}
		}
		if s.apart.again {
			s.apart.again = false
			r.Order = heap.KeepLast(r.Order, first)
		}
	}
	return true
}

func (s *Search[T]) relaxApart(v int32, at uint64, r *Row[T]) {
	p, dist, paths, passed, far := s.p, r.Dist, r.Count, s.apart.passed, Unreached[T]()
	from, through := dist[v], paths[v]
	for _, arc := range p.arcs[p.offsets[v]:p.offsets[v+1]] {
		w, to := arc.to, from+arc.length
		old := dist[w]
		if to > old+p.slack {
			continue
		}
		if to+p.slack >= old {
			if s.apart.ties = true; to >= old {
				continue
			}
		}
		dist[w], paths[w], passed[w] = to, through*arc.paths, false
		b := uint64(to) >> s.shift
		switch {
		case old == far:
		case b == at:
			s.apart.again = true
		case b == uint64(old)>>s.shift:
			continue
		}
		s.ring.Push(w, b)
	}
}

// countAgain counts the paths of a row whose order is that of distances, which are exact.
func (p *Problem[T]) countAgain(r *Row[T]) {
	clear(r.Count)
	r.Count[r.Order[0]] = 1
	for _, v := range r.Order {
		from, through := r.Dist[v], r.Count[v]
		for _, arc := range p.arcs[p.offsets[v]:p.offsets[v+1]] {
			if from+arc.length == r.Dist[arc.to] {
				r.Count[arc.to] += through * arc.paths
			}
		}
	}
}
