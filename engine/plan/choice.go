package plan

import (
	"math"
	"slices"
)

// Choice ranks the ways to compute one request on one machine. It is the one place that says who computes, and
// whether reductions come first. What reductions leave is an estimate until Know is called.
type Choice struct {
	Features *Features
	Machine  Machine

	left Reductions
}

// Choose returns the choice for a request on a machine.
func Choose(f *Features, m Machine) *Choice {
	return &Choice{Features: f, Machine: m, left: f.Guess()}
}

// Know replaces the estimate of what reductions leave.
func (c *Choice) Know(left Reductions) { c.left = left }

// Left is what reductions leave, as far as it is known.
func (c *Choice) Left() Reductions { return c.left }

// Ranked returns all ways, the fastest first. need may be nil: then all fit.
func (c *Choice) Ranked(need Bytes, free Free) []Candidate {
	return Rank(Candidates(c.Features, c.left, c.Machine), need, free)
}

// On returns the ways on a device, the fastest first.
func (c *Choice) On(device Device) []Candidate {
	return slices.DeleteFunc(c.Ranked(nil, Free{}), func(x Candidate) bool { return x.Device != device })
}

const (
	// planShare is the share of the time of the best way that planning reductions may take where it is not
	// sure to pay, and that it must be able to save: what choosing may cost.
	planShare = 0.1
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
func (c *Choice) Plans(device Device, among []Candidate) bool {
	is := func(x Candidate) bool { return x.Reductions != nil && x.Device == device }
	best, reduced := fastest(among, func(x Candidate) bool { return x.Reductions == nil }), fastest(among, is)
	if math.IsInf(reduced, 1) {
		return false
	}
	planning := c.Machine.Rates.planning(c.Features, Reductions{}, device)
	if device == CPU && planning <= unnoticed {
		return true
	}
	left := fastest(Candidates(c.Features, Reductions{Planned: true, Seconds: planning}, c.Machine), is)
	if left > (1-planShare)*best {
		return false
	}
	least := min(c.left.Union, c.left.Trees, c.left.Search+c.left.Demand)
	if reduced < best || planning <= planShare*best && (device == CPU || least <= worthALook) {
		return true
	}
	return device == CPU && least <= worthALook && fastest(Candidates(c.Features, c.hoped(), c.Machine), is) < (1-planShare)*best
}

// hoped is the estimate of what reductions leave if blocks, bridges and twins take as much again as it knows of.
func (c *Choice) hoped() Reductions {
	left := c.left
	left.Union, left.Search, left.Demand = left.Union*unknown, left.Search*unknown, left.Demand*unknown
	return left
}

// fastest is the least time of the ways that are of a kind; without end where there are none.
func fastest(among []Candidate, of func(Candidate) bool) float64 {
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
func (c *Choice) MostLeft(device Device, ways func(Candidate) bool) float64 {
	pays := func(share float64) bool {
		left := Reductions{Union: share, Trees: share, Search: share, Branch: c.left.Branch, Planned: true}
		all := Candidates(c.Features, left, c.Machine)
		if ways != nil {
			all = slices.DeleteFunc(all, func(x Candidate) bool { return !ways(x) })
		}
		all = slices.DeleteFunc(all, func(x Candidate) bool { return x.Device != device })
		return fastest(all, func(x Candidate) bool { return x.Reductions != nil }) <
			fastest(all, func(x Candidate) bool { return x.Reductions == nil })
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
