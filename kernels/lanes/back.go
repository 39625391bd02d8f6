package lanes

import (
	"math/bits"
	"unsafe"

	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// backward goes through the stack from its end. Each entry adds up the shares of the nodes after it.
func (s *Search) backward() error {
	for l := len(s.levels) - 2; l >= 0; l-- {
		if err := s.back(l); err != nil {
			return err
		}
		if l+2 < len(s.levels) {
			s.mark(l+1, 0)
		}
		s.mark(l, s.full)
	}
	s.mark(0, 0)
	return nil
}

// mark sets the masks of next at the nodes of a level to what they have in common with the given lanes.
func (s *Search) mark(l int, lanes uint64) {
	for i := s.levels[l]; i < s.levels[l+1]; i++ {
		s.next[s.stack[i]] = s.masks[i] & lanes
	}
}

// back handles the entries of a level. next has the masks of the level after it.
func (s *Search) back(l int) error {
	reached := 0
	for i := s.levels[l]; i < s.levels[l+1]; i++ {
		if i%stopper.Every == 0 {
			if err := s.stop.Err(); err != nil {
				return err
			}
		}
		v, mask := s.stack[i], s.masks[i]
		if mask == 0 {
			continue
		}
		after := s.graph.out.row(v)
		if l == len(s.levels)-2 {
			after = nil
		}
		s.passBack(v, mask, after, s.graph.out.edgesOf(v), l == 0)
		if l > 0 {
			reached += bits.OnesCount64(mask)
		}
	}
	s.sums.distance += float64(l) * float64(reached)
	return nil
}

// passBack handles v in some lanes: what its arcs, which lead to the nodes after it, hand to their edges, and then v
// itself unless it is their source.
func (s *Search) passBack(v int32, mask uint64, after, edges []int32, source bool) {
	s.alongArcs(v, mask, after, edges)
	if source {
		return
	}
	if s.sums.paths != nil {
		s.pass(v, mask, after)
	} else {
		s.share(v, mask, after)
	}
	s.sums.pairs += int64(bits.OnesCount64(mask))
	if s.sums.ends {
		s.end(v, mask)
	}
}

// share turns the counts of v into shares, and adds the dependencies on v to its sum.
func (s *Search) share(v int32, mask uint64, after []int32) {
	at, k := s.span(mask)
	word := &s.sums.nodes.Words[v]
	if s.graph.masses != nil {
		s.sums.factors[2] = s.graph.masses[v]
	}
	rest := k.share(unsafe.SliceData(after), len(after), &s.next[0], mask, &s.rows[at], s.stride(), uint64(at),
		&s.rows[int(v)*s.width+at], &s.delta[at], &s.masses[at], &s.sums.factors[0], &word[0])
	if s.apart != nil {
		s.keep(v, mask)
	}
	if rest == 0 {
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		word[2] += s.sums.nodes.Scale.Of(s.delta[bits.TrailingZeros64(mask)])[2]
	}
}

// alongArcs adds to the sums of the edges of v's arcs, if any are wanted.
func (s *Search) alongArcs(v int32, mask uint64, after, edges []int32) {
	if s.sums.edges != nil {
		s.dependArcs(v, mask, after, edges)
	}
	if s.sums.paths != nil && s.sums.paths.edges != nil {
		s.passArcs(v, mask, after, edges)
	}
}

// dependArcs adds the dependencies on the edges of v's arcs to their sums.
func (s *Search) dependArcs(v int32, mask uint64, after, edges []int32) {
	own := s.rows[int(v)*s.width:][:s.width]
	for j, u := range after {
		both := mask & s.next[u]
		if both == 0 {
			continue
		}
		at, k := s.span(both)
		row, word := s.rows[int(u)*s.width:][:s.width], &s.sums.edges.Words[edges[j]]
		if k.term(both>>at, &own[at], &row[at], &s.sums.factors[0], &word[0]) == 0 {
			continue
		}
		for ; both != 0; both &= both - 1 {
			i := bits.TrailingZeros64(both)
			word[2] += s.sums.edges.Scale.Of(own[i] * row[i])[2]
		}
	}
}

// end counts v as the end of a path, and the sources as the ends of one more each.
func (s *Search) end(v int32, mask uint64) {
	s.endAt(v, mask)
	for i := range s.stack[:s.levels[1]] {
		if both := s.masks[i] & mask; both != 0 {
			s.endAt(s.stack[i], both)
		}
	}
}

// endAt counts v as the end of a path in some lanes.
func (s *Search) endAt(v int32, mask uint64) {
	s.sums.nodes.Add(int(v), float64(bits.OnesCount64(mask)))
	if s.apart == nil {
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		s.apart[int(v)*s.width+bits.TrailingZeros64(mask)]++
	}
}

// Sums are what the searches of a thread add up to, as exact sums.
type Sums struct {
	nodes, edges *exact.Sums // nodes by their places
	factors      [3]float64  // as scale of a kernel
	ends         bool        // of paths are counted at the nodes
	paths        *pathSums   // what is added up instead of dependencies, unless nil
	pairs        int64
	distance     float64 // of all pairs
}

// NewSums returns sums for a graph of n nodes, and for m edges unless that is 0.
func NewSums(n, m int, scale exact.Scale, ends bool) Sums {
	s := Sums{nodes: exact.NewSums(n, scale), factors: [3]float64{scale.Unit, scale.Fine, 1}, ends: ends}
	if m > 0 {
		s.edges = exact.NewSums(m, scale)
	}
	return s
}

// Add adds what a search from one source found, and clears it. Nodes are those of the graph.
func (s *Search) Add(nodes, edges []float64) {
	for v, x := range nodes {
		s.sums.nodes.Add(int(s.graph.places[v]), x)
	}
	clear(nodes)
	if s.sums.edges != nil {
		s.sums.edges.Move(edges)
	}
}

// Move moves the sums of the last batch to those of the graph; nil is not wanted. It returns how many pairs the batch
// found, and the sum of their distances.
func (s *Search) Move(nodes, edges *exact.Sums) (pairs int64, distance float64) {
	for _, v := range s.stack {
		if nodes != nil {
			nodes.Words[s.graph.nodes[v]].Add(s.sums.nodes.Words[v])
		}
		s.sums.nodes.Words[v] = exact.Word{}
		if edges == nil {
			continue
		}
		for k := s.graph.out.offsets[v]; k < s.graph.out.offsets[v+1]; k++ {
			e := s.graph.out.edges[k]
			edges.Words[e].Add(s.sums.edges.Words[e])
			s.sums.edges.Words[e] = exact.Word{}
		}
	}
	return s.found()
}
