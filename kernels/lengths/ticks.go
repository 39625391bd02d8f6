package lengths

import (
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// conversion has the weight of every arc as a whole number of units.
type conversion struct {
	WideTicks
	// wide says that a path may pass 2^62 ticks.
	wide bool
}

// narrow is a conversion that is not wide.
func (c conversion) narrow() Ticks {
	out := Ticks{Arc: make([]int64, len(c.Arc)), Unit: c.Unit, shift: c.shift}
	for i, x := range c.Arc {
		out.Arc[i] = int64(x.lo)
	}
	return out
}

// maxDigits is the most decimal places that two weights may differ by and still share a tick in 128 bits.
const maxDigits = 38

// convert converts the weights; ok is false when 126 bits do not hold the longest path, or the context is done.
func convert(ctx context.Context, g *export.Graph) (c conversion, ok bool) {
	weights := g.Weights
	if len(weights) == 0 {
		weights = slices.Repeat([]float64{1}, g.Arcs())
	}
	return convertAll(ctx, weights, g.Rests, g.N())
}

// convertAll converts weights of arcs, with their rests unless these are nil; a path has at most as many as there are
// nodes. ok is as convert has it.
func convertAll(ctx context.Context, weights, rests []float64, nodes int) (t conversion, ok bool) {
	if len(weights) == 0 {
		return conversion{WideTicks: WideTicks{Unit: Unit{1, 1, 1}}}, true
	}
	t.Arc = make([]U128, len(weights))
	places := make([]int16, len(weights))
	low, high := math.MaxInt, math.MinInt
	whole := inParts(ctx, len(weights), func(from, to int) func() bool {
		least, most, fit := math.MaxInt, math.MinInt, true
		for i, w := range weights[from:to] {
			mantissa, place := export.Decimal(w)
			x, fits := U128{lo: mantissa}, true
			if rests != nil && rests[from+i] != 0 {
				x, place, fits = x.withRest(place, rests[from+i])
			}
			t.Arc[from+i], places[from+i], fit = x, int16(place), fit && fits
			least, most = min(least, place), max(most, place)
		}
		return func() bool {
			low, high = min(low, least), max(high, most)
			return fit
		}
	})
	if !whole || high-low > maxDigits {
		return conversion{}, false
	}
	var common, most U128
	whole = inParts(ctx, len(weights), func(from, to int) func() bool {
		var partCommon, partMost U128
		fit := true
		for i, x := range t.Arc[from:to] {
			var fits bool
			x, fits = x.times10(int(places[from+i]) - low)
			fit = fit && fits
			t.Arc[from+i] = x
			if partCommon != x && partCommon != (U128{lo: 1}) {
				partCommon = gcd(x, partCommon)
			}
			if partMost.Less(x) {
				partMost = x
			}
		}
		return func() bool {
			common = gcd(common, partCommon)
			if most.Less(partMost) {
				most = partMost
			}
			return fit
		}
	})
	if !whole {
		return conversion{}, false
	}
	if common != (U128{lo: 1}) {
		whole = inParts(ctx, len(weights), func(from, to int) func() bool {
			for i, x := range t.Arc[from:to] {
				t.Arc[from+i] = x.dividedBy(common)
			}
			return nil
		})
	}
	longest := new(big.Int).Mul(most.dividedBy(common).big(), big.NewInt(int64(nodes)))
	if !whole || longest.BitLen() > 126 {
		return conversion{}, false
	}
	t.wide = longest.BitLen() > 62
	t.shift = lengthShift(weights, nodes)
	t.Unit = newUnit(common, low-t.shift)
	return t, true
}

// LongLengths reports whether sums of path lengths of the graph might overflow float64. The CPU measures them in larger
// units.
func LongLengths(g *export.Graph) bool {
	_, greatest := g.WeightRange()
	return len(g.Weights) > 0 && shiftOf(greatest, g.N()) > 0
}

// lengthShift returns the value of Lengths.Shift: n^2 paths of n arcs, for sums over pairs, stay under 10^300.
func lengthShift(weights []float64, nodes int) int {
	if len(weights) == 0 {
		return 0
	}
	return shiftOf(slices.Max(weights), nodes)
}

func shiftOf(greatest float64, nodes int) int {
	return max(0, int(math.Ceil(math.Log10(greatest)+3*math.Log10(float64(nodes))))-300)
}

// newUnit returns common * 10^low.
func newUnit(common U128, low int) Unit {
	u := Unit{common.Float(), 1, 1}
	if low < 0 {
		u.Div, u.Div2 = math.Pow10(min(-low, 300)), math.Pow10(max(-low-300, 0))
	} else {
		u.Mul *= math.Pow10(low)
	}
	return u
}
