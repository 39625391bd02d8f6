//go:build emulate && !cuda

package worker

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
)

// TestKernelsExist: every kernel that the host knows is compiled.
func TestKernelsExist(t *testing.T) {
	d := devicetest.Open(t)
	for _, k := range allKernels() {
		if _, err := d.Resident(k, gpu.Shape{Grid: 1, Block: 32}); err != nil && !strings.Contains(err.Error(), "is bound to blocks") {
			t.Errorf("%s: %v", k, err)
		}
	}
	if _, err := d.Resident(gpu.Kernel{Name: "not_there"}, gpu.Shape{Grid: 1, Block: 32}); err == nil {
		t.Error("a kernel that no file has is found")
	}
}
