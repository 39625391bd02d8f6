package cores

import "math"

// maxCount is the largest path count that is kept as a plain float64; see maxPaths.
const maxCount = 0x1p600

// count is a number of paths, mantissa * 2^exp, of any size.
type count struct {
	mantissa float64
	exp      int32
}

// normal returns the count with its mantissa in [0.5, 1).
func (c count) normal() count {
	m, e := math.Frexp(c.mantissa)
	return count{m, c.exp + int32(e)}
}

func (c count) times(x float64) count { return count{c.mantissa * x, c.exp} }

func (c count) plus(d count) count {
	if c.mantissa == 0 {
		return d
	}
	if d.exp > c.exp {
		c, d = d, c
	}
	return count{c.mantissa + math.Ldexp(d.mantissa, int(d.exp-c.exp)), c.exp}
}

// over returns c / d, which is 0 or infinite past the range of float64.
func (c count) over(d count) float64 { return math.Ldexp(c.mantissa/d.mantissa, int(c.exp-d.exp)) }

// shares returns c / (c+d) and d / (c+d), each without cancellation.
func shares(c, d count) (ofC, ofD float64) {
	if c.exp == d.exp {
		sum := c.mantissa + d.mantissa
		return c.mantissa / sum, d.mantissa / sum
	}
	if c.exp < d.exp {
		ofD, ofC = shares(d, c)
		return ofC, ofD
	}
	small := math.Ldexp(d.mantissa, int(d.exp-c.exp))
	sum := c.mantissa + small
	return c.mantissa / sum, small / sum
}
