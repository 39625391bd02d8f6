package batches

import (
	"slices"
	"testing"
)

// TestFarthestFirst: batches stay together, the farthest come first, those that are alike as they come, and the last,
// which is not whole, stays last. Sources that only pad do not count.
func TestFarthestFirst(t *testing.T) {
	sources := []int32{1, 2, 3, 9, 5, 6, 7, -1, 10, 90, 20, 30, 40, 41, 42, 48, 100, 5000}
	want := []int32{10, 90, 20, 30, 1, 2, 3, 9, 40, 41, 42, 48, 5, 6, 7, -1, 100, 5000}
	if got := FarthestFirst(sources, 4, ByNumbers); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, short := range [][]int32{nil, {7}, {3, 1, 2}} {
		if got := FarthestFirst(short, 4, ByNumbers); !slices.Equal(got, short) {
			t.Errorf("%v, want %v", got, short)
		}
	}
}
