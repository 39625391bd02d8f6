package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// wideTerm is mantissa * 2^exponent.
type wideTerm struct {
	mantissa float64
	exponent int64
}

// drawTerms draws terms about 2^middle, up to spread powers of two away, and their exact sum over 2^middle.
func drawTerms(random *rand.Rand, count int, middle, spread int64) ([]wideTerm, *big.Float) {
	terms, sum := make([]wideTerm, count), new(big.Float).SetPrec(2000)
	for i := range terms {
		away := random.Int64N(2*spread+1) - spread
		terms[i] = wideTerm{1 + random.Float64(), middle + away}
		if random.IntN(10) == 0 {
			terms[i] = wideTerm{}
			continue
		}
		sum.Add(sum, new(big.Float).SetMantExp(big.NewFloat(terms[i].mantissa), int(away)))
	}
	return terms, sum
}

// TestWideInAnyOrder: sums of any size have the same bits in any order and any parts, and are right.
func TestWideInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 400 {
		middle := []int64{0, 40, -70, 1 << 40, -(1 << 40)}[i%5]
		terms, want := drawTerms(random, 1+random.IntN(300), middle, 1+random.Int64N(200))
		var sum, parts Wide
		for _, x := range terms {
			sum.Add(x.mantissa, x.exponent)
		}
		random.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		for part := range slices.Chunk(terms, 1+random.IntN(len(terms))) {
			var some Wide
			for _, x := range part {
				some.Add(x.mantissa, x.exponent)
			}
			parts.Join(some)
		}
		if sum != parts {
			t.Fatalf("%+v in order, %+v in parts", sum, parts)
		}
		mantissa, exponent := sum.Value()
		got := new(big.Float).SetMantExp(big.NewFloat(mantissa), int(exponent-middle))
		off, _ := new(big.Float).Sub(got, want).Float64()
		if exact, _ := want.Float64(); math.Abs(off) > 1e-15*exact {
			t.Fatalf("%v * 2^%d, want %v * 2^%d", mantissa, exponent, want, middle)
		}
	}
}

// TestWideIsWhole: whole numbers that float64 holds come back as they are.
func TestWideIsWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		var w Wide
		whole := uint64(0)
		for range 1 + random.IntN(20) {
			x := random.Uint64N(1 << (1 + random.IntN(48)))
			whole += x
			w.AddFloat(float64(x))
		}
		mantissa, exponent := w.Value()
		if got := math.Ldexp(mantissa, int(exponent)); got != float64(whole) {
			t.Fatalf("%v, want %d", got, whole)
		}
		if whole > 0 && (mantissa < 1 || mantissa >= 2) {
			t.Fatalf("mantissa %v", mantissa)
		}
	}
}
