package export

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// partLength is how many things a part has: enough to be worth a processor, few enough to share out evenly.
const partLength = 1 << 14

// inParts has do done for parts of count things, on all processors at a time.
func inParts(count int, do func(first, last int)) {
	parts := (count + partLength - 1) / partLength
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(parts, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < parts; i = int(next.Add(1)) - 1 {
				do(i*partLength, min((i+1)*partLength, count))
			}
		})
	}
	workers.Wait()
}
