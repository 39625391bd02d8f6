package lengths

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"

	"github.com/linchpin-graph/linchpin/export"
)

// U128 is an unsigned integer of 128 bits.
type U128 struct{ hi, lo uint64 }

// Words returns the upper and the lower half.
func (x U128) Words() (high, low uint64) { return x.hi, x.lo }

// Less reports whether x < y.
func (x U128) Less(y U128) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

// Compare returns -1 where x < y, 0 where both are equal, and 1 otherwise.
func (x U128) Compare(y U128) int {
	if x.hi != y.hi {
		return cmp.Compare(x.hi, y.hi)
	}
	return cmp.Compare(x.lo, y.lo)
}

// Plus returns x + y; it does not report an overflow.
func (x U128) Plus(y U128) U128 {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return U128{hi, lo}
}

// Minus returns x - y, of which x is not the less.
func (x U128) Minus(y U128) U128 {
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
		return x.Minus(y), low, fits && ok
	}
	return x.Plus(y), low, fits && ok
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

// rightShift returns x / 2^by, rounded down, which 63 bits must hold.
func (x U128) rightShift(by uint) int64 {
	if by >= 64 {
		return int64(x.hi >> (by - 64))
	}
	return int64(x.hi<<(64-by) | x.lo>>by)
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

// Float returns the nearest float64, about.
func (x U128) Float() float64 { return math.Ldexp(float64(x.hi), 64) + float64(x.lo) }

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
