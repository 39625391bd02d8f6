package inparts

import (
	"runtime"
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

// TestOn: each index is in one part of one thread, also where no other thread wakes up.
func TestOn(t *testing.T) {
	for _, processors := range []int{1, 4} {
		before := runtime.GOMAXPROCS(processors)
		for _, count := range []int{1, 10, 11, 99} {
			seen, threads := make([]int32, count), make([]int32, 4)
			On(len(threads), 10, count, func(thread, first, last int) {
				for i := first; i < last; i++ {
					seen[i]++
				}
				threads[thread] += int32(last - first) // nobody else is this thread
			})
			if i := slices.IndexFunc(seen, func(n int32) bool { return n != 1 }); i >= 0 {
				t.Errorf("%d: index %d is in %d parts", count, i, seen[i])
			}
			if all := threads[0] + threads[1] + threads[2] + threads[3]; int(all) != count {
				t.Errorf("%d: threads did %d", count, all)
			}
		}
		runtime.GOMAXPROCS(before)
	}
}
