// Package inparts has loops done in parts, on all processors.
package inparts

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// length is that of a part: enough to be worth a goroutine, and so little that parts of unequal work are shared out evenly.
const length = 1 << 13

// Do calls do for parts of count things, from first to last, on all processors where they are many.
func Do(count int, do func(first, last int)) {
	if count <= length {
		do(0, count)
		return
	}
	parts := (count + length - 1) / length
	var next atomic.Int64
	var threads sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), parts) {
		threads.Go(func() {
			for i := int(next.Add(1)) - 1; i < parts; i = int(next.Add(1)) - 1 {
				do(i*length, min((i+1)*length, count))
			}
		})
	}
	threads.Wait()
}
