package jobs

import (
	"strings"
	"testing"
)

// TestOverLimitsWithoutTheGraph: an estimate of a graph that is too large to read has its numbers alone.
func TestOverLimitsWithoutTheGraph(t *testing.T) {
	err := (&run{}).overLimits([]breach{{text: "600,000 nodes in place of 1,500,000", allow: "maxShrink: 0.7"}})
	if !strings.Contains(err.Error(), "600,000 nodes") {
		t.Error(err)
	}
}
