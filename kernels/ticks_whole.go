package kernels

import (
	"context"
	"math/bits"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// WholeTicks returns the weight of every arc as a whole number of ticks, such that no path passes 2^62; a length of t
// ticks is t * mul / div. ok is false where 64 bits do not hold the longest path, or where a
// tick is under 1e-300.
func WholeTicks(g *export.Graph) (arc []int64, mul, div float64, ok bool) {
	switch t, whole, narrow := wholeNumbers(context.Background(), g); {
	case narrow:
		return t.arc, t.unit.mul, t.unit.div, true
	case whole:
		return nil, 0, 0, false
	}
	if !someFit(g) {
		return nil, 0, 0, false
	}
	t, ok := newTicks(context.Background(), g)
	if !ok || t.wide || t.unit.div2 != 1 || t.less > 0 {
		return nil, 0, 0, false
	}
	n := narrow(t)
	return n.arc, n.unit.mul, n.unit.div, true
}

// wholeNumbers returns weights as multiples of their greatest common divisor, where all of them are whole numbers under 2^53 and there is one at
// least: most weights are, and need not be read as decimals. It is narrow where no path passes 2^62 of these. A context that ends
// cuts it short: it is then not whole.
func wholeNumbers(ctx context.Context, g *export.Graph) (t ticks64, whole, narrow bool) {
	weights := g.Weights
	if len(weights) == 0 || g.Rests != nil || !export.IsWhole(weights[0]) {
		return ticks64{}, false, false
	}
	arc := make([]int64, len(weights))
	var common uint64
	var most int64
	whole = inParts(ctx, len(weights), func(from, to int) func() bool {
		var part uint64
		var partMost int64
		fit := true
		for i, w := range weights[from:to] {
			fit = fit && export.IsWhole(w)
			x := int64(w)
			arc[from+i], partMost = x, max(partMost, x)
			if x := uint64(x); part != x && part != 1 {
				part = gcd(u128{lo: x}, u128{lo: part}).lo
			}
		}
		return func() bool {
			common, most = gcd(u128{lo: part}, u128{lo: common}).lo, max(most, partMost)
			return fit
		}
	})
	if !whole {
		return ticks64{}, false, false
	}
	if common = max(common, 1); common > 1 {
		for i := range arc {
			arc[i] /= int64(common)
		}
	}
	hi, lo := bits.Mul64(uint64(most)/common, uint64(g.N()))
	return ticks64{arc: arc, unit: unit{float64(common), 1, 1}}, true, hi == 0 && lo < 1<<62
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
	t, ok := ticksOf(context.Background(), some, nil, g.N())
	return ok && !t.wide
}

// LongestTicks bounds the length of every shortest path of an undirected graph whose arcs have so many ticks: twice that of
// the longest from some node of the same component.
func LongestTicks(g *export.Graph, arc []int64) int64 {
	stop := stopper.New(context.Background())
	defer stop.Release()
	l := ticks64{arc: arc, unit: unit{1, 1, 1}}.lengths()
	l.firstWidth() // for a search or two, a better one is not worth looking for
	d := newRingSearch(g, l, false, stop)
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
