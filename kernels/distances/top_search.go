package distances

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// topSearch is a search that ends when its node cannot be among the highest.
type topSearch struct {
	*topNodes
	seen  []uint32 // the search that reached each node last
	round uint32
	order []int32
	start []int // of each level in order
	arcs  int64
	// of the search at hand: its node, how many others were reached, and what they add up to
	node  int32
	count int64
	sum   float64
}

func newTopSearch(t *topNodes) *topSearch {
	return &topSearch{topNodes: t, seen: make([]uint32, t.graph.N()), order: make([]int32, 0, t.graph.N())}
}

// work searches until no node is left that may be among the highest.
func (s *topSearch) work() {
	for !s.inBatches() {
		v, ok := s.next()
		if !ok {
			return
		}
		s.arcs = 0
		if s.from(v) {
			s.addFound()
			if !s.graph.Directed {
				s.boundOthers()
			}
		}
		s.look(s.arcs+1, !s.mayCut(int64(len(s.start))))
		s.findDivision()
	}
	s.batches()
}

func (s *topSearch) begin(v int32) {
	if s.round == math.MaxUint32 {
		clear(s.seen)
		s.round = 0
	}
	s.round++
	s.seen[v] = s.round
	s.node, s.count, s.sum = v, 0, 0
	s.order, s.start = append(s.order[:0], v), append(s.start[:0], 0)
}

// from searches from a node. It reports whether it came to its end.
func (s *topSearch) from(v int32) bool {
	s.begin(v)
	near, cut := s.graph.Degree(v), false
	for depth := int64(1); s.start[depth-1] < len(s.order); depth++ {
		first := len(s.order)
		s.start = append(s.start, first)
		following, ok := s.level(depth, near)
		cut = cut || !ok
		if cut && s.mayCut(depth) || s.stop.Stopped() {
			return false
		}
		found := int64(len(s.order) - first)
		s.count, s.sum = s.count+found, s.sum+s.fold(found, depth)
		near = following
	}
	return true
}

// deep is the level from which on a search is not cut, but goes to its end: it has met much of the graph, and bounds
// the scores of nodes near it. On shallow graphs searches end before.
const deep = 15

// addFound keeps the node whose search came to its end.
func (s *topSearch) addFound() {
	var sum exact.Word
	for depth := 1; depth+1 < len(s.start); depth++ {
		sum.AddTimes(s.term(int64(depth)), int64(s.start[depth+1]-s.start[depth]))
	}
	s.add(s.node, s.count, sum)
}

// mayCut reports whether a search may end at a level.
func (s *topSearch) mayCut(depth int64) bool { return depth < deep || s.graph.Directed }

// checkEvery is how many arcs a search looks at before it is checked again whether it may end.
const checkEvery = 256

// level finds the nodes at the distance depth, of which there are at most near, and how many there may be after those.
// It returns false if the score cannot be among the highest.
func (s *topSearch) level(depth, near int64) (following int64, ok bool) {
	first, next, turning := len(s.order), checkEvery, int64(0)
	if depth > 1 && !s.graph.Directed {
		turning = 1 // one arc leads back
	}
	looked := 0
	cut := s.cut(first, depth, near)
	if cut && s.mayCut(depth) {
		return 0, false
	}
	for i := s.start[depth-1]; i < first; i++ {
		row := s.graph.Row(s.order[i])
		near += turning
		for len(row) > 0 {
			part := row[:min(len(row), checkEvery)]
			row = row[len(part):]
			following += s.reach(part)
			near -= int64(len(part))
			if looked += len(part); looked >= next && s.mayCut(depth) {
				next = looked + checkEvery
				if s.cut(first, depth, near) {
					s.arcs += int64(looked)
					return 0, false
				}
			}
		}
	}
	s.arcs += int64(looked)
	if !s.graph.Directed {
		following -= int64(len(s.order) - first)
	}
	return following, !cut
}

// cut reports whether the score cannot be among the highest, where at most near more nodes are at the distance depth.
func (s *topSearch) cut(first int, depth, near int64) bool {
	found := int64(len(s.order) - first)
	return s.above(s.node, s.count+found, s.sum+s.fold(found, depth), depth, near) < s.atLeast()
}

// reach adds the nodes that were not reached before, and returns the number of their arcs.
func (s *topSearch) reach(row []int32) (arcs int64) {
	order, seen, round := s.order, s.seen, s.round
	for _, w := range row {
		if seen[w] != round {
			seen[w] = round
			order = append(order, w)
			arcs += s.graph.Degree(w)
		}
	}
	s.order = order
	return arcs
}

// boundOthers bounds the scores of nodes that the search reached, the nearest first, by the levels that they are on:
// levels i and j are |i-j| apart at least. On a level, and between it and the next ones, only neighbors are 1 apart. It
// takes no longer than the search.
func (s *topSearch) boundOthers() {
	levels := len(s.start) - 1
	size := func(i int) int64 {
		if i < 0 || i >= levels {
			return 0
		}
		return int64(s.start[i+1] - s.start[i])
	}
	for i := range min(levels, 1+4*len(s.order)/levels) {
		far := 0.0
		for j := range levels {
			if apart := max(i-j, j-i); apart > 1 {
				far += s.fold(size(j), int64(apart))
			}
		}
		near := size(i-1) + size(i) + size(i+1) - 1
		for _, v := range s.order[s.start[i]:s.start[i+1]] {
			neighbors := min(near, s.graph.Degree(v))
			bound := s.score(far+s.fold(neighbors, 1)+s.fold(near-neighbors, 2), float64(s.count))
			if bound < s.highestOf(v) {
				s.highest[v].Store(math.Float64bits(bound))
			}
		}
	}
}
