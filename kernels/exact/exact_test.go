package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAnyOrder: sums have the same bits in any order and any parts, and are right.
func TestAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		count := 1 + random.IntN(3000)
		terms := make([]float64, count)
		bound, want := 0.0, new(big.Float).SetPrec(400)
		for i := range terms {
			terms[i] = math.Ldexp(random.Float64(), random.IntN(60)-30)
			bound += terms[i]
			want.Add(want, big.NewFloat(terms[i]))
		}
		scale := For(bound, int64(count))
		sums := NewSums(1, scale)
		for _, x := range terms {
			sums.Add(0, x)
		}
		random.Shuffle(count, func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		parts := NewSums(1, scale)
		for part := range slices.Chunk(terms, 1+random.IntN(count)) {
			some := NewSums(1, scale)
			for _, x := range part {
				some.Move([]float64{x})
			}
			parts.Join(some)
		}
		if sums.Words[0] != parts.Words[0] {
			t.Fatalf("%v in order, %v in parts", sums.Words[0], parts.Words[0])
		}
		if exact, _ := want.Float64(); math.Abs(sums.Values()[0]-exact) > 1e-15*exact {
			t.Fatalf("%v, want %v", sums.Values()[0], exact)
		}
	}
}

// TestRange: the bound itself, and the least terms, fit.
func TestRange(t *testing.T) {
	for _, bound := range []float64{0, 1e-250, 1e-20, 1, 3, 1e6, 1e15, 0x1p62, 1e300} {
		for _, terms := range []int64{0, 1, 2, 1 << 20, 1 << 31} {
			s := For(bound, terms)
			if w := s.Of(bound); s.Value(w) != bound {
				t.Errorf("%g of %d terms is %g", bound, terms, s.Value(w))
			}
			low := s.Of(math.Nextafter(1, 0) / s.Unit)
			for _, digit := range low {
				if math.Abs(float64(digit))*float64(max(terms, 1)) > math.MaxInt64 {
					t.Errorf("%d terms of nearly a unit pass a word at %+v", terms, s)
				}
			}
		}
	}
}

// TestWideRange: terms of very different sizes keep their digits.
func TestWideRange(t *testing.T) {
	s := For(1e13*1e4, 100)
	for _, x := range []float64{1e17, 1, 1e-7, 1.2345e-13} {
		if got := s.Value(s.Of(x)); math.Abs(got-x) > 1e-12*x {
			t.Errorf("%g is %g", x, got)
		}
	}
}

// TestValueOfTotals: words that add up to the same have the same value, however their parts were split.
func TestValueOfTotals(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		s := For(1e6, 1<<20)
		w := Word{random.Int64N(1 << 60), random.Int64N(int64(s.Fine)), random.Int64N(int64(s.Fine))}
		want := s.Value(w)
		for range 5 {
			carry := random.Int64N(1000) - 500
			if got := s.Value(Word{w[0] - carry, w[1] + carry*int64(s.Fine), w[2]}); got != want {
				t.Fatalf("%v with a carry of %d is %v, not %v", w, carry, got, want)
			}
		}
	}
}
