package kernels

import (
	"context"
	"math"
	"math/big"
	"math/bits"
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

// convertAll converts weights of arcs, with their rests unless these are nil; a path has at most as many as there are nodes. ok is as
// convert has it.
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
			if partMost.less(x) {
				partMost = x
			}
		}
		return func() bool {
			common = gcd(common, partCommon)
			if most.less(partMost) {
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

// LongLengths reports whether sums of path lengths of the graph might overflow float64. The CPU measures them in larger units.
func LongLengths(g *export.Graph) bool { return lengthShift(g.Weights, g.N()) > 0 }

// lengthShift returns the value of Lengths.Shift: n^2 paths of n arcs, for sums over pairs, stay under 10^300.
func lengthShift(weights []float64, nodes int) int {
	if len(weights) == 0 {
		return 0
	}
	return max(0, int(math.Ceil(math.Log10(slices.Max(weights))+3*math.Log10(float64(nodes))))-300)
}

// newUnit returns common * 10^low.
func newUnit(common U128, low int) Unit {
	u := Unit{common.float(), 1, 1}
	if low < 0 {
		u.Div, u.Div2 = math.Pow10(min(-low, 300)), math.Pow10(max(-low-300, 0))
	} else {
		u.Mul *= math.Pow10(low)
	}
	return u
}

// U128 is an unsigned integer of 128 bits.
type U128 struct{ hi, lo uint64 }

func (x U128) less(y U128) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

func (x U128) plus(y U128) U128 {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return U128{hi, lo}
}

func (x U128) minus(y U128) U128 {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	hi, _ := bits.Sub64(x.hi, y.hi, borrow)
	return U128{hi, lo}
}

// withRest returns x * 10^place + rest as a decimal, and false when 126 bits do not hold it or the rest is not known.
func (x U128) withRest(place int, rest float64) (U128, int, bool) {
	if math.IsNaN(rest) {
		return U128{}, place, false
	}
	mantissa, at := export.Decimal(math.Abs(rest))
	low := min(place, at)
	x, fits := x.times10(place - low)
	y, ok := U128{lo: mantissa}.times10(at - low)
	if rest < 0 {
		return x.minus(y), low, fits && ok
	}
	return x.plus(y), low, fits && ok
}

// times10 returns x * 10^k, and false when that takes more than 126 bits.
func (x U128) times10(k int) (U128, bool) {
	for range k {
		if x.hi >= 1<<58 {
			return U128{}, false
		}
		carry, lo := bits.Mul64(x.lo, 10)
		x = U128{x.hi*10 + carry, lo}
	}
	return x, x.hi < 1<<62
}

func (x U128) dividedBy(y U128) U128 {
	if y == (U128{lo: 1}) {
		return x
	}
	if y.hi == 0 {
		hi, rest := bits.Div64(0, x.hi, y.lo)
		lo, _ := bits.Div64(rest, x.lo, y.lo)
		return U128{hi, lo}
	}
	q := new(big.Int).Quo(x.big(), y.big())
	return U128{lo: q.Uint64()}
}

func (x U128) big() *big.Int {
	b := new(big.Int).SetUint64(x.hi)
	return b.Or(b.Lsh(b, 64), new(big.Int).SetUint64(x.lo))
}

func (x U128) float() float64 { return math.Ldexp(float64(x.hi), 64) + float64(x.lo) }

func gcd(x, y U128) U128 {
	if x.hi == 0 && x.lo != 0 && y.hi != 0 {
		_, rest := bits.Div64(y.hi%x.lo, y.lo, x.lo)
		y = U128{lo: rest}
	}
	if x.hi == 0 && y.hi == 0 {
		a, b := x.lo, y.lo
		for b != 0 {
			a, b = b, a%b
		}
		return U128{lo: a}
	}
	d := new(big.Int).GCD(nil, nil, x.big(), y.big())
	lo := new(big.Int).And(d, new(big.Int).SetUint64(math.MaxUint64))
	return U128{hi: new(big.Int).Rsh(d, 64).Uint64(), lo: lo.Uint64()}
}
