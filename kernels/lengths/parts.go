package lengths

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// leastPart is how many numbers are worth a thread of their own.
const leastPart = 16 << 10

// inParts has work done on parts of 0 to count side by side, and calls what each returns, if anything, one after the
// other, in their order. It returns false when one of these does, or the context is done: then some parts may not have
// been worked on.
func inParts(ctx context.Context, count int, work func(from, to int) (then func() bool)) bool {
	parts := make([]func() bool, (count+leastPart-1)/leastPart)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(parts) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				parts[i] = work(i*leastPart, min((i+1)*leastPart, count))
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return false
	}
	for _, then := range parts {
		if then != nil && !then() {
			return false
		}
	}
	return true
}
