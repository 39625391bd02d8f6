// Package inparts has loops done in parts, on all processors.
package inparts

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// length is that of a part: enough to be worth a goroutine, and so little that parts of unequal work are shared out
// evenly.
const length = 1 << 15

// quickLength is that of a part of Quick.
const quickLength = 1 << 17

// Quick is Do for loops that take about as long as to copy what they read: then to wake a thread is worth longer parts.
func Quick(count int, do func(first, last int)) {
	On(runtime.GOMAXPROCS(0), quickLength, count, func(_, first, last int) { do(first, last) })
}

// Do calls do for parts of count things, from first to last, on all processors where they are many.
func Do(count int, do func(first, last int)) {
	On(runtime.GOMAXPROCS(0), length, count, func(_, first, last int) { do(first, last) })
}

// On is Do for parts of the given length on so many threads. It passes the number of the thread, from 0, as well. The
// caller is one of them, and waits for parts, not for threads: to wake one can take longer than all of the work.
func On(threads, length, count int, do func(thread, first, last int)) {
	parts := (count + length - 1) / length
	threads = min(threads, parts)
	if threads <= 1 {
		do(0, 0, count)
		return
	}
	var next atomic.Int64
	var left sync.WaitGroup
	left.Add(parts)
	work := func(thread int) {
		for i := int(next.Add(1)) - 1; i < parts; i = int(next.Add(1)) - 1 {
			do(thread, i*length, min((i+1)*length, count))
			left.Done()
		}
	}
	for thread := 1; thread < threads; thread++ {
		go work(thread)
	}
	work(0)
	left.Wait()
}

// Some reports whether a part of some values has what is looked for, which takes about as long as to copy them.
func Some[T any](values []T, has func(part []T) bool) bool {
	var some atomic.Bool
	Quick(len(values), func(first, last int) {
		if !some.Load() && has(values[first:last]) {
			some.Store(true)
		}
	})
	return some.Load()
}
