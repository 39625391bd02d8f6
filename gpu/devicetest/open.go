//go:build cuda || emulate

package devicetest

import (
	"io"
	"os"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu/built"
)

// Open opens device 0. Without one this binary does not start, so nothing is skipped; with the tag emulate it is
// emulated.
func Open(t testing.TB) *built.GPU {
	t.Helper()
	var trace io.Writer
	if os.Getenv("LINCHPIN_GPU_DEBUG") != "" {
		trace = os.Stderr
	}
	d, err := built.Open(0, trace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if left := d.Ledger().Left(); len(left) != 0 {
			t.Errorf("%d allocations were not freed", len(left))
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// Sized is how large, or how many, a test takes something on a device; less on the emulated one.
func Sized(device, less int) int {
	if Emulated {
		return less
	}
	return device
}
