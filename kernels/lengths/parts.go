package lengths

import (
	"context"
	"runtime"

	"github.com/linchpin-graph/linchpin/internal/inparts"
)

// leastPart is how many numbers are worth a thread of their own.
const leastPart = 16 << 10

// inParts has work done on parts of 0 to count side by side, and calls what each returns, if anything, one after the
// other, in their order. It returns false when one of these does, or the context is done: then some parts may not have
// been worked on.
func inParts(ctx context.Context, count int, work func(from, to int) (then func() bool)) bool {
	parts := make([]func() bool, (count+leastPart-1)/leastPart)
	if len(parts) == 0 {
		return ctx.Err() == nil
	}
	inparts.On(runtime.GOMAXPROCS(0), leastPart, count, func(_, from, to int) {
		if ctx.Err() == nil {
			parts[from/leastPart] = work(from, to)
		}
	})
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
