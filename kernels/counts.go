package kernels

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
)

// counts are the numbers of shortest paths from one source, as float64 scaled by powers of two. Betweenness needs only
// ratios of counts at the two ends of an arc, so each level of a search has a scale of its own.
type counts struct {
	// sigma is the scaled count of each node reached.
	sigma []float64
	// shift has, for each level, the power of two by which its counts are divided beyond those of the level before.
	shift []int
}

// A level is scaled down when its greatest count passes countLimit, to make that 2^topExponent. Its least count may
// then be no less than 2^minExponent. So long as this holds, counts, their inverses and their ratios are normal float64s
// (a ratio below 2^-1022, which no score can show, becomes 0).
const (
	countLimit  = 0x1p800
	topExponent = 700
	minExponent = -800
)

// count fills c. It returns false when the counts of one level are too far apart for one scale, or, in a search by
// weights, which has but one level, too great: that source is then counted again with wide numbers.
func (c *counts) count(g *export.Graph, p *paths, stop *stopper) (ok bool, err error) {
	for _, v := range p.order {
		c.sigma[v] = 0
	}
	c.sigma[p.order[0]] = 1
	c.shift = append(c.shift[:0], 0)
	last := len(p.levels) - 2
	for l := 0; l <= last; l++ {
		if err := c.push(g, p, p.levels[l], p.levels[l+1], stop); err != nil {
			return false, err
		}
		if l == last {
			break
		}
		shift, ok := c.rescale(p.order[p.levels[l+1]:p.levels[l+2]])
		if !ok {
			return false, nil
		}
		c.shift = append(c.shift, shift)
	}
	c.shift = append(c.shift, 0) // nothing follows the last level
	return last > 0 || c.greatest(p.order) < countLimit, nil
}

// push adds the counts of the nodes order[lo:hi] to those that their tight arcs lead to.
func (c *counts) push(g *export.Graph, p *paths, lo, hi int, stop *stopper) error {
	sigma := c.sigma
	for i := lo; i < hi; i++ {
		if i%stopEvery == 0 {
			if err := stop.err(); err != nil {
				return err
			}
		}
		v := p.order[i]
		row, x := g.Row(v), sigma[v]
		for _, k := range p.arcs[p.start[i]:p.start[i+1]] {
			sigma[row[k]] += x
		}
	}
	return nil
}

// rescale brings the counts of one level into range, and returns the power of two that it divided by.
func (c *counts) rescale(level []int32) (shift int, ok bool) {
	most := c.greatest(level)
	if most < countLimit {
		return 0, true
	}
	if math.IsInf(most, 0) {
		return 0, false
	}
	shift = math.Ilogb(most) - topExponent
	factor, least := math.Ldexp(1, -shift), most
	for _, v := range level {
		c.sigma[v] *= factor
		least = min(least, c.sigma[v])
	}
	return shift, math.Ilogb(least) >= minExponent
}

func (c *counts) greatest(level []int32) float64 {
	most := 0.0
	for _, v := range level {
		most = max(most, c.sigma[v])
	}
	return most
}
