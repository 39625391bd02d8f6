//go:build cuda || emulate

package worker

import (
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/chains"
	"github.com/linchpin-graph/linchpin/kernels/cuts"
	"github.com/linchpin-graph/linchpin/kernels/deep"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/hops"
	"github.com/linchpin-graph/linchpin/kernels/levels"
	"github.com/linchpin-graph/linchpin/kernels/pull"
	"github.com/linchpin-graph/linchpin/kernels/small"
	"github.com/linchpin-graph/linchpin/kernels/traversal"
	"github.com/linchpin-graph/linchpin/kernels/triangles"
	"github.com/linchpin-graph/linchpin/kernels/volume"
	"github.com/linchpin-graph/linchpin/kernels/weighted"
)

// allKernels are the kernels of every folder that has some.
func allKernels() []gpu.Kernel {
	return slices.Concat(
		batches.Kernels(), chains.Kernels(), cuts.Kernels(), deep.Kernels(), device.Kernels(), hops.Kernels(),
		levels.Kernels(), pull.Kernels(), small.Kernels(), traversal.Kernels(), triangles.Kernels(), volume.Kernels(),
		weighted.Kernels(),
	)
}

// TestKernelsExist: every kernel that the host knows is compiled, into the file that it names.
func TestKernelsExist(t *testing.T) {
	d := devicetest.Open(t)
	for _, k := range allKernels() {
		if _, err := d.Resident(k, gpu.Shape{Grid: 1, Block: 32}); err != nil &&
			!strings.Contains(err.Error(), "is bound to blocks") {
			t.Errorf("%s: %v", k, err)
		}
	}
	if _, err := d.Resident(gpu.Kernel{Name: "not_there", File: "levels"}, gpu.Shape{Grid: 1, Block: 32}); err == nil {
		t.Error("a kernel that no file has is found")
	}
}
