// Package wide has numbers of float64's precision and of any size, such as counts of shortest paths.
package wide

import "math"

// Number is a number of float64's precision and of any size: Mantissa * 2^Exponent, the mantissa in [0.5, 1), or 0.
type Number struct {
	Mantissa float64
	Exponent int64
}

// Of returns x.
func Of(x float64) Number {
	m, e := math.Frexp(x)
	return Number{m, int64(e)}
}

// Plus returns x + y.
func (x Number) Plus(y Number) Number {
	if x.Mantissa == 0 || y.Mantissa != 0 && x.Exponent < y.Exponent {
		x, y = y, x
	}
	if y.Mantissa == 0 || x.Exponent-y.Exponent > 64 {
		return x
	}
	m, e := math.Frexp(x.Mantissa + math.Ldexp(y.Mantissa, int(y.Exponent-x.Exponent)))
	return Number{m, x.Exponent + int64(e)}
}

// Times returns x * y.
func (x Number) Times(y Number) Number {
	m, e := math.Frexp(x.Mantissa * y.Mantissa)
	if m == 0 {
		return Number{}
	}
	return Number{m, x.Exponent + y.Exponent + int64(e)}
}

// Over returns x / y as a float64: 0 when that is too small for one, infinite when it is too great.
func (x Number) Over(y Number) float64 {
	return Number{x.Mantissa / y.Mantissa, x.Exponent - y.Exponent}.Float()
}

// Float returns x as a float64: 0 when it is too small for one, infinite when it is too great.
func (x Number) Float() float64 {
	return math.Ldexp(x.Mantissa, int(max(min(x.Exponent, 1<<20), -1<<20)))
}

// Log2 returns the binary logarithm, minus infinity for 0.
func (x Number) Log2() float64 { return math.Log2(x.Mantissa) + float64(x.Exponent) }
