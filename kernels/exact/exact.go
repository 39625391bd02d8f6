// Package exact adds up numbers in fixed point, so that a sum has the same bits in whatever order, and in however many
// parts, its terms are added. Kernels on a device do the same: kernels/device/exact.cuh.
package exact

import (
	"math"

	"github.com/linchpin-graph/linchpin/internal/hugepages"
	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// Scale says what the words of a sum count. Both numbers are powers of two.
type Scale struct {
	// Unit is how many of the first word make 1, Fine how many of a word make one of the word before it.
	Unit, Fine float64
}

// For returns the scale of sums of at most so many terms whose absolute values add up to at most bound. The first word
// then holds bound in 61 bits, and the others what is left of every term.
func For(bound float64, terms int64) Scale {
	_, whole := math.Frexp(min(bound, math.MaxFloat64))
	_, count := math.Frexp(float64(max(terms, 1)))
	return Scale{Unit: math.Ldexp(1, 61-max(whole, least)), Fine: math.Ldexp(1, 62-count)}
}

// least is the exponent of the least bound: units must be normal numbers.
const least = -900

// Word is one sum, or one term: a number in three digits of 64 bits, each with a sign.
type Word [3]int64

// Of returns a term. It is right to a unit of the last word.
func (s Scale) Of(x float64) (w Word) {
	rest := x * s.Unit
	w[0] = int64(rest)
	rest = (rest - float64(w[0])) * s.Fine
	w[1] = int64(rest)
	w[2] = int64((rest - float64(w[1])) * s.Fine)
	return w
}

// Value returns a sum as a float64. It is the same for all words that add up to the same.
func (s Scale) Value(w Word) float64 { return s.reader().value(w) }

// Digit is how many bits of the word before it a word has.
func (s Scale) Digit() uint64 { return s.reader().digit }

// reader is a scale, prepared for many values.
type reader struct {
	digit      uint64  // how many bits of the word before it a word has
	unit, fine float64 // of the first word, and of each other one in the word before it
}

func (s Scale) reader() reader {
	return reader{math.Float64bits(s.Fine)>>52 - 1023, 1 / s.Unit, 1 / s.Fine} // exact, of powers of two
}

func (r reader) value(w Word) float64 {
	digit := r.digit & 63
	w[1] += w[2] >> digit
	w[0] += w[1] >> digit
	low := int64(1)<<digit - 1
	return (float64(w[0]) + (float64(w[1]&low)+float64(w[2]&low)*r.fine)*r.fine) * r.unit
}

// Carry returns a sum with small last digits. Any two words that add up to the same become the same one.
func (s Scale) Carry(w Word) Word {
	digit := s.reader().digit & 63
	low := int64(1)<<digit - 1
	w[1] += w[2] >> digit
	w[0] += w[1] >> digit
	return Word{w[0], w[1] & low, w[2] & low}
}

// Add adds a term or a sum of the same scale.
func (w *Word) Add(v Word) {
	w[0] += v[0]
	w[1] += v[1]
	w[2] += v[2]
}

// AddTimes adds a term so many times.
func (w *Word) AddTimes(v Word, times int64) {
	w[0] += v[0] * times
	w[1] += v[1] * times
	w[2] += v[2] * times
}

// addTerm is Add of Scale.Of(x), in registers.
func (w *Word) addTerm(x float64, s Scale) {
	rest := x * s.Unit
	digit := int64(rest)
	w[0] += digit
	if rest -= float64(digit); rest == 0 { // as of whole numbers
		return
	}
	rest *= s.Fine
	digit = int64(rest)
	w[1] += digit
	w[2] += int64((rest - float64(digit)) * s.Fine)
}

// Sums are sums of one scale, such as one per node. Hollow ones have no words yet: they are 0 until JoinWords, or
// Known.
type Sums struct {
	Scale Scale
	Words []Word
	// Known are the values of the sums where others have added them up, and nothing is added any more. Otherwise nil.
	Known []float64
}

// NewSums returns count sums, all 0.
func NewSums(count int, s Scale) *Sums {
	sums := &Sums{Scale: s}
	sums.Fill(count)
	return sums
}

// Fill gives hollow sums so many words, all 0. Sums may be nil.
func (s *Sums) Fill(count int) {
	if s != nil && s.Words == nil {
		s.Words = hugepages.Of(make([]Word, count))
	}
}

// At returns sum number i.
func (s *Sums) At(i int) float64 {
	switch {
	case s.Known != nil:
		return s.Known[i]
	case s.Words == nil:
		return 0
	}
	return s.Scale.Value(s.Words[i])
}

// Add adds x to sum number i.
func (s *Sums) Add(i int, x float64) { s.Words[i].addTerm(x, s.Scale) }

// Move adds values to the first sums, and clears them. No values may be added to no sums, nil.
func (s *Sums) Move(values []float64) { s.MoveTo(0, values) }

// MoveTo is Move to the sums from number first on.
func (s *Sums) MoveTo(first int, values []float64) {
	for i, x := range values {
		if x != 0 {
			s.Words[first+i].addTerm(x, s.Scale)
			values[i] = 0
		}
	}
}

// MoveEach is Move of value i to the sum at places[i].
func (s *Sums) MoveEach(places []int32, values []float64) {
	for i, x := range values {
		if x != 0 {
			s.Words[places[i]].addTerm(x, s.Scale)
			values[i] = 0
		}
	}
}

// Join adds the sums of another part.
func (s *Sums) Join(part *Sums) { s.JoinWords(part.Words) }

// JoinWords adds sums of the same scale, one by one. Hollow sums take the words over.
func (s *Sums) JoinWords(words []Word) {
	if s.Words == nil {
		s.Words = words
		return
	}
	inparts.Do(len(words), func(first, last int) {
		for i, w := range words[first:last] {
			s.Words[first+i].Add(w)
		}
	})
}

// Len returns the number of sums, which may be none, nil.
func (s *Sums) Len() int {
	if s == nil {
		return 0
	}
	return len(s.Words)
}

// Values returns each sum.
func (s *Sums) Values() []float64 {
	if s.Known != nil {
		return s.Known
	}
	out := make([]float64, len(s.Words))
	s.Read(out, 1)
	return out
}

// Read sets out to factor times each sum. out may be Known.
func (s *Sums) Read(out []float64, factor float64) {
	switch {
	case s.Known != nil:
		inparts.Quick(len(out), func(first, last int) {
			for i, x := range s.Known[first:last] {
				out[first+i] = x * factor
			}
		})
		return
	case s.Words == nil:
		clear(out)
		return
	}
	inparts.Do(len(out), func(first, last int) {
		read := s.Scale.reader()
		for i, w := range s.Words[first:last] {
			out[first+i] = read.value(w) * factor
		}
	})
}
