package order

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/linchpin-graph/linchpin/export"
)

// CloseSources splits the sources of a deep graph into parts of up to lanes that lie close together, or of up to SingleLanes where
// all nodes are sources; those that have no part are left. nodes are all nodes, in the order in which their rows lie.
func CloseSources(g *export.Graph, sources, nodes []int32, lanes int) (parts [][]int32, left []int32) {
	r := rows{g.Offsets, g.Targets}
	if len(sources) == len(nodes) {
		return closeParts(r, nodes, SingleLanes)
	}
	return closeParts(r, Arrange(sources, nodes, g.N()), lanes)
}

// closeParts groups sources, given in an order in which consecutive ones are mostly close, into parts of up to size that are close
// together in g, for a batch each: two of them lie close when a search from one finds the other among nearReach nodes. Few of them
// in one place join a part not far from them that has room, or make a part; they are left where that would be too many parts.
func closeParts(g rows, sources []int32, size int) (parts [][]int32, left []int32) {
	c := &grouping{g: g, size: size, part: make([]int32, g.n())}
	blocks := slices.Collect(slices.Chunk(slices.Clone(sources), size))
	places := make([][][]int32, len(blocks))
	var threads sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		threads.Go(func() {
			s := newNearSearch(g)
			for i := next.Add(1) - 1; i < int64(len(blocks)); i = next.Add(1) - 1 {
				places[i] = s.places(blocks[i])
			}
		})
	}
	threads.Wait()
	var few [][]int32
	for _, of := range places {
		for _, place := range of {
			if len(place) < size/2 {
				few = append(few, place)
				continue
			}
			c.add(place)
		}
	}
	slices.SortStableFunc(few, func(a, b []int32) int { return len(b) - len(a) })
	s, most := newNearSearch(g), len(blocks)+len(blocks)/4
	for _, place := range few {
		if i := c.near(s, place); i >= 0 {
			c.parts[i] = append(c.parts[i], place...)
		} else if len(c.parts) <= most {
			c.add(place)
		} else {
			left = append(left, place...)
		}
	}
	return c.parts, left
}

// grouping is closeParts at work: part is 1 + the number of the part that a source began. Those that joined it draw no others, or parts
// would grow long.
type grouping struct {
	g     rows
	size  int
	part  []int32
	parts [][]int32
}

func (c *grouping) add(place []int32) {
	c.parts = append(c.parts, place)
	for _, v := range place {
		c.part[v] = int32(len(c.parts))
	}
}

// near returns a part near to the place that has room for it, -1 for none.
func (c *grouping) near(s *nearSearch, place []int32) int {
	found := -1
	s.from(place[0], 4*nearReach, func(v int32) (again, end bool) {
		if i := int(c.part[v]) - 1; i >= 0 && len(c.parts[i])+len(place) <= c.size {
			found = i
		}
		return false, found >= 0
	})
	return found
}

// nearSearch searches near to a node.
type nearSearch struct {
	g     rows
	seen  []int32 // by which search
	open  []bool  // a source of the block that has no place yet
	count int32
	queue []int32
}

func newNearSearch(g rows) *nearSearch {
	return &nearSearch{g: g, seen: make([]int32, g.n()), open: make([]bool, g.n())}
}

// from visits nodes in the order of their distance from start, until visit says that this is the end, or has not said `again` for
// reach of them, or for 8 reach in all.
func (s *nearSearch) from(start int32, reach int, visit func(v int32) (again, end bool)) {
	s.count++
	s.seen[start] = s.count
	s.queue = append(s.queue[:0], start)
	for at, end := 0, reach; at < len(s.queue) && at < end; at++ {
		again, stop := visit(s.queue[at])
		if stop {
			return
		}
		if again {
			end = min(at+reach, 8*reach)
		}
		for _, w := range s.g.row(s.queue[at]) {
			if s.seen[w] != s.count {
				s.seen[w] = s.count
				s.queue = append(s.queue, w)
			}
		}
	}
}

// places splits a block of sources where they do not lie close together.
func (s *nearSearch) places(block []int32) (places [][]int32) {
	for _, v := range block {
		s.open[v] = true
	}
	for _, start := range block {
		if !s.open[start] {
			continue
		}
		var place []int32
		s.from(start, nearReach, func(v int32) (again, end bool) {
			if !s.open[v] {
				return false, false
			}
			s.open[v] = false
			place = append(place, v)
			return true, len(place) == len(block)
		})
		places = append(places, place)
	}
	return places
}
