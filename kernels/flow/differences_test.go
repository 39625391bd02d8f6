package flow

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDifferences: sums of the differences of all pairs are those of all pairs, one by one.
func TestDifferences(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 57))
	for _, count := range []int{0, 1, 2, fewNumbers, fewNumbers + 1, 300} {
		for _, spread := range []float64{0, 1, 300} {
			var s spectrum
			values, masses, want := []float64{}, []float64{}, 0.0
			for range count {
				x := math.Exp(spread*random.NormFloat64()/10) * float64(random.IntN(3)-1)
				m := float64(1 + random.IntN(9))
				for i, y := range values {
					want += masses[i] * m * math.Abs(x-y)
				}
				values, masses = append(values, x), append(masses, m)
				s.add(x, m)
			}
			if got := s.differences(); math.Abs(got-want) > 1e-12*want {
				t.Errorf("%d numbers of spread %g: %v, want %v", count, spread, got, want)
			}
		}
	}
}
