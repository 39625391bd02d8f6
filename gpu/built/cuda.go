//go:build cuda

package built

import (
	"io"

	"github.com/linchpin-graph/linchpin/gpu/cuda"
)

// GPU is the device of this build.
type GPU = cuda.GPU

// Open opens a device by its index; the caller closes it. With debug set, every launch is waited for, timed and written
// there.
func Open(index int, debug io.Writer) (*GPU, error) { return cuda.Open(index, debug) }

// Count returns the number of devices.
func Count() (int, error) { return cuda.Count() }
