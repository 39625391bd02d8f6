package kernels

import (
	"context"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// DefaultTolerance is the relative tolerance of ties between path lengths that no 128-bit integer can hold.
const DefaultTolerance = 1e-10

// convertWeights measures a path by the sum of its weights. A weight is the decimal that its shortest round-trip text shows,
// a whole number of ticks; the tick is the greatest decimal that divides all weights. While no path can pass 2^62 or
// 2^126 ticks, lengths are integers and ties are exact. Beyond, lengths are float64 and ties within the tolerance.
// A context that ends cuts the conversion short: the result is then of no use.
func convertWeights(ctx context.Context, g *export.Graph, tolerance float64) lengths {
	if tolerance == 0 {
		tolerance = DefaultTolerance
	}
	if t, _, narrow := wholeNumbers(ctx, g); narrow {
		return t.lengths()
	}
	t, ok := newTicks(ctx, g)
	switch {
	case !ok:
		return realLengths(g.Weights, tolerance, lengthShift(g.Weights, g.N()))
	case t.wide:
		return &ticks128{arc: t.arc, unit: t.unit, less: t.less}
	}
	return narrow(t).lengths()
}

// newWeights is convertWeights without an end.
func newWeights(g *export.Graph, tolerance float64) lengths {
	return convertWeights(context.Background(), g, tolerance)
}

func narrow(t ticks) ticks64 {
	out := ticks64{arc: make([]int64, len(t.arc)), unit: t.unit, less: t.less}
	for i, x := range t.arc {
		out.arc[i] = int64(x.lo)
	}
	return out
}

// ticks has the weight of every arc as a whole number of units.
type ticks struct {
	arc  []u128
	unit unit
	less int // as shift returns it
	// wide says that a path may pass 2^62 ticks.
	wide bool
}

// unit is the weight of one tick: mul / (div * div2). It is kept as factors that float64 holds, because 3 * 1 / 10 is
// 0.3 in float64 and 3 * 0.1 is not, and because 10^324 has no float64.
type unit struct{ mul, div, div2 float64 }

func (u unit) of(ticks float64) float64 { return ticks * u.mul / u.div / u.div2 }

// maxDigits is the most decimal places that two weights may differ by and still share a tick in 128 bits.
const maxDigits = 38

// newTicks converts the weights; ok is false when 126 bits do not hold the longest path, or the context is done.
func newTicks(ctx context.Context, g *export.Graph) (t ticks, ok bool) {
	weights := g.Weights
	if len(weights) == 0 {
		weights = slices.Repeat([]float64{1}, g.Arcs())
	}
	return ticksOf(ctx, weights, g.Rests, g.N())
}

// ticksOf converts weights of arcs, with their rests unless these are nil; a path has at most as many as there are nodes. ok is as
// newTicks has it.
func ticksOf(ctx context.Context, weights, rests []float64, nodes int) (t ticks, ok bool) {
	if len(weights) == 0 {
		return ticks{unit: unit{1, 1, 1}}, true
	}
	t.arc = make([]u128, len(weights))
	places := make([]int16, len(weights))
	low, high := math.MaxInt, math.MinInt
	whole := inParts(ctx, len(weights), func(from, to int) func() bool {
		least, most, fit := math.MaxInt, math.MinInt, true
		for i, w := range weights[from:to] {
			mantissa, place := export.Decimal(w)
			x, fits := u128{lo: mantissa}, true
			if rests != nil && rests[from+i] != 0 {
				x, place, fits = x.withRest(place, rests[from+i])
			}
			t.arc[from+i], places[from+i], fit = x, int16(place), fit && fits
			least, most = min(least, place), max(most, place)
		}
		return func() bool {
			low, high = min(low, least), max(high, most)
			return fit
		}
	})
	if !whole || high-low > maxDigits {
		return ticks{}, false
	}
	var common, most u128
	whole = inParts(ctx, len(weights), func(from, to int) func() bool {
		var partCommon, partMost u128
		fit := true
		for i, x := range t.arc[from:to] {
			var fits bool
			x, fits = x.times10(int(places[from+i]) - low)
			fit = fit && fits
			t.arc[from+i] = x
			if partCommon != x && partCommon != (u128{lo: 1}) {
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
		return ticks{}, false
	}
	if common != (u128{lo: 1}) {
		whole = inParts(ctx, len(weights), func(from, to int) func() bool {
			for i, x := range t.arc[from:to] {
				t.arc[from+i] = x.dividedBy(common)
			}
			return nil
		})
	}
	longest := new(big.Int).Mul(most.dividedBy(common).big(), big.NewInt(int64(nodes)))
	if !whole || longest.BitLen() > 126 {
		return ticks{}, false
	}
	t.wide = longest.BitLen() > 62
	t.less = lengthShift(weights, nodes)
	t.unit = newUnit(common, low-t.less)
	return t, true
}

// LongLengths reports whether sums of path lengths of the graph might overflow float64. The CPU measures them in larger units.
func LongLengths(g *export.Graph) bool { return lengthShift(g.Weights, g.N()) > 0 }

// lengthShift returns the value of lengths.shift: n^2 paths of n arcs, for sums over pairs, stay under 10^300.
func lengthShift(weights []float64, nodes int) int {
	if len(weights) == 0 {
		return 0
	}
	return max(0, int(math.Ceil(math.Log10(slices.Max(weights))+3*math.Log10(float64(nodes))))-300)
}

// newUnit returns common * 10^low.
func newUnit(common u128, low int) unit {
	u := unit{common.float(), 1, 1}
	if low < 0 {
		u.div, u.div2 = math.Pow10(min(-low, 300)), math.Pow10(max(-low-300, 0))
	} else {
		u.mul *= math.Pow10(low)
	}
	return u
}

// u128 is an unsigned integer of 128 bits.
type u128 struct{ hi, lo uint64 }

func (x u128) less(y u128) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

func (x u128) plus(y u128) u128 {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return u128{hi, lo}
}

func (x u128) minus(y u128) u128 {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	hi, _ := bits.Sub64(x.hi, y.hi, borrow)
	return u128{hi, lo}
}

// withRest returns x * 10^place + rest as a decimal, and false when 126 bits do not hold it or the rest is not known.
func (x u128) withRest(place int, rest float64) (u128, int, bool) {
	if math.IsNaN(rest) {
		return u128{}, place, false
	}
	mantissa, at := export.Decimal(math.Abs(rest))
	low := min(place, at)
	x, fits := x.times10(place - low)
	y, ok := u128{lo: mantissa}.times10(at - low)
	if rest < 0 {
		return x.minus(y), low, fits && ok
	}
	return x.plus(y), low, fits && ok
}

// times10 returns x * 10^k, and false when that takes more than 126 bits.
func (x u128) times10(k int) (u128, bool) {
	for range k {
		if x.hi >= 1<<58 {
			return u128{}, false
		}
		carry, lo := bits.Mul64(x.lo, 10)
		x = u128{x.hi*10 + carry, lo}
	}
	return x, x.hi < 1<<62
}

func (x u128) dividedBy(y u128) u128 {
	if y == (u128{lo: 1}) {
		return x
	}
	if y.hi == 0 {
		hi, rest := bits.Div64(0, x.hi, y.lo)
		lo, _ := bits.Div64(rest, x.lo, y.lo)
		return u128{hi, lo}
	}
	q := new(big.Int).Quo(x.big(), y.big())
	return u128{lo: q.Uint64()}
}

func (x u128) big() *big.Int {
	b := new(big.Int).SetUint64(x.hi)
	return b.Or(b.Lsh(b, 64), new(big.Int).SetUint64(x.lo))
}

func (x u128) float() float64 { return math.Ldexp(float64(x.hi), 64) + float64(x.lo) }

func gcd(x, y u128) u128 {
	if x.hi == 0 && x.lo != 0 && y.hi != 0 {
		_, rest := bits.Div64(y.hi%x.lo, y.lo, x.lo)
		y = u128{lo: rest}
	}
	if x.hi == 0 && y.hi == 0 {
		a, b := x.lo, y.lo
		for b != 0 {
			a, b = b, a%b
		}
		return u128{lo: a}
	}
	d := new(big.Int).GCD(nil, nil, x.big(), y.big())
	lo := new(big.Int).And(d, new(big.Int).SetUint64(math.MaxUint64))
	return u128{hi: new(big.Int).Rsh(d, 64).Uint64(), lo: lo.Uint64()}
}
