// Package choice is the one place that says who computes: it chooses between the CPU and a device, between engines, and
// whether reductions come first, by the predictions of engine/plan and by what was asked for. It computes nothing.
package choice

import (
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/engine/plan"
)

// Choice ranks the ways to compute one request on one machine. What reductions leave is an estimate until Know is
// called.
type Choice struct {
	Features *plan.Features
	Machine  plan.Machine

	left plan.Reductions
}

// Choose returns the choice for a request on a machine.
func Choose(f *plan.Features, m plan.Machine) *Choice {
	return &Choice{Features: f, Machine: m, left: f.Guess()}
}

// Know replaces the estimate of what reductions leave.
func (c *Choice) Know(left plan.Reductions) { c.left = left }

// Left is what reductions leave, as far as it is known.
func (c *Choice) Left() plan.Reductions { return c.left }

// Unplanned reports whether what reductions leave is an estimate that a plan would better, and how many seconds a plan
// takes.
func (c *Choice) Unplanned() (seconds float64, is bool) {
	reduces := func(x plan.Candidate) bool { return x.Reductions != nil }
	if c.left.Planned || !slices.ContainsFunc(c.Ranked(nil, plan.Free{}), reduces) {
		return 0, false
	}
	return c.Machine.Rates.Planning(c.Features, c.left, plan.GPU), true
}

// Ranked returns all ways, the fastest first. need may be nil: then all fit.
func (c *Choice) Ranked(need plan.Bytes, free plan.Free) []plan.Candidate {
	return plan.Rank(plan.Candidates(c.Features, c.left, c.Machine), need, free)
}

// On returns the ways on a device, the fastest first.
func (c *Choice) On(device plan.Device) []plan.Candidate {
	return slices.DeleteFunc(c.Ranked(nil, plan.Free{}), func(x plan.Candidate) bool { return x.Device != device })
}

const (
	// planShare is the share of the time of the best way that planning reductions may take where it is not
	// sure to pay, and that it must be able to save: what choosing may cost.
	planShare = 0.1
	// planDoubt is the share of the time of planning by which a reduced way must be the faster one: what planning takes is
	// known no better (docs/notes/096).
	planDoubt = 0.1
	// unnoticed is the time of a plan on the CPU, in seconds, that nobody has to save.
	unnoticed = 1e-3
	// worthALook is the share of the work that the estimate leaves at most where a plan for a device is not sure to
	// pay.
	worthALook = 0.9
	// unknown is the share that reductions may leave of what the estimate leaves.
	unknown = 0.5
)

// Plans reports whether a plan of reductions is worth making before a way is chosen among some: where the
// estimate says that a reduced way on the device is the fastest (on the CPU, or would be if reductions found as much
// again), or where planning takes so little of the fastest that it may as well be found out. It is not where a tenth
// could not be saved if nothing were left.
func (c *Choice) Plans(device plan.Device, among []plan.Candidate) bool {
	is := func(x plan.Candidate) bool { return x.Reductions != nil && x.Device == device }
	best, reduced := fastest(among, func(x plan.Candidate) bool { return x.Reductions == nil }), fastest(among, is)
	if math.IsInf(reduced, 1) {
		return false
	}
	planning := c.Machine.Rates.Planning(c.Features, plan.Reductions{}, device)
	if device == plan.CPU && planning <= unnoticed {
		return true
	}
	left := fastest(plan.Candidates(c.Features, plan.Reductions{Planned: true, Seconds: planning}, c.Machine), is)
	if left > (1-planShare)*best {
		return false
	}
	least := min(c.left.Union, c.left.Trees, c.left.Search+c.left.Demand)
	if reduced+planDoubt*planning < best || planning <= planShare*best && (device == plan.CPU || least <= worthALook) {
		return true
	}
	return device == plan.CPU && least <= worthALook &&
		fastest(plan.Candidates(c.Features, c.hoped(), c.Machine), is) < (1-planShare)*best
}

// IsLong reports whether a way takes so long that a shorter one is worth looking for.
func IsLong(way *plan.Candidate) bool { return way != nil && way.Seconds >= noticed }

// noticed is the time of a way, in seconds, from which on it is long.
const noticed = 1

// Halves reports whether another way takes at most half of the time of one: predictions may be off by 2.
func Halves(one, other *plan.Candidate) bool { return other != nil && 2*other.Seconds <= one.Seconds }

// hoped is the estimate of what reductions leave if blocks, bridges and twins take as much again as it knows of.
func (c *Choice) hoped() plan.Reductions {
	left := c.left
	left.Union, left.Search, left.Demand = left.Union*unknown, left.Search*unknown, left.Demand*unknown
	return left
}

// fastest is the least time of the ways that are of a kind; without end where there are none.
func fastest(among []plan.Candidate, of func(plan.Candidate) bool) float64 {
	least := math.Inf(1)
	for _, x := range among {
		if of(x) {
			least = min(least, x.Seconds)
		}
	}
	return least
}

// MostLeft returns the share of the work that reductions may leave for a reduced way on a device to be faster
// than the fastest of the others there, once the plan is made: 0 for none. Ways is for those that are to be
// compared; nil for all.
func (c *Choice) MostLeft(device plan.Device, ways func(plan.Candidate) bool) float64 {
	pays := func(share float64) bool {
		left := plan.Reductions{Union: share, Trees: share, Search: share, Branch: c.left.Branch, Planned: true}
		all := plan.Candidates(c.Features, left, c.Machine)
		if ways != nil {
			all = slices.DeleteFunc(all, func(x plan.Candidate) bool { return !ways(x) })
		}
		all = slices.DeleteFunc(all, func(x plan.Candidate) bool { return x.Device != device })
		return fastest(all, func(x plan.Candidate) bool { return x.Reductions != nil }) <
			fastest(all, func(x plan.Candidate) bool { return x.Reductions == nil })
	}
	if pays(1) {
		return 1
	}
	low, high := 0.0, 1.0
	for range 12 {
		if middle := (low + high) / 2; pays(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// Shard returns what one of so many equal shards of a way takes. What is prepared once for all shards of a worker is in
// its Prepare.
func (c *Choice) Shard(way plan.Candidate, of int64) plan.Cost {
	cost := way.Cost
	cost.Search /= float64(of)
	if ByChains(way) { // their work is not in proportion to sources
		return cost
	}
	for _, x := range plan.Candidates(c.Features.Shard(of), c.left, c.Machine) {
		if x.Device == way.Device && x.Engine == way.Engine && slices.Equal(x.Reductions, way.Reductions) {
			cost.Search = x.Cost.Search
		}
	}
	return cost
}
