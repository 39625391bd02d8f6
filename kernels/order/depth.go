package order

import (
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// Depth is how deep a graph is: how many levels a search of its largest component has, whether that is many more than
// in a graph with short cuts, how many nodes the search finds, and the first by its number of the last level, which so
// lies at an end of the graph. Spread is at how many levels searches from spreadNodes random nodes find a node, if as
// many of them are as far from it as from the node that was searched from; 0 where that is not known.
type Depth struct {
	Levels int
	Deep   bool
	Found  int
	End    int32
	Spread float64
}

// Sound reports whether a graph of so many nodes can be as deep.
func (d Depth) Sound(nodes int) bool {
	return d.Levels >= 0 && d.Levels <= nodes && d.Found >= 0 && d.Found <= nodes && d.End >= 0 &&
		int(d.End) < max(1, nodes) && d.Spread >= 0 && d.Spread <= float64(d.Levels)
}

// DepthOf searches the largest component from a node of the highest degree. Of directed graphs a component is what a
// search reaches that no search before it has, unless that from the node of the highest degree of all reaches half of
// the nodes.
func DepthOf(g *export.Graph) Depth {
	if g.N() == 0 {
		return Depth{}
	}
	r := rows{g.Offsets, g.Targets}
	sizes, end := depthFrom(r, g.Widest(), g.Directed)
	nodes := 0
	for _, size := range sizes {
		nodes += size
	}
	if 2*nodes < g.N() {
		largest := slices.MaxFunc(newSearching(r).rest(), func(a, b []int32) int { return len(a) - len(b) })
		sizes, end = depthFrom(r, r.widest(largest), g.Directed)
		nodes = len(largest)
	}
	d := depthBy(len(sizes), nodes, end)
	for _, size := range sizes {
		d.Spread += 1 - math.Pow(1-math.Min(1, float64(size)/float64(nodes)), spreadNodes)
	}
	return d
}

// depthBy returns the depth of a graph in which a search found so many levels and nodes, and a node of the last level.
func depthBy(levels, nodes int, end int32) Depth {
	deep := float64(levels) > DeepLevels*math.Log2(float64(nodes)+1)
	return Depth{Levels: levels, Deep: deep, Found: nodes, End: end}
}

const (
	// spreadNodes is from how many nodes the searches of Depth.Spread are.
	spreadNodes = 64
	// pullNodes is the share of all nodes that a level has at least for the nodes that are left to look for it.
	pullNodes = 1.0 / 24
	// pullArcs is how many times as many arcs as a level the nodes that are left may have then: each stops at the first.
	pullArcs = 8
	// pullGrowth is how many times as large as the level before a level must be for that, unless the one before was found
	// in this way. Levels of a mesh grow slowly, so most nodes that are left would look in vain.
	pullGrowth = 2
	// pushedArcs is how many arcs a level has at least for threads to share it: to wake them takes as long as to look at
	// as many. pushedApart and pulledApart are how many nodes of it, and of those that are left, are then worth a thread.
	pushedArcs  = 1 << 15
	pushedApart = 256
	pulledApart = 8192
)

// depthFrom searches from a node until no level is left. It returns how many nodes each level has, and the node of the
// last level with the least number. On undirected graphs, nodes that are left look for a level with many arcs, so
// that most arcs are not looked at (Beamer, Asanovic and Patterson, SC12). Threads share large levels.
func depthFrom(g rows, start int32, directed bool) (sizes []int, end int32) {
	s := newDepthSearch(g)
	s.found, s.seen[start] = append(s.found, start), 1
	first, last, pulled := 0, 0, false
	for last < len(s.found) {
		before := last - first
		first, last = last, len(s.found)
		sizes = append(sizes, last-first)
		pulled = !directed && (pulled || last-first >= pullGrowth*before) &&
			float64(last-first) > pullNodes*float64(g.n()) && s.manyArcs(first)
		if pulled {
			s.pull()
		} else {
			s.push(first, last)
		}
	}
	return sizes, slices.Min(s.found[first:])
}

// depthSearch is a search by hops of which the levels matter, and not the order of the nodes within them.
type depthSearch struct {
	rows
	seen  []uint32 // 1 for each node that is found
	found []int32
	own   [][]int32 // what each thread found
}

func newDepthSearch(g rows) *depthSearch {
	return &depthSearch{g, make([]uint32, g.n()), make([]int32, 0, g.n()), make([][]int32, runtime.GOMAXPROCS(0))}
}

// manyArcs reports whether the nodes found from place first on have many arcs next to those that are not found: a look
// at one arc of each of these must save some.
func (s *depthSearch) manyArcs(first int) bool {
	arcs := 0
	for _, v := range s.found[first:] {
		arcs += len(s.row(v))
	}
	left := int(s.n()) - len(s.found)
	leftArcs := float64(len(s.targets)) * float64(left) / float64(s.n())
	return arcs > left && pullArcs*float64(arcs) > leftArcs
}

// push finds the nodes after those found at places first to last.
func (s *depthSearch) push(first, last int) {
	if len(s.own) == 1 || int64(last-first)*int64(len(s.targets)) <= pushedArcs*int64(s.n()) {
		s.pushAlone(first, last)
		return
	}
	s.share(pushedApart, last-first, func(thread, from, to int) {
		own := s.own[thread]
		for _, v := range s.found[first+from : first+to] {
			for _, w := range s.row(v) {
				if atomic.LoadUint32(&s.seen[w]) == 0 && atomic.SwapUint32(&s.seen[w], 1) == 0 {
					own = append(own, w)
				}
			}
		}
		s.own[thread] = own
	})
}

// pushAlone is push on one thread.
func (s *depthSearch) pushAlone(first, last int) {
	all, end := s.found[:cap(s.found)], len(s.found)
	for _, v := range all[first:last] {
		for _, w := range s.row(v) { // without a branch that would go either way
			if end < len(all) {
				all[end] = w
			}
			end += int(1 - s.seen[w])
			s.seen[w] = 1
		}
	}
	s.found = all[:end]
}

// pull finds the nodes that are next to any that is found. Of an undirected graph, these are next to the last level.
func (s *depthSearch) pull() {
	last := len(s.found)
	s.share(pulledApart, int(s.n()), func(thread, from, to int) {
		own := s.own[thread]
		for v := int32(from); int(v) < to; v++ {
			if s.seen[v] == 0 && s.reaches(v) {
				own = append(own, v)
			}
		}
		s.own[thread] = own
	})
	for _, v := range s.found[last:] {
		s.seen[v] = 1
	}
}

// reaches reports whether an arc of the node leads to one that is found.
func (s *depthSearch) reaches(v int32) bool {
	for _, w := range s.row(v) {
		if s.seen[w] == 1 {
			return true
		}
	}
	return false
}

// share has threads find nodes, each in parts of the given length of count things, and puts them together.
func (s *depthSearch) share(length, count int, find func(thread, first, last int)) {
	for i := range s.own {
		s.own[i] = s.own[i][:0]
	}
	inparts.On(len(s.own), length, count, find)
	for _, own := range s.own {
		s.found = append(s.found, own...)
	}
}
