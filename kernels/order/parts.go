package order

import (
	"runtime"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// CloseSources splits the sources of a deep graph into parts of up to lanes that lie close together, or of up to
// SingleLanes where all nodes are sources; those that have no part are left. nodes are all nodes, in the order in which
// their rows lie.
func CloseSources(g *export.Graph, sources, nodes []int32, lanes int) (parts [][]int32, left []int32) {
	r := rows{g.Offsets, g.Targets}
	if len(sources) == len(nodes) {
		return closeParts(r, nodes, SingleLanes)
	}
	return closeParts(r, Arrange(sources, nodes, g.N()), lanes)
}

// closeParts groups sources, given in an order in which consecutive ones are mostly close, into parts of up to size
// that are close together in g, for a batch each: two of them lie close when a search from one finds the other among
// nearReach nodes. Few of them in one place join a part not far from them that has room, or make a part; they are left
// where that would be too many parts.
func closeParts(g rows, sources []int32, size int) (parts [][]int32, left []int32) {
	c := &grouping{g: g, size: size, part: make([]int32, g.n()), searches: make([]*nearSearch, runtime.GOMAXPROCS(0))}
	blocks := slices.Collect(slices.Chunk(slices.Clone(sources), size))
	places := make([][][]int32, len(blocks))
	c.each(len(blocks), func(s *nearSearch, i int) { places[i] = s.places(blocks[i]) })
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
	c.most = len(blocks) + len(blocks)/4
	for some := range slices.Chunk(few, fewAtATime) {
		c.place(some)
	}
	return c.parts, c.left
}

// grouping is closeParts at work: part is 1 + the number of the part that a source began, and ^i for sources of place
// number i of those that are being placed. Sources that joined a part draw no others, or parts would grow long.
type grouping struct {
	g     rows
	size  int
	part  []int32
	parts [][]int32
	// most is how many parts there may be before places are left.
	most int
	left []int32
	// searches are those of threads; nil for one that has not searched yet.
	searches []*nearSearch
}

// each has threads search for so many results, each by a search of its own.
func (c *grouping) each(count int, do func(s *nearSearch, i int)) {
	inparts.On(len(c.searches), 1, count, func(thread, first, last int) {
		for i := first; i < last; i++ {
			do(c.search(thread), i)
		}
	})
}

// search is that of a thread.
func (c *grouping) search(thread int) *nearSearch {
	if c.searches[thread] == nil {
		c.searches[thread] = newNearSearch(c.g)
	}
	return c.searches[thread]
}

func (c *grouping) add(place []int32) {
	c.parts = append(c.parts, place)
	for _, v := range place {
		c.part[v] = int32(len(c.parts))
	}
}

const (
	// fewAtATime is how many places threads look for parts for before they are placed.
	fewAtATime = 1024
	// roomyParts is how many parts with room they look for: others may take the room of some.
	roomyParts = 4
)

// place places some places of few sources, one after the other: each joins a part, makes one, or is left.
func (c *grouping) place(some [][]int32) {
	for i, place := range some {
		c.mark(place, ^int32(i))
	}
	found := make([]nearParts, len(some))
	c.each(len(some), func(s *nearSearch, i int) { found[i] = c.look(s, some[i], i) })
	made := make([]int32, len(some)) // 1 + the number of the part that a place makes
	for i, place := range some {
		at := c.roomIn(found[i], made, place)
		if at < 0 && !found[i].all {
			at = c.near(place)
		}
		switch {
		case at >= 0:
			c.parts[at] = append(c.parts[at], place...)
		case len(c.parts) <= c.most:
			c.add(place)
			made[i] = int32(len(c.parts))
		default:
			c.left = append(c.left, place...)
		}
	}
	for i, place := range some {
		c.mark(place, made[i])
	}
}

func (c *grouping) mark(place []int32, part int32) {
	for _, v := range place {
		c.part[v] = part
	}
}

// nearParts are parts and places near to a place, by the numbers of grouping.part, the nearest first: those that may
// have room for it when its turn comes, or all of these.
type nearParts struct {
	numbers []int32
	all     bool
}

// look returns what is near to place number i, as long as none of the places is placed.
func (c *grouping) look(s *nearSearch, place []int32, i int) nearParts {
	found, roomy := nearParts{all: true}, 0
	s.from(place[0], farReach, func(v int32) (again, end bool) {
		part := c.part[v]
		room := part > 0 && c.hasRoom(part-1, place)
		if !room && (part >= 0 || int(^part) >= i) || slices.Contains(found.numbers, part) {
			return false, false
		}
		found.numbers = append(found.numbers, part)
		if room {
			roomy++
		}
		found.all = roomy < roomyParts
		return false, !found.all
	})
	return found
}

// hasRoom reports whether a part has room for a place.
func (c *grouping) hasRoom(part int32, place []int32) bool {
	return len(c.parts[part])+len(place) <= c.size
}

// roomIn returns the first of the parts that has room for a place, -1 for none.
func (c *grouping) roomIn(found nearParts, made, place []int32) int32 {
	for _, part := range found.numbers {
		if part < 0 {
			part = made[^part]
		}
		if part > 0 && c.hasRoom(part-1, place) {
			return part - 1
		}
	}
	return -1
}

// near returns a part near to the place that has room for it, -1 for none.
func (c *grouping) near(place []int32) int32 {
	found := int32(-1)
	c.search(0).from(place[0], farReach, func(v int32) (again, end bool) {
		if part := c.part[v]; part > 0 && c.hasRoom(part-1, place) {
			found = part - 1
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

// from visits nodes in the order of their distance from start, until visit says that this is the end, or has not said
// `again` for reach of them, or for 8 reach in all.
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
