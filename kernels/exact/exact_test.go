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
		if exact, _ := want.Float64(); math.Abs(sums.Values(1)[0]-exact) > 1e-15*exact {
			t.Fatalf("%v, want %v", sums.Values(1)[0], exact)
		}
	}
}

// TestRange: the bound itself, and the least terms, fit.
func TestRange(t *testing.T) {
	for _, bound := range []float64{0, 1, 3, 1e6, 1e15, 0x1p62} {
		for _, terms := range []int64{0, 1, 2, 1 << 20, 1 << 31} {
			s := For(bound, terms)
			if w := s.Of(bound); s.Value(w) != bound {
				t.Errorf("%g of %d terms is %g", bound, terms, s.Value(w))
			}
			low := s.Of(math.Nextafter(1, 0) / s.Unit)
			if low.High != 0 || math.Abs(float64(low.Low))*float64(max(terms, 1)) > math.MaxInt64 {
				t.Errorf("%d terms of nearly a unit pass the low word at %+v", terms, s)
			}
		}
	}
}
