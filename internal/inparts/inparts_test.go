package inparts

import (
	"slices"
	"testing"
)

// TestDo: each index is in one part.
func TestDo(t *testing.T) {
	for _, count := range []int{0, 1, length - 1, length, 7*length + 3} {
		seen := make([]int32, count)
		Do(count, func(first, last int) {
			for i := first; i < last; i++ {
				seen[i]++ // no other part has it
			}
		})
		if i := slices.IndexFunc(seen, func(n int32) bool { return n != 1 }); i >= 0 {
			t.Errorf("%d: index %d is in %d parts", count, i, seen[i])
		}
	}
}
