package choice

import (
	"slices"

	"github.com/linchpin-graph/linchpin/engine/plan"
)

// ByChains reports whether a way searches between branch nodes.
func ByChains(c plan.Candidate) bool { return c.Engine == plan.Chains || c.Engine == plan.ChainFolds }

// ByBatches reports whether a way searches in batches on what reductions leave.
func ByBatches(c plan.Candidate) bool { return c.Reductions != nil && !ByChains(c) }

// ranked are the ways on a device that are compared under a strategy, the fastest first.
func (c *Choice) ranked(s Strategy) []plan.Candidate {
	return slices.DeleteFunc(c.On(plan.GPU), func(x plan.Candidate) bool { return !s.ranks(x) })
}

// ReductionsPay reports whether it pays to plan reductions for some ways, before a device searches under a strategy.
func (c *Choice) ReductionsPay(s Strategy, are func(plan.Candidate) bool) bool {
	among := slices.DeleteFunc(c.ranked(s), func(x plan.Candidate) bool { return x.Reductions != nil && !are(x) })
	return c.Plans(plan.GPU, among)
}

// ReducedFirst reports whether a way on what reductions leave is ranked before all ways on the graph as it is.
func (c *Choice) ReducedFirst(s Strategy, is func(plan.Candidate) bool) bool {
	for _, x := range c.ranked(s) {
		switch {
		case x.Reductions == nil:
			return false
		case is(x):
			return true
		}
	}
	return false
}

// ChainsFirst reports whether searches between branch nodes are ranked first.
func (c *Choice) ChainsFirst(s Strategy) bool {
	all := c.ranked(s)
	return len(all) > 0 && ByChains(all[0])
}

// MostLeftOfBatches is the share of the work that trees and blocks may leave for batches on that to be ranked before
// the ways on the graph as it is.
func (c *Choice) MostLeftOfBatches(s Strategy) float64 {
	return c.MostLeft(plan.GPU, func(x plan.Candidate) bool { return s.ranks(x) && !ByChains(x) })
}

// Started is the seconds of a way once a worker holds the device.
func Started(way *plan.Candidate) float64 { return way.Seconds - way.Cost.Start }
