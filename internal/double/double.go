// Package double has numbers of twice float64's precision: about 31 digits.
package double

import "math"

// Number is an unevaluated sum of two float64s (Dekker, "A floating-point technique for extending the available
// precision", 1971).
type Number struct{ Hi, Lo float64 }

// Sum returns a + b, exactly.
func Sum(a, b float64) Number {
	s := a + b
	t := s - a
	return Number{s, (a - (s - t)) + (b - t)}
}

// Product returns a * b, exactly unless the lower part is too small for a float64.
func Product(a, b float64) Number {
	p := float64(a * b) // not one step with a sum that follows
	return Number{p, math.FMA(a, b, -p)}
}

// Plus returns x + y.
func (x Number) Plus(y Number) Number {
	s := Sum(x.Hi, y.Hi)
	return Sum(s.Hi, s.Lo+x.Lo+y.Lo)
}

// Times returns x * y.
func (x Number) Times(y float64) Number {
	p := Product(x.Hi, y)
	return Sum(p.Hi, p.Lo+x.Lo*y)
}

// Negative returns -x.
func (x Number) Negative() Number { return Number{-x.Hi, -x.Lo} }

// Float rounds x to a float64.
func (x Number) Float() float64 { return x.Hi + x.Lo }
