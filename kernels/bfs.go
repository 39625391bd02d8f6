package kernels

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// newBFS makes a breadth-first search that keeps the shortest-path arcs, and counts paths, if asked to.
func newBFS(g *export.Graph, keep bool, stop *stopper.Stopper) *bfs {
	b := &bfs{g: g, paths: newPaths(g, keep), level: make([]int32, g.N()), limit: math.MaxInt32, stop: stop, expand: (*bfs).find}
	switch {
	case keep && masked(g):
		b.expand = (*bfs).countMasked
	case keep:
		b.expand = (*bfs).count
	}
	for v := range b.level {
		b.level[v] = unreached
	}
	return b
}

const unreached = -1

// bfs is breadth-first search.
type bfs struct {
	paths
	g     *export.Graph
	level []int32
	limit int32 // the deepest level to reach
	stop  *stopper.Stopper
	// expand goes along the arcs of a node of the level before.
	expand func(b *bfs, v, depth int32)
}

func (b *bfs) found() *paths        { return &b.paths }
func (b *bfs) reached(v int32) bool { return b.level[v] != unreached }
func (b *bfs) distance(v int32) float64 {
	return float64(max(b.level[v], 0))
}

func (b *bfs) from(s int32) error {
	for _, v := range b.order {
		b.level[v] = unreached
	}
	b.reset(s)
	b.level[s] = 0
	for i, depth := 0, int32(1); i < len(b.order) && depth <= b.limit; depth++ {
		end := len(b.order)
		b.levels = append(b.levels, end)
		for ; i < end; i++ {
			if i%stopper.Every == 0 {
				if err := b.stop.Err(); err != nil {
					return err
				}
			}
			b.expand(b, b.order[i], depth)
		}
		if b.keep {
			b.countedLevel(b.order[end:])
		}
	}
	if b.keep {
		b.start = append(b.start, int64(len(b.arcs)))
	}
	return nil
}

// find lists the nodes of the next level that arcs of v lead to.
func (b *bfs) find(v, depth int32) {
	order, level := b.order, b.level
	for _, w := range b.g.Row(v) {
		if level[w] == unreached {
			level[w] = depth
			order = append(order, w)
		}
	}
	b.order = order
}

// count is find that keeps arcs and adds the count of v to those of the next level. A target that is there already and one that is new are taken alike: each is
// listed where the next new node belongs.
func (b *bfs) count(v, depth int32) {
	order, arcs, level, sigma := b.order[:cap(b.order)], b.arcs[:cap(b.arcs)], b.level, b.sigma
	found, tight, x, next := len(b.order), len(b.arcs), sigma[v], uint32(depth)
	b.start = append(b.start, int64(tight))
	for k, w := range b.g.Row(v) {
		old := uint32(level[w]) // unreached is the greatest
		if old < next {
			continue
		}
		level[w] = depth
		order[found], arcs[tight] = w, uint32(k)
		found += less(next, old)
		tight++
		sigma[w] += x
	}
	b.order, b.arcs = order[:found], arcs[:tight]
}

// countMasked is count without a branch.
func (b *bfs) countMasked(v, depth int32) {
	order, arcs, level, sigma := b.order[:cap(b.order)], b.arcs[:cap(b.arcs)], b.level, b.sigma
	found, tight, x, next := len(b.order), len(b.arcs), math.Float64bits(sigma[v]), uint32(depth)
	b.start = append(b.start, int64(tight))
	for k, w := range b.g.Row(v) {
		old := uint32(level[w])
		now := min(old, next)
		level[w] = int32(now)
		order[found], arcs[tight] = w, uint32(k)
		found += less(next, old)
		before := less(now, next)
		tight += 1 - before
		sigma[w] += math.Float64frombits(x & uint64(before-1))
	}
	b.order, b.arcs = order[:found], arcs[:tight]
}

// less is 1 where a is less than b, else 0.
func less(a, b uint32) int { return int((uint64(a) - uint64(b)) >> 63) }
