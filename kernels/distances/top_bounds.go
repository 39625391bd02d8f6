package distances

import (
	"math"
	"math/bits"

	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// bounds says how high scores can be.
type bounds struct {
	score       func(sum, count float64) float64
	inverse     bool    // distances are folded by their inverses
	least, most []int32 // how many others reach each node
}

// fold is what some nodes at a distance add.
func (b *bounds) fold(nodes, distance int64) float64 {
	if b.inverse {
		return float64(nodes) / float64(distance)
	}
	return float64(nodes) * float64(distance)
}

// above bounds the score of a node by a part of its search: count nodes have the sum, at most near others are at the
// distance depth, and all others farther away. For a number of nodes that reach it, the score is highest if as many as
// possible are near. The bound is convex in that number, so that it is highest at the ends of its range, or where the
// near ones are used up.
func (b *bounds) above(v int32, count int64, sum float64, depth, near int64) float64 {
	least, most := max(int64(b.least[v]), count), max(int64(b.most[v]), count)
	if least == 0 {
		least = min(1, most)
	}
	with := func(all int64) float64 {
		first := min(near, all-count)
		return b.score(sum+b.fold(first, depth)+b.fold(all-count-first, depth+1), float64(all))
	}
	at := with(least)
	if least < most {
		at = max(at, with(min(max(count+near, least), most)), with(most))
	}
	return at
}

// mostWalks is the length of walks up to which walks are counted.
const mostWalks = 8

// mostCounted is the number of walks of a class up to which they are counted. There are no more nodes than that.
const mostCounted = 1 << 31

// walkClasses is into how many classes nodes are put, by how many arcs lead to them. Most nodes have few arcs, and a
// walk of two steps leads to few of these; walks to the others are so many that they say nothing.
const walkClasses = 4

// classCounts has a number for each class.
type classCounts [walkClasses]uint32

// classOf is the class of nodes that so many arcs lead to.
func classOf(arcs int64) int { return min(walkClasses, bits.Len64(uint64(arcs))) - 1 }

// walks bounds all scores by how many walks lead to a node that do not turn back: no fewer than there are nodes at that
// distance.
func (t *topNodes) walks(threads int) {
	w := newWalkBounds(t)
	n := t.graph.N()
	for length := int64(1); length <= mostWalks; length++ {
		open := make([]int, threads)
		inparts.On(threads, 1<<12, n, func(thread, first, last int) {
			for v := first; v < last; v++ {
				if w.extend(int32(v), length) {
					open[thread]++
				}
			}
		})
		w.before, w.last, w.next = w.last, w.next, w.before
		all := 0
		for _, x := range open {
			all += x
		}
		if t.shallow = all*20 < n; t.shallow {
			break
		}
	}
}

// walkBounds has the numbers of walks of the last lengths, and what they say.
type walkBounds struct {
	*topNodes
	before, last, next []classCounts // walks that lead to each node, by the class of the node where they begin
	all                classCounts   // of a node to which walks lead from everywhere
	size               classCounts   // how many nodes there are that arcs lead to
	reached            []classCounts // nodes where the walks may begin, and the node itself
	count              []int64       // the same without the node, of all classes
	sum                []float64     // and what they add up to
	best               []float64     // the highest bound for a number of nodes that reach it, up to count
}

func newWalkBounds(t *topNodes) *walkBounds {
	n, along := t.graph.N(), t.graph.Transpose()
	w := &walkBounds{
		topNodes: t, before: make([]classCounts, n), last: make([]classCounts, n), next: make([]classCounts, n),
		reached: make([]classCounts, n), all: everywhere(), count: make([]int64, n), sum: make([]float64, n),
		best: make([]float64, n),
	}
	for v := range n {
		if arcs := along.Degree(int32(v)); arcs > 0 {
			class := classOf(arcs)
			w.size[class]++
			w.last[v][class], w.reached[v][class] = 1, 1
		}
	}
	return w
}

// walkBytes are those of walkBounds for a node.
const walkBytes = 4*4*walkClasses + 8 + 8 + 8

// everywhere are walks that may lead from all nodes.
func everywhere() (out classCounts) {
	for class := range out {
		out[class] = mostCounted
	}
	return out
}

// extend counts the walks of one more step that lead to a node. It reports whether some nodes that reach it may be
// farther away. Where shorter walks lead from all nodes already, the number of longer ones says nothing, to its
// neighbours neither.
func (w *walkBounds) extend(v int32, length int64) bool {
	count, most := w.count[v], int64(w.most[v])
	isFull := count == most && length > 1
	if isFull && !w.graph.Directed || w.reached[v] == w.size {
		w.next[v] = w.all
		return false
	}
	walks := w.walksTo(v, length)
	w.next[v] = walks
	if isFull {
		return false
	}
	more := min(w.fresh(v, walks), most-count)
	least := max(int64(w.least[v]), min(1, most))
	if count+more >= least {
		all := max(count, least)
		w.best[v] = max(w.best[v], w.score(w.sum[v]+w.fold(all-count, length), float64(all)))
	}
	w.count[v], w.sum[v] = count+more, w.sum[v]+w.fold(more, length)
	w.bound(v, length, least)
	return w.count[v] < most
}

// walksTo counts the walks of a length that lead to a node, by those that lead to its neighbours.
func (w *walkBounds) walksTo(v int32, length int64) (out classCounts) {
	var sums [walkClasses]uint64
	row := w.graph.Row(v)
	for _, u := range row {
		last := &w.last[u]
		for class, walks := range last {
			sums[class] += uint64(walks)
		}
		if last[0] == mostCounted && *last == w.all {
			return w.all
		}
	}
	turning := uint64(0)
	if length > 1 && !w.graph.Directed && len(row) > 0 {
		turning = uint64(len(row) - int(min(1, length-2)))
	}
	for class, walks := range sums {
		if walks < mostCounted {
			walks -= min(walks, turning*uint64(w.before[v][class]))
		}
		out[class] = uint32(min(walks, mostCounted))
	}
	return out
}

// fresh bounds how many nodes these walks lead from that no shorter one did: in each class, no more than are left.
func (w *walkBounds) fresh(v int32, walks classCounts) (more int64) {
	for class, x := range walks {
		x = min(x, w.size[class]-w.reached[v][class])
		w.reached[v][class] += x
		more += int64(x)
	}
	return more
}

// bound bounds the score of a node by the walks up to a length.
func (w *walkBounds) bound(v int32, length, least int64) {
	count := w.count[v]
	if count >= least {
		w.best[v] = max(w.best[v], w.score(w.sum[v], float64(count)))
	}
	at := w.best[v]
	for _, all := range []int64{max(count, least), int64(w.most[v])} {
		at = max(at, w.score(w.sum[v]+w.fold(all-count, length+1), float64(all)))
	}
	w.highest[v].Store(math.Float64bits(at))
}
