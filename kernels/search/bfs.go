package search

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hugepages"
	"github.com/linchpin-graph/linchpin/internal/prefetch"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// NewBFS makes a breadth-first search that keeps the shortest-path arcs, and counts paths, if asked to.
func NewBFS(g *export.Graph, keep bool, stop *stopper.Stopper) *BFS {
	b := &BFS{
		g: g, Paths: newPaths(g, keep), Level: hugepages.Of(make([]int32, g.N())), Limit: math.MaxInt32, stop: stop,
		expand: (*BFS).find,
	}
	switch {
	case keep && masked(g):
		b.expand = (*BFS).countMasked
	case keep:
		b.expand = (*BFS).count
	case masked(g):
		b.expand = (*BFS).findMasked
	}
	for v := range b.Level {
		b.Level[v] = unreached
	}
	return b
}

const unreached = -1

// BFS is breadth-first search.
type BFS struct {
	Paths
	g     *export.Graph
	Level []int32 // of each node; -1 where it was not reached
	Limit int32   // the deepest level to reach
	stop  *stopper.Stopper
	// expand goes along the arcs of the nodes from place first to place end of Order, of the level before depth.
	expand func(b *BFS, first, end int, depth int32)
}

// Found is as Search has it.
func (b *BFS) Found() *Paths { return &b.Paths }

// Reached is as Search has it.
func (b *BFS) Reached(v int32) bool { return b.Level[v] != unreached }

// Distance is as Search has it.
func (b *BFS) Distance(v int32) float64 {
	return float64(max(b.Level[v], 0))
}

func (b *BFS) distances(into []float64) {
	for i, v := range b.Order {
		into[i] = float64(b.Level[v])
	}
}

// From is as Search has it.
func (b *BFS) From(s int32) error {
	b.forget()
	b.reset(s)
	b.Level[s] = 0
	for first, depth := 0, int32(1); first < len(b.Order) && depth <= b.Limit; depth++ {
		end := len(b.Order)
		b.Levels = append(b.Levels, end)
		for first < end {
			if err := b.stop.Err(); err != nil {
				return err
			}
			next := min(end, first+stopper.Every)
			b.expand(b, first, next, depth)
			first = next
		}
		if b.keep {
			b.countedLevel(b.Order[end:])
		}
	}
	b.endAtLimit()
	if b.keep {
		b.Start = append(b.Start, int64(len(b.Arcs)))
	}
	return nil
}

// endAtLimit ends the last level, which was not expanded if the search stopped at its limit.
func (b *BFS) endAtLimit() {
	first, end := b.Levels[len(b.Levels)-1], len(b.Order)
	if first == end {
		return
	}
	b.Levels = append(b.Levels, end)
	if !b.keep {
		return
	}
	for range end - first {
		b.Start = append(b.Start, int64(len(b.Arcs)))
	}
	b.countedLevel(nil)
}

// forget takes all nodes for unreached.
func (b *BFS) forget() {
	if len(b.Order) < len(b.Level)/MostScattered {
		for _, v := range b.Order {
			b.Level[v] = unreached
		}
		return
	}
	for v := range b.Level {
		b.Level[v] = unreached
	}
}

// MostScattered says from one in how many on it is faster to go over all nodes, or edges, than over those reached.
const MostScattered = 8

// find lists the nodes of the next level that arcs lead to.
func (b *BFS) find(first, end int, depth int32) {
	order, level := b.Order, b.Level
	for _, v := range b.Order[first:end] {
		for _, w := range b.g.Row(v) {
			if level[w] == unreached {
				level[w] = depth
				order = append(order, w)
			}
		}
	}
	b.Order = order
}

// findMasked is find without a branch: each target is listed where the next new node belongs.
func (b *BFS) findMasked(first, end int, depth int32) {
	order, level, found, next := b.Order[:cap(b.Order)], b.Level, len(b.Order), uint32(depth)
	offsets, targets := b.g.Offsets, b.g.Targets
	for _, v := range order[first:end] {
		for _, w := range targets[offsets[v]:offsets[v+1]] {
			old := uint32(level[w]) // unreached is the greatest
			level[w] = int32(min(old, next))
			order[found] = w
			found += Less(next, old)
		}
	}
	b.Order = order[:found]
}

// count is find that keeps arcs and adds the counts of nodes to those of the next level. A target that is there already
// and one that is new are taken alike: each is listed where the next new node belongs.
func (b *BFS) count(first, end int, depth int32) {
	order, arcs, level, sigma := b.Order[:cap(b.Order)], b.Arcs[:cap(b.Arcs)], b.Level, b.Sigma
	found, kept, next := len(b.Order), len(b.Arcs), uint32(depth)
	for _, v := range order[first:end] {
		x := sigma[v]
		b.Start = append(b.Start, int64(kept))
		for k, w := range b.g.Row(v) {
			old := uint32(level[w]) // unreached is the greatest
			if old < next {
				continue
			}
			level[w] = depth
			order[found], arcs[kept] = w, uint32(k)
			found += Less(next, old)
			kept++
			sigma[w] += x
		}
	}
	b.Order, b.Arcs = order[:found], arcs[:kept]
}

// countMasked is count without a branch.
func (b *BFS) countMasked(first, end int, depth int32) {
	order, arcs, level, sigma := b.Order[:cap(b.Order)], b.Arcs[:cap(b.Arcs)], b.Level, b.Sigma
	found, kept, next, start := len(b.Order), len(b.Arcs), uint32(depth), b.Start[:cap(b.Start)]
	offsets, targets := b.g.Offsets, b.g.Targets
	for i := first; i < end; i++ {
		if i%prefetch.Few == 0 {
			b.prefetch(order[i:])
		}
		v := order[i]
		x := math.Float64bits(sigma[v])
		start[i] = int64(kept)
		for k, w := range targets[offsets[v]:offsets[v+1]] {
			old := uint32(level[w])
			now := min(old, next)
			level[w] = int32(now)
			order[found], arcs[kept] = w, uint32(k)
			found += Less(next, old)
			before := Less(now, next)
			kept += 1 - before
			sigma[w] += math.Float64frombits(x & uint64(before-1))
		}
	}
	b.Order, b.Start, b.Arcs = order[:found], start[:end], arcs[:kept]
}

// prefetch asks for what the nodes that come next need. They are those of a level, those of the next one that are known
// already, and any others.
func (b *BFS) prefetch(order []int32) {
	if len(b.Level) < prefetch.Pays || len(order) < 4*prefetch.Few {
		return
	}
	prefetch.Targets(b.g.Offsets, b.g.Targets, b.Sigma, b.Level, order[prefetch.Few:2*prefetch.Few])
	prefetch.Rows(b.g.Offsets, b.g.Targets, order[2*prefetch.Few:3*prefetch.Few])
	prefetch.Offsets(b.g.Offsets, order[3*prefetch.Few:4*prefetch.Few])
}

// Less is 1 where a is less than b, else 0.
func Less(a, b uint32) int { return int((uint64(a) - uint64(b)) >> 63) }
