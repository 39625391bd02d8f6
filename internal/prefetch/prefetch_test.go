package prefetch

import (
	"slices"
	"testing"
)

// TestNothingChanges: asking changes nothing, and takes nodes without a row, rows that are long, and no nodes at all.
func TestNothingChanges(t *testing.T) {
	long := make([]int32, 3*mostTargets)
	offsets, targets := []int64{0, 0, int64(len(long)), int64(len(long)) + 2}, append(slices.Clone(long), 1, 2)
	numbers, levels := []float64{1, 2, 3}, []int32{4, 5, 6}
	before := slices.Clone(targets)
	for _, nodes := range [][]int32{nil, {0}, {1}, {2, 0, 1, 1, 2}} {
		Offsets(offsets, nodes)
		Rows(offsets, targets, nodes)
		Sums(offsets, numbers, numbers, numbers, nodes)
		LongRows(offsets, targets, nodes)
		Targets(offsets, targets, numbers, levels, nodes)
	}
	if !slices.Equal(offsets, []int64{0, 0, 24, 26}) || !slices.Equal(targets, before) ||
		!slices.Equal(numbers, []float64{1, 2, 3}) || !slices.Equal(levels, []int32{4, 5, 6}) {
		t.Error("something changed")
	}
}
