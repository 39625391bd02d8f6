package kernels

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
)

// WholeTicks returns the weight of every arc as a whole number of ticks, such that no path passes 2^62; a length of t
// ticks is t * mul / div. ok is false where 64 bits do not hold the longest path, or where a
// tick is under 1e-300.
func WholeTicks(g *export.Graph) (arc []int64, mul, div float64, ok bool) {
	if !someFit(g) {
		return nil, 0, 0, false
	}
	t, ok := newTicks(context.Background(), g)
	if !ok || t.wide || t.unit.div2 != 1 {
		return nil, 0, 0, false
	}
	n := narrow(t)
	return n.arc, n.unit.mul, n.unit.div, true
}

// someFit says whether 62 bits hold as many times the greatest of some weights as there are nodes, in ticks that divide these alone: with the
// other weights ticks are no longer, and more of them.
func someFit(g *export.Graph) bool {
	const count = 1024
	if len(g.Weights) <= count {
		return true
	}
	some := make([]float64, count)
	for i := range some {
		some[i] = g.Weights[i*len(g.Weights)/count]
	}
	t, ok := ticksOf(context.Background(), some, g.N())
	return ok && !t.wide
}

// LongestTicks bounds the length of every shortest path of an undirected graph whose arcs have so many ticks: twice that of
// the longest from some node of the same component.
func LongestTicks(g *export.Graph, arc []int64) int64 {
	stop := newStopper(context.Background())
	defer stop.release()
	d := weights[int64]{ticks64{arc: arc, unit: unit{1, 1, 1}}}.newSearch(g, false, stop).(*dijkstra[int64])
	seen := make([]bool, g.N())
	var longest int64
	for v := range int32(g.N()) {
		if seen[v] || d.from(v) != nil { // a search fails when it is stopped, or a length overflows: neither happens here
			continue
		}
		for _, u := range d.order {
			seen[u] = true
		}
		longest = max(longest, 2*d.dist[d.order[len(d.order)-1]])
	}
	return longest
}
