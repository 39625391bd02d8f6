package lengths

import (
	"context"
	"math/bits"

	"github.com/linchpin-graph/linchpin/export"
)

// WholeTicks returns the weight of every arc as a whole number of ticks, such that no path passes 2^62; a length of t
// ticks is t * mul / div. ok is false where 64 bits do not hold the longest path, or where a
// tick is under 1e-300.
func WholeTicks(g *export.Graph) (arc []int64, mul, div float64, ok bool) {
	switch t, whole, narrow := wholeNumbers(context.Background(), g); {
	case narrow:
		return t.Arc, t.Unit.Mul, t.Unit.Div, true
	case whole:
		return nil, 0, 0, false
	}
	if !someFit(g) {
		return nil, 0, 0, false
	}
	c, ok := convert(context.Background(), g)
	if !ok || c.wide || c.Unit.Div2 != 1 || c.shift > 0 {
		return nil, 0, 0, false
	}
	return c.narrow().Arc, c.Unit.Mul, c.Unit.Div, true
}

// wholeNumbers returns weights as multiples of their greatest common divisor, where all of them are whole numbers under
// 2^53 and there is one at least: most weights are, and need not be read as decimals. It is narrow where no path passes
// 2^62 of these. A context that ends cuts it short: it is then not whole.
func wholeNumbers(ctx context.Context, g *export.Graph) (t Ticks, whole, narrow bool) {
	weights := g.Weights
	if len(weights) == 0 || g.Rests != nil || !export.IsWhole(weights[0]) {
		return Ticks{}, false, false
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
				part = gcd(U128{lo: x}, U128{lo: part}).lo
			}
		}
		return func() bool {
			common, most = gcd(U128{lo: part}, U128{lo: common}).lo, max(most, partMost)
			return fit
		}
	})
	if !whole {
		return Ticks{}, false, false
	}
	if common = max(common, 1); common > 1 {
		for i := range arc {
			arc[i] /= int64(common)
		}
	}
	hi, lo := bits.Mul64(uint64(most)/common, uint64(g.N()))
	return Ticks{Arc: arc, Unit: Unit{float64(common), 1, 1}}, true, hi == 0 && lo < 1<<62
}

// someFit says whether 62 bits hold as many times the greatest of some weights as there are nodes, in ticks that divide
// these alone: with the other weights ticks are no longer, and more of them.
func someFit(g *export.Graph) bool {
	const count = 1024
	if len(g.Weights) <= count {
		return true
	}
	some := make([]float64, count)
	for i := range some {
		some[i] = g.Weights[i*len(g.Weights)/count]
	}
	t, ok := convertAll(context.Background(), some, nil, g.N())
	return ok && !t.wide
}
