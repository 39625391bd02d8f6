package lanes

import (
	"math/bits"
	"unsafe"

	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// pathSums are numbers of shortest paths, added up by nodes, by their places, and edges. Level by level, each term is
// the sum of a group of lanes at a visit. A group has the same sources in a batch of any width, so the sums have the
// same bits.
type pathSums struct{ nodes, edges []exact.Wide }

// NewPathSums returns sums of numbers of paths for a graph of n nodes, and for m edges unless that is 0.
func NewPathSums(n, m int) Sums {
	p := &pathSums{nodes: make([]exact.Wide, n)}
	if m > 0 {
		p.edges = make([]exact.Wide, m)
	}
	return Sums{factors: [3]float64{2: 1}, paths: p}
}

// pass turns the counts of v into numbers of onward paths: those that begin in v as a part of one from the source. It
// adds the numbers of paths through v to its sum.
func (s *Search) pass(v int32, mask uint64, after []int32) {
	at, k := s.span(mask)
	k.pass(unsafe.SliceData(after), len(after), &s.next[0], mask, &s.rows[at], s.stride(), uint64(at),
		&s.rows[int(v)*s.width+at], &s.delta[at], &s.sums.factors[2])
	for ; mask != 0; mask &^= s.together(mask) {
		total := 0.0
		for m := s.together(mask); m != 0; m &= m - 1 {
			total += s.delta[bits.TrailingZeros64(m)]
		}
		s.sums.paths.nodes[v].AddFloat(total)
	}
}

// passArcs adds the numbers of paths along v's arcs to the sums of their edges.
func (s *Search) passArcs(v int32, mask uint64, after, edges []int32) {
	own := s.rows[int(v)*s.width:][:s.width]
	for j, u := range after {
		row, sum := s.rows[int(u)*s.width:][:s.width], &s.sums.paths.edges[edges[j]]
		for both := mask & s.next[u]; both != 0; both &^= s.together(both) {
			total := 0.0
			for m := s.together(both); m != 0; m &= m - 1 {
				i := bits.TrailingZeros64(m)
				total += float64(own[i] * row[i])
			}
			sum.AddFloat(total)
		}
	}
}

// together returns the first lanes of a mask whose numbers make one term: those of a group, or one where distances come
// first. There, which lanes of a group a visit has depends on the other groups.
func (s *Search) together(mask uint64) uint64 {
	if s.distances != nil {
		return mask & -mask
	}
	return mask & ((1<<group - 1) << (bits.TrailingZeros64(mask) / group * group))
}

// MovePaths is Move for sums of numbers of paths; nil is not wanted.
func (s *Search) MovePaths(nodes, edges []exact.Wide) (pairs int64, distance float64) {
	own := s.sums.paths
	for _, v := range s.stack {
		if nodes != nil {
			nodes[s.graph.nodes[v]].Join(own.nodes[v])
		}
		own.nodes[v] = exact.Wide{}
		if edges == nil {
			continue
		}
		for k := s.graph.out.offsets[v]; k < s.graph.out.offsets[v+1]; k++ {
			e := s.graph.out.edges[k]
			edges[e].Join(own.edges[e])
			own.edges[e] = exact.Wide{}
		}
	}
	return s.found()
}

// found returns how many pairs the last batch found and the sum of their distances, and clears both.
func (s *Search) found() (pairs int64, distance float64) {
	pairs, distance = s.sums.pairs, s.sums.distance
	s.sums.pairs, s.sums.distance = 0, 0
	return pairs, distance
}
