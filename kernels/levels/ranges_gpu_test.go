//go:build cuda || emulate

package levels

import (
	"testing"

	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestWithinRanges compares batches that end at a range with the CPU.
func TestWithinRanges(t *testing.T) {
	enginetest.AgreeWithinRanges(t, devicetest.Open(t), []device.Engine{Engine{}}, false)
}
