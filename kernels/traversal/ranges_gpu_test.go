//go:build cuda || emulate

package traversal

import (
	"testing"

	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
)

// TestWithinRanges compares all strategies with the CPU within ranges, by hops and by weights.
func TestWithinRanges(t *testing.T) {
	d := devicetest.Open(t)
	for i, weighted := range []bool{false, true} {
		enginetest.AgreeWithinRanges(t, d, inTurn(Engines(), i), weighted)
	}
}
