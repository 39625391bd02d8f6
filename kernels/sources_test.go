package kernels

import (
	"math"
	"slices"
	"testing"
)

func TestDrawSources(t *testing.T) {
	a, b := DrawSources(1000, 50, 7), DrawSources(1000, 50, 7)
	if len(a) != 50 || !slices.Equal(a, b) || !slices.IsSorted(a) || checkNodes("source", a, 1000) != nil {
		t.Errorf("50 of 1000: %v, then %v", a, b)
	}
	if slices.Equal(a, DrawSources(1000, 50, 8)) {
		t.Error("another seed draws the same sources")
	}
	if got := DrawSources(5, 9, 1); !slices.Equal(got, []int32{0, 1, 2, 3, 4}) {
		t.Errorf("9 of 5: %v", got)
	}
	if len(DrawSources(5, 0, 1))+len(DrawSources(0, 5, 1))+len(DrawSources(5, -1, 1)) != 0 {
		t.Error("none are drawn when none are asked for, or there are none")
	}
	hits := make([]int, 10)
	for seed := range int64(2000) {
		for _, s := range DrawSources(10, 3, seed) {
			hits[s]++
		}
	}
	for s, h := range hits {
		if h < 480 || h > 720 { // 600 expected, 20 is one standard deviation
			t.Errorf("source %d is drawn %d times in 2000 draws of 3 of 10", s, h)
		}
	}
}

// TestDrawsAreUniform: over many seeds every node is drawn as often as any other.
func TestDrawsAreUniform(t *testing.T) {
	const n, count, seeds = 9, 4, 4000
	drawn := make([]float64, n)
	for seed := range int64(seeds) {
		for _, v := range DrawSources(n, count, seed) {
			drawn[v]++
		}
	}
	mean := float64(seeds*count) / n
	deviation := math.Sqrt(mean * (1 - float64(count)/n))
	for v, x := range drawn {
		if math.Abs(x-mean) > 5*deviation {
			t.Errorf("node %d was drawn %g times of %d, want about %g", v, x, seeds, mean)
		}
	}
}
