//go:build emulate && !cuda

package built

import (
	"io"

	"github.com/linchpin-graph/linchpin/gpu/emulated"
)

// GPU is the device of this build.
type GPU = emulated.GPU

// Open opens a device by its index; the caller closes it. With debug set, every launch is waited for, timed and written
// there.
func Open(index int, debug io.Writer) (*GPU, error) { return emulated.Open(index, debug) }

// Count returns the number of devices.
func Count() (int, error) { return emulated.Count() }
