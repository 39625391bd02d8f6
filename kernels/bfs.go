package kernels

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
)

// hops measures a path by its number of arcs.
type hops struct{}

func (hops) ties() string { return "" }

func (hops) newSearch(g *export.Graph, keep bool, stop *stopper) search {
	return newBFS(g, keep, stop)
}

func newBFS(g *export.Graph, keep bool, stop *stopper) *bfs {
	b := &bfs{g: g, paths: newPaths(g, keep), level: make([]int32, g.N()), limit: math.MaxInt32, stop: stop}
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
	stop  *stopper
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
			if i%stopEvery == 0 {
				if err := b.stop.err(); err != nil {
					return err
				}
			}
			if b.keep {
				b.start = append(b.start, int64(len(b.arcs)))
				b.expandKeeping(b.order[i], depth)
			} else {
				b.expand(b.order[i], depth)
			}
		}
	}
	if b.keep {
		b.start = append(b.start, int64(len(b.arcs)))
	}
	return nil
}

func (b *bfs) expand(v, depth int32) {
	order, level := b.order, b.level
	for _, w := range b.g.Row(v) {
		if level[w] == unreached {
			level[w] = depth
			order = append(order, w)
		}
	}
	b.order = order
}

func (b *bfs) expandKeeping(v, depth int32) {
	order, level, arcs := b.order, b.level, b.arcs
	for k, w := range b.g.Row(v) {
		l := level[w]
		if l == unreached {
			l = depth
			level[w] = depth
			order = append(order, w)
		}
		if l == depth {
			arcs = append(arcs, uint32(k))
		}
	}
	b.order, b.arcs = order, arcs
}
