//go:build cuda || emulate

package worker

import (
	"errors"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
)

// TestDeviceAllocationFails: the real device under the fault of every allocation of an upload.
func TestDeviceAllocationFails(t *testing.T) {
	d := devicetest.Open(t)
	parts := Parts{Edges: true, Tails: true, Weights: true, Transpose: true}
	for n := 1; ; n++ {
		a := &gpu.Arena{Device: &devicetest.Failing{Device: d, At: n}}
		_, err := upload(a, directed(), parts, nil)
		if release := a.Release(); release != nil || d.Ledger().Used != 0 {
			t.Fatalf("allocation %d: %v, %d bytes left", n, release, d.Ledger().Used)
		}
		if err == nil {
			return
		}
		if !errors.Is(err, gpu.ErrMemory) {
			t.Fatal(err)
		}
	}
}
