// Package exact adds up numbers in fixed point, so that a sum has the same bits in whatever order, and in however many parts, its
// terms are added. Kernels on a device do the same: kernels/device/exact.cuh.
package exact

import "math"

// Scale says what the two words of a sum count. Both numbers are powers of two.
type Scale struct {
	// Unit is how many of the high word make 1, Fine how many of the low word make one of the high word.
	Unit, Fine float64
}

// For returns the scale of sums of at most so many terms whose absolute values add up to at most bound. The high word then
// holds bound in 61 bits, and the low word what is left of every term.
func For(bound float64, terms int64) Scale {
	_, whole := math.Frexp(max(bound, 1))
	_, count := math.Frexp(float64(max(terms, 1)))
	return Scale{Unit: math.Ldexp(1, 61-whole), Fine: math.Ldexp(1, 62-count)}
}

// Word is one sum, or one term.
type Word struct{ High, Low int64 }

// Of returns a term. It is right to a unit of the low word.
func (s Scale) Of(x float64) Word {
	scaled := x * s.Unit
	high := int64(scaled)
	return Word{high, int64((scaled - float64(high)) * s.Fine)}
}

// Value returns a sum as a float64.
func (s Scale) Value(w Word) float64 { return (float64(w.High) + float64(w.Low)/s.Fine) / s.Unit }

// Add adds a term or a sum of the same scale.
func (w *Word) Add(v Word) {
	w.High += v.High
	w.Low += v.Low
}

// Sums are sums of one scale, such as one per node.
type Sums struct {
	Scale Scale
	Words []Word
}

// NewSums returns count sums, all 0.
func NewSums(count int, s Scale) *Sums { return &Sums{s, make([]Word, count)} }

// Add adds x to sum number i.
func (s *Sums) Add(i int, x float64) { s.Words[i].Add(s.Scale.Of(x)) }

// Move adds values to the first sums, and clears them.
func (s *Sums) Move(values []float64) {
	for i, x := range values {
		if x != 0 {
			s.Words[i].Add(s.Scale.Of(x))
		}
	}
	clear(values)
}

// Join adds the sums of another part.
func (s *Sums) Join(part *Sums) {
	for i, w := range part.Words {
		s.Words[i].Add(w)
	}
}

// Values returns factor times each sum.
func (s *Sums) Values(factor float64) []float64 {
	out := make([]float64, len(s.Words))
	for i, w := range s.Words {
		out[i] = s.Scale.Value(w) * factor
	}
	return out
}
