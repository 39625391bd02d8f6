package neo4j

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortDense(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for n := range 200 {
		low, step := random.Int64N(1<<40), 1+random.Int64N(6)
		ids, order, want := make([]int64, n), make([]int32, n), make([]int32, n)
		for i, at := range random.Perm(n) {
			ids[i], want[i] = low+step*int64(at), int32(i)
		}
		slices.SortFunc(want, func(i, j int32) int { return cmp.Compare(ids[i], ids[j]) })
		dense := n == 0 || step*int64(n-1)/4 < int64(n)
		if got := sortDense(order, ids); got != dense || got && !slices.Equal(order, want) {
			t.Fatalf("%d ids, one in %d: %v, %v, want %v", n, step, got, order, want)
		}
	}
}
