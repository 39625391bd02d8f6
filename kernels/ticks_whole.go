package kernels

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
)

// WholeTicks returns the weight of every arc as a whole number of ticks, such that no path passes 2^62; a length of t
// ticks is t * mul / div. ok is false where 64 bits do not hold the longest path, or where a
// tick is under 1e-300.
func WholeTicks(g *export.Graph) (arc []int64, mul, div float64, ok bool) {
	if arc, unit, ok := wholeNumbers(g); ok {
		return arc, unit, 1, true
	}
	t, ok := newTicks(context.Background(), g)
	if !ok || t.wide || t.unit.div2 != 1 {
		return nil, 0, 0, false
	}
	n := narrow(t)
	return n.arc, n.unit.mul, n.unit.div, true
}

// wholeNumbers is WholeTicks where all weights are whole numbers under 2^53, which takes a tenth of the time: a tick is their greatest common
// divisor.
func wholeNumbers(g *export.Graph) (arc []int64, tick float64, ok bool) {
	arc = make([]int64, g.Arcs())
	common, most := int64(0), int64(0)
	for i := range arc {
		w := g.Weight(int64(i))
		x := int64(w)
		if !(w > 0 && w < 1<<53) || float64(x) != w {
			return nil, 0, false
		}
		arc[i] = x
		most = max(most, x)
		for y := x; common != 1 && y != 0; {
			common, y = y, common%y
		}
	}
	if len(arc) == 0 {
		return arc, 1, true
	}
	if most/common > (1<<62-1)/int64(g.N()) {
		return nil, 0, false
	}
	if common > 1 {
		for i := range arc {
			arc[i] /= common
		}
	}
	return arc, float64(common), true
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
