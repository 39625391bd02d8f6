package flow

import (
	"context"
	"math"
	"math/rand/v2"
	"sort"
)

// currents computes, for each resistor of a block, the sum over all pairs of nodes of the current through it if one
// unit of it enters at the one and leaves at the other. pairs is from how many pairs of nodes that is estimated; 0 for
// none: then it is exact.
func (c *crew) currents(ctx context.Context, pairs int) ([]float64, error) {
	sums := make([]float64, len(c.ends))
	if pairs > 0 {
		return sums, c.drawn(ctx, pairs, sums)
	}
	return sums, c.all(ctx, sums)
}

// all takes all pairs. The current that enters at s and leaves at t is F_s - F_t in a resistor u-v, where F are the
// potentials if one unit enters at u and leaves at v, times the conductance of the resistor. Sorted, the differences of
// all pairs take one look at each (Brandes and Fleischer, "Centrality measures based on current flow", 2005).
func (c *crew) all(ctx context.Context, sums []float64) error {
	off := func(i int, wrong solution) float64 { return c.strong[i] * wrong.width() }
	return c.each(ctx, load{len(c.ends), c.across(nil), off}, func(i int, s *solver, found solution) {
		s.order.clear()
		for p, m := range c.mass {
			s.order.add(found.at(int32(p)), m)
		}
		sums[i] = c.strong[i] * s.order.differences()
	})
}

// drawn draws pairs, each as often as there are pairs of nodes behind it.
func (c *crew) drawn(ctx context.Context, count int, sums []float64) error {
	draw := newPairs(c.mass)
	fill := func(b []row, k, i int) {
		s, t := draw.pair(rand.New(rand.NewPCG(seed, uint64(i))))
		b[s][k], b[t][k] = 1, -1
	}
	off := func(_ int, wrong solution) (most float64) {
		for l, ends := range c.ends {
			most = max(most, c.strong[l]*math.Abs(wrong.drop(ends)))
		}
		return most
	}
	scale := c.block.pairs() / float64(count)
	return c.inTurn(ctx, load{count, fill, off}, len(sums), func(part span, solved []solution) {
		for l := part.first; l < part.last; l++ {
			ends := c.ends[l]
			for _, found := range solved {
				sums[l] += scale * c.strong[l] * math.Abs(found.drop(ends))
			}
		}
	})
}

// pairs draws pairs of places.
type pairs struct {
	mass []float64
	// upTo is the number of nodes at the places up to each, and asFirst the number of ordered pairs that begin there. Both
	// are whole numbers.
	upTo, asFirst []uint64
}

func newPairs(mass []float64) *pairs {
	d := &pairs{mass: mass, upTo: make([]uint64, len(mass)), asFirst: make([]uint64, len(mass))}
	total, sum, first := uint64(0), uint64(0), uint64(0)
	for _, m := range mass {
		total += uint64(m)
	}
	for p, m := range mass {
		sum += uint64(m)
		first += uint64(m) * (total - uint64(m))
		d.upTo[p], d.asFirst[p] = sum, first
	}
	return d
}

// pair draws two different places.
func (d *pairs) pair(random *rand.Rand) (s, t int) {
	last := len(d.mass) - 1
	s = above(d.asFirst, random.Uint64N(d.asFirst[last]))
	own := uint64(d.mass[s])
	at := random.Uint64N(d.upTo[last] - own)
	if at >= d.upTo[s]-own { // leave out s
		at += own
	}
	return s, above(d.upTo, at)
}

// above returns the first place whose number is more than x.
func above(sums []uint64, x uint64) int {
	return sort.Search(len(sums), func(i int) bool { return sums[i] > x })
}
