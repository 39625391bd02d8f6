package kernels

import (
	"errors"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/wide"
)

// ErrStress is returned for a stress that no float64 can hold. Its logarithm can be had all the same.
var ErrStress = errors.New("stress overflows float64; use log")

// Count is a number of paths of any size: Mantissa * 2^Exponent, the mantissa 0 or in [1, 2). It is laid out as device
// code lays it out.
type Count struct {
	Mantissa float64
	Exponent int64
}

// Plus returns the sum.
func (c Count) Plus(d Count) Count {
	x := wide.Number{Mantissa: c.Mantissa / 2, Exponent: c.Exponent + 1}
	x = x.Plus(wide.Number{Mantissa: d.Mantissa / 2, Exponent: d.Exponent + 1})
	if x.Mantissa == 0 {
		return Count{}
	}
	return Count{x.Mantissa * 2, x.Exponent - 1}
}

// StressScores makes scores of sums over ordered pairs, or their binary logarithms with NaN, which stands for null, for
// that of 0. It returns ErrStress where one does not fit a float64.
func StressScores(g *export.Graph, r Request, sums []Count) ([]float64, error) {
	factor := sampleScale(r)
	if r.halved(g) {
		factor /= 2
	}
	scores := make([]float64, len(sums))
	for i, c := range sums {
		var x wide.Number
		if c.Mantissa != 0 {
			m, e := math.Frexp(c.Mantissa)
			x = wide.Number{Mantissa: m, Exponent: c.Exponent + int64(e)}
		}
		x = x.Times(wide.Of(factor))
		switch {
		case !r.Log:
			scores[i] = x.Float()
		case x.Mantissa == 0:
			scores[i] = math.NaN()
		default:
			scores[i] = x.Log2()
		}
		if math.IsInf(scores[i], 0) {
			return nil, ErrStress
		}
	}
	return scores, nil
}

// sumOfLogs returns log2(2^a + 2^b). NaN stands for the logarithm of 0.
func sumOfLogs(a, b float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return max(a, b) + math.Log1p(math.Exp2(-math.Abs(a-b)))/math.Ln2
}
