package flow

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// seed draws what is drawn: the same for every run.
const seed = 1

// resistance is what is known of the resistances of a block.
type resistance struct {
	// ofResistor is the effective resistance between the ends of each resistor.
	ofResistor []float64
	// sums has, for each node of the block, the sum of its resistances to the nodes of the block, each times its mass.
	sums []float64
}

// bridgeResistance is that of a single resistor.
func bridgeResistance(w *network, b *block) resistance {
	r := 1 / w.resistors[b.resistors[0]].conductance
	return resistance{ofResistor: []float64{r}, sums: []float64{float64(b.mass[1]) * r, float64(b.mass[0]) * r}}
}

// resistances computes the resistances of a block. projections is how many random projections the resistances are
// estimated from; 0 for none: then they are exact.
func (c *crew) resistances(ctx context.Context, projections int) (resistance, error) {
	if c.factor.exact && projections == 0 {
		return c.direct(ctx)
	}
	return c.solved(ctx, projections)
}

// direct computes them from an exact factor.
func (c *crew) direct(ctx context.Context) (resistance, error) {
	found, err := c.selectResistances(ctx, c.threads)
	if err != nil {
		return resistance{}, err
	}
	if err := c.probe(ctx, found.ofResistor); err != nil {
		return resistance{}, err
	}
	return c.resistancesOf(found.ofResistor, found.sums()), c.bound(found.ofResistor, false)
}

// resistancesOf are those of the block, from what is known of each place.
func (c *crew) resistancesOf(ofResistor, sums []float64) resistance {
	out := resistance{ofResistor: ofResistor, sums: make([]float64, c.nodes())}
	for i, p := range c.at {
		out.sums[i] = sums[p]
	}
	return out
}

// solved computes them from solutions.
//
// With G the inverse of the Laplacian, up to a constant for each column, the resistance between nodes u and v is
// G_uu + G_vv - 2 G_uv. Columns are shifted so that they sum to 0 over all nodes of the component. Then the sum of the
// resistances of u is M G_uu + sum over v of m_v G_vv, with M the number of nodes.
func (c *crew) solved(ctx context.Context, projections int) (resistance, error) {
	diagonal, ofResistor := make([]float64, c.nodes()), make([]float64, len(c.ends))
	find := func() error { return c.columns(ctx, diagonal, ofResistor) }
	if projections > 0 {
		find = func() error { return c.project(ctx, projections, diagonal, ofResistor) }
	}
	if err := find(); err != nil {
		return resistance{}, err
	}
	if err := c.bound(ofResistor, projections > 0); err != nil {
		return resistance{}, err
	}
	total, trace := 0.0, 0.0
	for p, m := range c.mass {
		total += m
		trace += m * diagonal[p]
	}
	for p := range diagonal {
		diagonal[p] = total*diagonal[p] + trace
	}
	return c.resistancesOf(ofResistor, diagonal), nil
}

// columns computes the diagonal of G, and the resistances, from a column of G per node. Of a resistor u-v it takes
// G_uu - G_uv from the one and G_vv - G_uv from the other, neither of which is much larger than the resistance.
func (c *crew) columns(ctx context.Context, diagonal, ofResistor []float64) error {
	total, drops := 0.0, make([]float64, len(c.target))
	for _, m := range c.mass {
		total += m
	}
	fill := func(b []row, k, i int) {
		for p, m := range c.mass {
			b[p][k] = -m / total
		}
		b[i][k]++
	}
	err := c.each(ctx, load{count: c.nodes(), fill: fill}, func(i int, _ *solver, found solution) {
		diagonal[i] = found.at(int32(i))
		for a := c.offsets[i]; a < c.offsets[i+1]; a++ {
			drops[a] = diagonal[i] - found.at(c.target[a])
		}
	})
	if err != nil {
		return err
	}
	for a, l := range c.resistor {
		ofResistor[l] += drops[a]
	}
	return c.again(ctx, diagonal, ofResistor)
}

// leastDrop is the least part of the potentials of its ends that the resistance of a resistor may be for their
// difference to be precise.
const leastDrop = 1e-6

// again computes the resistances that are no precise differences, each from a right-hand side of its own: one unit of
// current enters at one end and leaves at the other, so that no potential is larger than the resistance.
func (c *crew) again(ctx context.Context, diagonal, ofResistor []float64) error {
	var resistors []int
	for l, ends := range c.ends {
		if !(ofResistor[l] >= leastDrop*max(diagonal[ends[0]], diagonal[ends[1]])) {
			resistors = append(resistors, l)
		}
	}
	c.report.more(len(resistors))
	return c.each(ctx, load{count: len(resistors), fill: c.across(resistors)}, func(i int, _ *solver, found solution) {
		ends := c.ends[resistors[i]]
		ofResistor[resistors[i]] = found.drop(ends)
	})
}

// across fills right-hand sides with one unit of current that enters at one end of a resistor and leaves at the other;
// resistors are those to do, nil for all.
func (c *crew) across(resistors []int) func(b []row, k, i int) {
	return func(b []row, k, i int) {
		if resistors != nil {
			i = resistors[i]
		}
		ends := c.ends[i]
		b[ends[0]][k], b[ends[1]][k] = 1, -1
	}
}

// project estimates the same as columns from random projections (Spielman and Srivastava, "Graph sparsification by
// effective resistances", 2008): each resistor gets a random sign, currents of that sign times the root of its
// conductance enter and leave at its ends, and squared differences of the potentials are the resistances, on average.
func (c *crew) project(ctx context.Context, count int, diagonal, ofResistor []float64) error {
	roots := make([]float64, len(c.strong))
	for l, conductance := range c.strong {
		roots[l] = math.Sqrt(conductance / float64(count))
	}
	fill := func(b []row, k, i int) {
		signs := rand.New(rand.NewPCG(seed, uint64(i)))
		var bits uint64
		for l, ends := range c.ends {
			if l%64 == 0 {
				bits = signs.Uint64()
			}
			current := roots[l]
			if bits>>(l%64)&1 == 0 {
				current = -current
			}
			b[ends[0]][k] += current
			b[ends[1]][k] -= current
		}
	}
	return c.inTurn(ctx, load{count: count, fill: fill}, c.nodes()+len(c.ends), func(part span, solved []solution) {
		for i := part.first; i < part.last; i++ {
			for _, found := range solved {
				if p := int32(i); i < c.nodes() {
					diagonal[p] += found.at(p) * found.at(p)
					continue
				}
				ends := c.ends[i-c.nodes()]
				drop := found.drop(ends)
				ofResistor[i-c.nodes()] += drop * drop
			}
		}
	})
}

// boundTolerance is how far, relative to its largest value, a resistance may lie outside of its bounds by rounding.
const boundTolerance = 1e-6

// bound moves resistances into the bounds that the nodes at their ends set. A resistor alone has the most; the least is
// that with all other nodes of the block joined into one (Rayleigh's law). Estimates may lie anywhere; other values
// only by rounding.
func (c *crew) bound(ofResistor []float64, estimates bool) error {
	for l, r := range ofResistor {
		own, ends := c.strong[l], c.ends[l]
		most, least := 1/own, 1/(own+inSeries(c.degree[ends[0]]-own, c.degree[ends[1]]-own))
		if outside := max(r-most, least-r); !estimates && !(outside <= boundTolerance*most) {
			return fmt.Errorf("a resistance of %g lies outside of its bounds %g and %g; "+
				"weights this far apart cannot be solved: leave out the smallest, or the weights", r, least, most)
		}
		ofResistor[l] = min(max(r, least), most)
	}
	return nil
}

// inSeries is the conductance of two conductors, one after the other.
func inSeries(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return 1 / (1/a + 1/b)
}

// spread adds up the resistances of each node to all nodes of its component, from the sums of its blocks. blocks come
// in the order of network.blocks.
//
// The resistance to a node behind another node of the block is the sum of those to that node and on from it. beyond
// has, for each node, the sum of resistances to what lies behind it.
func spread(n int, blocks []block, of []resistance) []float64 {
	beyond := make([]float64, n)
	for i, b := range blocks { // from the last blocks to the first
		beyond[b.nodes[0]] += of[i].sums[0] + below(beyond, b)
	}
	for i := len(blocks) - 1; i >= 0; i-- { // and back: beyond has all resistances of the first node of the block
		b, sums := blocks[i], of[i].sums
		within := below(beyond, b)
		above := beyond[b.nodes[0]] - sums[0] - within
		for k, v := range b.nodes[1:] {
			beyond[v] = sums[k+1] + above + within
		}
	}
	return beyond
}

// below is the sum of what lies behind the nodes of a block but the first.
func below(beyond []float64, b block) (sum float64) {
	for _, v := range b.nodes[1:] {
		sum += beyond[v]
	}
	return sum
}
