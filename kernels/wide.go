package kernels

import "math"

// wide is a number of float64's precision and of any size: mantissa * 2^exponent, the mantissa in [0.5, 1), or 0.
type wide struct {
	mantissa float64
	exponent int64
}

func newWide(x float64) wide {
	m, e := math.Frexp(x)
	return wide{m, int64(e)}
}

func (x wide) plus(y wide) wide {
	if x.mantissa == 0 || y.mantissa != 0 && x.exponent < y.exponent {
		x, y = y, x
	}
	if y.mantissa == 0 || x.exponent-y.exponent > 64 {
		return x
	}
	m, e := math.Frexp(x.mantissa + math.Ldexp(y.mantissa, int(y.exponent-x.exponent)))
	return wide{m, x.exponent + int64(e)}
}

func (x wide) times(y wide) wide {
	m, e := math.Frexp(x.mantissa * y.mantissa)
	if m == 0 {
		return wide{}
	}
	return wide{m, x.exponent + y.exponent + int64(e)}
}

// over returns x / y as a float64: 0 when that is too small for one, infinite when it is too great.
func (x wide) over(y wide) float64 {
	return wide{x.mantissa / y.mantissa, x.exponent - y.exponent}.float()
}

// float returns x as a float64: 0 when it is too small for one, infinite when it is too great.
func (x wide) float() float64 {
	return math.Ldexp(x.mantissa, int(max(min(x.exponent, 1<<20), -1<<20)))
}

// log2 returns the binary logarithm, minus infinity for 0.
func (x wide) log2() float64 { return math.Log2(x.mantissa) + float64(x.exponent) }
