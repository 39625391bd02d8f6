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

// TestChosenPairs compares all strategies with the CPU for some targets and for masses of nodes, by hops and by weights.
func TestChosenPairs(t *testing.T) {
	d := devicetest.Open(t)
	for i, weighted := range []bool{false, true} {
		enginetest.AgreeOnChosenPairs(t, d, inTurn(Engines(), i), weighted)
	}
}
