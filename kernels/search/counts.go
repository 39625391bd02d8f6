package search

import (
	"math"
)

// counts are the numbers of shortest paths from one source, as float64 scaled by powers of two. Betweenness needs only
// ratios of counts at the two ends of an arc, so each level of a search has a scale of its own.
type counts struct {
	// Sigma is the scaled count of each node reached.
	Sigma []float64
	// Shift has, for each level, the power of two by which its counts are divided beyond those of the level before.
	Shift []int
	// Fit is false when the counts of one level are too far apart for one scale, or, in a search by weights, which has
	// but one level, too great: that source is then counted again with wide numbers.
	Fit bool
	// bound is no less than the greatest count of the level, and arcs no less than how many arcs lead to a node.
	bound, arcs float64
}

// A level is scaled down when its greatest count passes countLimit, to make that 2^topExponent. Its least count may
// then be no less than 2^minExponent. So long as this holds, counts, their inverses and their ratios are normal
// float64s (a ratio below 2^-1022, which no score can show, becomes 0).
const (
	countLimit  = 0x1p800
	topExponent = 700
	minExponent = -800
)

// countFrom starts with the source; the counts of all other nodes are 0.
func (c *counts) countFrom(s int32) {
	c.Sigma[s], c.Shift, c.Fit, c.bound = 1, append(c.Shift[:0], 0), true, 1
}

// uncount sets the counts of nodes to 0.
func (c *counts) uncount(nodes []int32) {
	if len(nodes) >= len(c.Sigma)/MostScattered {
		clear(c.Sigma)
		return
	}
	for _, v := range nodes {
		c.Sigma[v] = 0
	}
}

// countedLevel brings the counts of the next level into range.
func (c *counts) countedLevel(level []int32) {
	if !c.Fit {
		return
	}
	var shift int
	shift, c.Fit = c.rescale(level)
	c.Shift = append(c.Shift, shift)
}

// countedAll ends a search that has but one level.
func (c *counts) countedAll(level []int32) {
	c.Shift = append(c.Shift, 0)
	c.Fit = c.greatest(level) < countLimit
}

// rescale brings the counts of one level into range, and returns the power of two that it divided by. It looks for the
// greatest only where that may be out of range.
func (c *counts) rescale(level []int32) (shift int, ok bool) {
	if c.bound *= c.arcs; c.bound < countLimit {
		return 0, true
	}
	most := c.greatest(level)
	if c.bound = most; most < countLimit {
		return 0, true
	}
	if math.IsInf(most, 0) {
		return 0, false
	}
	shift = math.Ilogb(most) - topExponent
	factor, least := math.Ldexp(1, -shift), most
	c.bound *= factor
	for _, v := range level {
		c.Sigma[v] *= factor
		least = min(least, c.Sigma[v])
	}
	return shift, math.Ilogb(least) >= minExponent
}

func (c *counts) greatest(level []int32) float64 {
	most := 0.0
	for _, v := range level {
		most = max(most, c.Sigma[v])
	}
	return most
}
