package order

import (
	"bytes"
	"runtime"
	"sync"

	"github.com/linchpin-graph/linchpin/export"
)

// rows is a graph that clusters are made of.
type rows struct {
	offsets []int64
	targets []int32
}

func (g rows) n() int32            { return int32(len(g.offsets) - 1) }
func (g rows) row(v int32) []int32 { return g.targets[g.offsets[v]:g.offsets[v+1]] }

// widest is the first of the nodes with the longest row; -1 of none.
func (g rows) widest(nodes []int32) int32 {
	widest, length := int32(-1), -1
	for _, v := range nodes {
		if l := len(g.row(v)); l > length {
			widest, length = v, l
		}
	}
	return widest
}

// searching is searches of a graph by hops, one after the other.
type searching struct {
	rows
	fresh []uint8 // 1 for each node that is not found yet
	found []int32
}

func newSearching(g rows) *searching {
	return &searching{g, bytes.Repeat([]byte{1}, int(g.n())), make([]int32, 0, g.n())}
}

// from searches from a node that is not found yet, and returns how many levels it finds.
func (s *searching) from(start int32) (levels int) {
	at := len(s.found)
	s.found = append(s.found, start)
	s.fresh[start] = 0
	for ; at < len(s.found); levels++ {
		last := len(s.found)
		s.push(at, last)
		at = last
	}
	return levels
}

// push finds the nodes after those found at places first to last.
func (s *searching) push(first, last int) {
	all, end := s.found[:cap(s.found)], len(s.found)
	for _, v := range all[first:last] {
		end = s.look(s.row(v), all, end)
	}
	s.found = all[:end]
}

// look puts those of the row that are not found yet behind the first end of all, and returns where they end.
func (s *searching) look(row, all []int32, end int) int {
	fresh := s.fresh
	if end+len(row) > len(all) {
		for _, w := range row {
			if fresh[w] == 1 {
				fresh[w], all[end] = 0, w
				end++
			}
		}
		return end
	}
	for _, w := range row { // without a branch, which would go either way
		all[end] = w
		end += int(fresh[w])
		fresh[w] = 0
	}
	return end
}

// rest searches from the first node that is not found yet, and so on, until all are found. It returns what each search
// finds.
func (s *searching) rest() (parts [][]int32) {
	for start := range s.n() {
		if s.fresh[start] == 1 {
			first := len(s.found)
			s.from(start)
			parts = append(parts, s.found[first:])
		}
	}
	return parts
}

// Nodes returns the nodes in the order in which their rows lie, and in which sources make batches of DeepLanes, or of
// more, but for those that Alike orders: on deep graphs stripes from an end, or halves of halves; on others balls of
// neighbours, and balls of balls; by falling degree where rows are long, for there neighbours of neighbours are
// everybody.
func Nodes(g *export.Graph, deep bool, end int32, lanes int64) []int32 {
	r := rows{g.Offsets, g.Targets}
	switch {
	case deep && lanes == DeepLanes:
		return stripes(r, end, DeepLanes, stripLevels)
	case deep && lanes == SingleLanes:
		return stripes(r, end, SingleLanes, wideStripLevels)
	case deep:
		return bisect(r, DeepLanes)
	case float64(g.Arcs()) >= denseDegree*float64(g.N()):
		return byDegree(r)
	}
	return clusters(r, shallowBall, 3)
}

// Near returns the nodes by balls of neighbours, three deep, so that those near one another lie close together in
// memory.
func Near(g *export.Graph) []int32 { return clusters(rows{g.Offsets, g.Targets}, shallowBall, 3) }

// NearPays reports whether searches from so many sources, one by one, may be worth such an order, as they are if the
// graph is deep: of one that no processor's cache holds.
func NearPays(nodes int64, sources int) bool { return nodes >= NearNodes && sources >= nearSources }

// NearBytes bounds the memory of a graph in such an order, its lengths, and what makes it.
func NearBytes(nodes, arcs int64, weighted bool) int64 {
	bytes := 180*nodes + 20*arcs
	if weighted {
		bytes += 32 * arcs
	}
	return bytes
}

// byDegree orders the nodes by falling length of their rows, those of the same as they come.
func byDegree(g rows) []int32 {
	longest, begin := int64(0), g.offsets[0]
	for _, end := range g.offsets[1:] {
		longest, begin = max(longest, end-begin), end
	}
	places := make([]int32, longest+2) // how many rows are longer than all but so many arcs, then where the next goes
	begin = g.offsets[0]
	for _, end := range g.offsets[1:] {
		places[longest-(end-begin)+1]++
		begin = end
	}
	for i := range longest + 1 {
		places[i+1] += places[i]
	}
	order := make([]int32, g.n())
	begin = g.offsets[0]
	for v, end := range g.offsets[1:] {
		at := &places[longest-(end-begin)]
		begin = end
		order[*at] = int32(v)
		*at++
	}
	return order
}

// searchOrder returns the nodes in the order of searches from node 0, then from the next that is not found, and so on.
func searchOrder(g rows) []int32 {
	s := newSearching(g)
	s.rest()
	return s.found
}

// clusters orders the nodes by balls of up to size nodes, which are ordered by balls of up to size balls, and so on.
func clusters(g rows, size, depth int) []int32 {
	if depth == 0 || g.n() <= 1 {
		return searchOrder(g)
	}
	members, starts := balls(g, size)
	order := make([]int32, 0, g.n())
	for _, c := range clusters(coarse(g, members, starts), size, depth-1) {
		order = append(order, members[starts[c]:starts[c+1]]...)
	}
	return order
}

// balls splits the nodes into balls around the first nodes that are left. members lists them ball by ball.
func balls(g rows, size int) (members, starts []int32) {
	members = make([]int32, 0, g.n())
	taken := make([]bool, g.n())
	for _, center := range searchOrder(g) {
		if taken[center] {
			continue
		}
		begin := len(members)
		starts = append(starts, int32(begin))
		taken[center] = true
		members = append(members, center)
		for at := begin; at < len(members) && len(members)-begin < size; at++ {
			for _, w := range g.row(members[at]) {
				if !taken[w] && len(members)-begin < size {
					taken[w] = true
					members = append(members, w)
				}
			}
		}
	}
	return members, append(starts, int32(len(members)))
}

// coarseThreads bounds the memory of coarse, a number a ball and thread.
const coarseThreads = 16

// coarse is the graph of balls: an arc where some node has one, once. Threads share the balls out.
func coarse(g rows, members, starts []int32) rows {
	ball, count := make([]int32, g.n()), len(starts)-1
	for c := range count {
		for _, v := range members[starts[c]:starts[c+1]] {
			ball[v] = int32(c)
		}
	}
	parts := make([]rows, min(runtime.GOMAXPROCS(0), coarseThreads, len(members)/splitApart+1))
	var threads sync.WaitGroup
	for i := range parts {
		first, last := i*count/len(parts), (i+1)*count/len(parts)
		threads.Go(func() { parts[i] = coarseRows(g, members, starts[first:last+1], int32(first), ball, count) })
	}
	threads.Wait()
	out := rows{offsets: make([]int64, 1, count+1)}
	for _, part := range parts {
		for _, end := range part.offsets {
			out.offsets = append(out.offsets, int64(len(out.targets))+end)
		}
		out.targets = append(out.targets, part.targets...)
	}
	return out
}

// coarseRows are the rows of the balls from first on that begin at starts, the last of which is an end; their offsets
// are where they end.
func coarseRows(g rows, members, starts []int32, first int32, ball []int32, count int) rows {
	var out rows
	last := make([]int32, count) // which ball had an arc to each
	for i := range len(starts) - 1 {
		c := first + int32(i)
		for _, v := range members[starts[i]:starts[i+1]] {
			for _, w := range g.row(v) {
				if b := ball[w]; b != c && last[b] != c+1 {
					last[b] = c + 1
					out.targets = append(out.targets, b)
				}
			}
		}
		out.offsets = append(out.offsets, int64(len(out.targets)))
	}
	return out
}
