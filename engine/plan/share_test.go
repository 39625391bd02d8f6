package plan_test

import (
	"testing"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestSharesAreLong: few long shards on devices of one kind, more where they differ, and none of what is short.
func TestSharesAreLong(t *testing.T) {
	f := &plan.Features{Traits: plan.Traits{Kind: kernels.Dependencies}, Nodes: 1000}
	for _, c := range []struct {
		search          float64
		asked, devices  int
		alike           bool
		shards, sharing int
	}{
		{100, 0, 1, true, 0, 0}, {1, 0, 4, true, 0, 0}, {10, 0, 2, true, 2, 2}, {40, 0, 2, true, 2, 2},
		{70, 0, 2, true, 2, 2}, {250, 0, 2, true, 4, 2}, {10, 0, 2, false, 8, 2},
		{1200, 0, 8, true, 16, 8}, {1e5, 0, 8, true, 64, 8}, {1e6, 0, 8, false, 64, 8}, {0, 0, 2, true, 2, 2},
		{100, 3, 2, true, 3, 2}, {100, 3, 8, true, 3, 3},
		{1, 5, 2, true, 5, 2}, {100, 1, 2, true, 1, 0},
	} {
		before := plan.Candidate{Device: plan.GPU, Shards: c.asked, Cost: plan.Cost{Prepare: 1, Search: c.search}}
		before.Seconds = before.Cost.Seconds()
		got := before.Share(f, c.devices, c.alike)
		if got.Shards != c.shards || got.Devices != c.sharing {
			t.Errorf("%g s on %d devices: %d shards on %d; want %d on %d", c.search, c.devices, got.Shards, got.Devices,
				c.shards, c.sharing)
		}
		if least := 1 + c.search/float64(max(1, c.sharing)); got.Seconds < least || got.Seconds > 1.01*least+0.01 {
			t.Errorf("%g s on %d devices: %g s", c.search, c.devices, got.Seconds)
		}
	}
	for _, c := range []plan.Candidate{{Device: plan.CPU, Cost: plan.Cost{Search: 100}},
		{Device: plan.GPU, Cost: plan.Cost{Search: 100}}} {
		alone := &plan.Features{Traits: plan.Traits{Kind: -1}} // of a run that cannot be divided
		if c.Device == plan.CPU {
			alone = f
		}
		if got := c.Share(alone, 4, true); got.Devices != 0 || got.Shards != 0 {
			t.Errorf("%+v is shared", got)
		}
	}
}
