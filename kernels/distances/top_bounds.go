package distances

import (
	"math"

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

// above bounds the score of a node by a part of its search: count nodes have the sum, at most near others are at the distance depth,
// and all others farther away. For a number of nodes that reach it, the score is highest if as many as possible are near. The bound is
// convex in that number, so that it is highest at the ends of its range, or where the near ones are used up.
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

// mostCounted is the number of walks from a node up to which they are counted. More are as good as no bound.
const mostCounted = 1 << 40

// walks bounds all scores by how many walks lead to a node that do not turn back: no fewer than there are nodes at that distance.
func (t *topNodes) walks(threads int) {
	n := t.graph.N()
	w := &walkBounds{topNodes: t, before: make([]int64, n), last: make([]int64, n), next: make([]int64, n), count: make([]int64, n), sum: make([]float64, n), best: make([]float64, n)}
	for v := range n {
		w.last[v] = 1
	}
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
		if all*20 < n {
			break
		}
	}
}

// walkBounds has the numbers of walks of the last lengths, and what they say.
type walkBounds struct {
	*topNodes
	before, last, next []int64
	count              []int64   // nodes that walks may lead to
	sum                []float64 // and what they add up to
	best               []float64 // the highest bound for a number of nodes that reach it, up to count
}

// extend counts the walks of one more step that lead to a node. It reports whether some nodes that reach it may be farther away.
func (w *walkBounds) extend(v int32, length int64) bool {
	walks := int64(0)
	row := w.graph.Row(v)
	for _, u := range row {
		walks = min(walks+w.last[u], mostCounted)
	}
	if length > 1 && !w.graph.Directed && walks < mostCounted {
		turning := int64(len(row))
		if length > 2 {
			turning--
		}
		walks -= min(walks, turning*w.before[v])
	}
	w.next[v] = walks
	count, most := w.count[v], int64(w.most[v])
	if count == most && length > 1 {
		return false
	}
	more := min(walks, most-count)
	least := max(int64(w.least[v]), min(1, most))
	if count+more >= least {
		all := max(count, least)
		w.best[v] = max(w.best[v], w.score(w.sum[v]+w.fold(all-count, length), float64(all)))
	}
	w.count[v], w.sum[v] = count+more, w.sum[v]+w.fold(more, length)
	w.bound(v, length, least)
	return w.count[v] < most
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
