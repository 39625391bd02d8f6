// Package devicetest has devices for tests: one that fails at will, one that only keeps books, and the one of the
// build.
package devicetest

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/gpu"
)

// Failing is a device of which allocation number at fails, from 1.
type Failing struct {
	gpu.Device
	At, allocs int
}

func (f *Failing) Alloc(bytes int64) (gpu.Ptr, error) {
	if f.allocs++; f.allocs == f.At {
		return 0, fmt.Errorf("%w: take %d bytes", gpu.ErrMemory, bytes)
	}
	return f.Device.Alloc(bytes)
}
