package device

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestSumAndMost: the sum of whole numbers is that of integers of any size, of parts that are added side by side.
func TestSumAndMost(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, count := range []int{0, 1, 1000, 70_000} {
		ticks, sum, most := make([]int64, count), new(big.Int), int64(0)
		for i := range ticks {
			ticks[i] = random.Int64N(math.MaxInt64)
			sum.Add(sum, big.NewInt(ticks[i]))
			most = max(most, ticks[i])
		}
		low := new(big.Int).And(sum, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		want := math.Ldexp(float64(new(big.Int).Rsh(sum, 64).Uint64()), 64) + float64(low)
		if got, greatest := sumAndMost(ticks); got != want || greatest != most {
			t.Errorf("of %d: %g and %d, want %g and %d", count, got, greatest, want, most)
		}
	}
}
