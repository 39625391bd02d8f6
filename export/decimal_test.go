package export

import (
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// rational is the decimal that the shortest text of w shows.
func rational(w float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(w, 'e', -1, 64))
	if !ok {
		panic(w)
	}
	return r
}

func sumOf(weights ...float64) (sum, rest float64) {
	var s decimalSum
	for _, w := range weights {
		s.add(w)
	}
	return s.split()
}

func TestDecimalSum(t *testing.T) {
	for _, c := range []struct {
		weights   []float64
		sum, rest float64
	}{
		{[]float64{0.1}, 0.1, 0},
		{[]float64{0.1, 0.2}, 0.3, 0},
		{[]float64{0.1, 0.7}, 0.8, 0},
		{[]float64{3, 4, 5}, 12, 0},
		{[]float64{1 << 52, 1 << 52, 1}, 1 << 53, 1},
		{[]float64{1e20, 1e-12}, 1e20, 1e-12},
		{[]float64{1e300, 1e-300}, 1e300, 1e-300},
		{[]float64{1e15, 0.1, 0.2}, 1e15 + 0.25, 0.1},
		{[]float64{5e-324, 5e-324}, 1e-323, 0},
		{[]float64{1.7e308, 1.7e308}, math.Inf(1), 0},
		{[]float64{1e100, 1, 1e-100}, 1e100, math.NaN()},
	} {
		if sum, rest := sumOf(c.weights...); sum != c.sum || rest != c.rest && !(math.IsNaN(rest) && math.IsNaN(c.rest)) {
			t.Errorf("the sum of %v is %v and %v, want %v and %v", c.weights, sum, rest, c.sum, c.rest)
		}
	}
}

// TestDecimalSumIsExact compares sums of random weights with fractions.
func TestDecimalSumIsExact(t *testing.T) {
	exact := 0
	rapid.Check(t, func(t *rapid.T) {
		weight := rapid.Custom(func(t *rapid.T) float64 {
			digits := rapid.Uint64Range(1, 1<<rapid.IntRange(1, 53).Draw(t, "bits")).Draw(t, "digits")
			w, err := strconv.ParseFloat(strconv.FormatUint(digits, 10)+"e"+
				strconv.Itoa(rapid.IntRange(-30, 20).Draw(t, "place")), 64)
			if err != nil {
				t.Fatal(err)
			}
			return w
		})
		weights, want := rapid.SliceOfN(weight, 1, 6).Draw(t, "weights"), new(big.Rat)
		for _, w := range weights {
			want.Add(want, rational(w))
		}
		sum, rest := sumOf(weights...)
		if nearest, _ := want.Float64(); sum != nearest {
			t.Fatalf("the sum of %v is %v, the nearest to %v is %v", weights, sum, want, nearest)
		}
		if math.IsNaN(rest) {
			return
		}
		exact++
		if got := new(big.Rat).Add(rational(sum), rational(rest)); got.Cmp(want) != 0 {
			t.Fatalf("the sum of %v is %v and %v, want %v", weights, sum, rest, want)
		}
	})
	if exact == 0 {
		t.Error("no sum was exact")
	}
}
