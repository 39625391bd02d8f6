package moves

import (
	"sync"
	"sync/atomic"
)

// inParallel does count things on so many threads. Each thread makes its own way to do one.
func inParallel(count, threads int, way func() func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(threads, count) {
		all.Go(func() {
			do := way()
			for i := int(next.Add(1)) - 1; i < count; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}
