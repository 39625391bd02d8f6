package cores

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

// within scores the pairs of inner nodes of one chain.
func (d *Demand[T]) within(h *Half[T]) {
	round := d.ra.paths(h.to).times(d.p.core.Chains[h.chain].Paths)
	around := func() lengths.U128 { return d.p.fineDist(d.ra)[h.to] }
	d.sendRound(h.to, h.within(d.ra.Dist[h.to], around, round, &d.flow.Chains[h.chain]))
}

// Round scores the pairs of inner nodes of the chain, whose ends are around apart by mantissa * 2^exponent shortest
// paths. It returns the demand of U for V: what goes round by both ends. free is for one goroutine at a time.
func (c *Chain) Round(
	around int64, mantissa float64, exponent int32, into *ChainFlow, free *pieces.Arena[int64],
) float64 {
	h, paths := newPrimary(0, c, free), count{mantissa, exponent}
	return h.within(around, nil, paths.normal().times(c.Paths), into)
}

// within scores the pairs of inner nodes of a chain whose ends are around apart, fineAround where lengths are rounded; round is the number of shortest paths
// between them times those along the chain. Each x_j reaches the x_l behind it along the chain, or round by both ends.
// within returns what goes round, the demand of a for b. The sums cancel, so they are kept in double-double.
func (h *Half[T]) within(around T, fineAround func() lengths.U128, round count, into *ChainFlow) (sent float64) {
	k := len(h.twice)
	sums := withinSums{make([]double, k+2), make([]double, k+2), make([]double, k+2)}
	hist := sums.hist
	for j := 1; j <= k; j++ {
		p := h.twice[j-1] / 2
		by := round.times(h.ratioOf(j - 1))
		c := h.cut(-p, p+around, count{mantissa: 1}, by)
		if c.i == inDoubt {
			at := h.fine.At[j-1]
			c = h.cutFinely(lengths.U128{}, at.Plus(at).Plus(fineAround()), count{mantissa: 1}, by)
		}
		mass := h.weight[j] - h.weight[j-1]
		_, far := h.masses(c)
		sent += 2 * mass * far
		near := double{hi: h.weight[c.i]}
		hist[c.i] = hist[c.i].plus(double{hi: mass})
		if c.tied {
			near = near.plus(product(c.byA, h.weight[c.i+1]-h.weight[c.i]))
			moved := product(c.byA, mass)
			hist[c.i], hist[c.i+1] = hist[c.i].plus(moved.negative()), hist[c.i+1].plus(moved)
		}
		twice := double{2 * near.hi, 2 * near.lo}
		sums.before[j] = double{hi: h.weight[k]}.plus(twice.negative()).times(mass)
		sums.own[j] = near.plus(double{hi: -h.weight[j]}).times(mass)
	}
	sums.score(h.weight, into)
	return sent
}

// sendRound adds a flow that leaves the chain by a, to enter it again at b.
func (d *Demand[T]) sendRound(b int32, amount float64) {
	d.through += amount
	if b != d.a {
		d.D[b] += amount
		d.passed[b] += amount
	}
}

// withinSums are what within collects: by cut, the mass of sources; by inner node, a correction for sources that lie
// between the cut and the edge, and one for the node itself.
type withinSums struct{ hist, before, own []double }

// score adds up the scores of edges and nodes. Edge e, between inner nodes e and e+1, is crossed by what is cut behind
// it, by what is cut before it, and by pairs on both sides of it.
func (s *withinSums) score(weight []float64, into *ChainFlow) {
	k := len(weight) - 1
	behind, cross := make([]double, k+1), make([]double, k+1)
	var sources, flow, fix double
	for e := k; e >= 0; e-- {
		if e < k {
			sources = sources.plus(s.hist[e+1])
			flow = flow.plus(sources.times(weight[e+1] - weight[e]))
			fix = fix.plus(s.before[e+1])
		}
		behind[e] = flow
		cross[e] = fix.plus(product(weight[e], weight[k]-weight[e]))
	}
	sources, flow = double{}, double{}
	for e := 0; e <= k; e++ {
		if e > 0 {
			into.NodeWithin[e-1] = behind[e].plus(flow).plus(cross[e]).plus(s.own[e].negative()).positive()
			sources = sources.plus(s.hist[e-1])
			flow = flow.plus(sources.times(weight[e] - weight[e-1]))
		}
		into.EdgeWithin[e] = behind[e].plus(flow).plus(cross[e]).positive()
	}
}

// double is an unevaluated sum of two float64s (Dekker's double-double), good for about 31 digits.
type double struct{ hi, lo float64 }

func sum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, (a - (s - t)) + (b - t)}
}

func product(a, b float64) double {
	p := a * b
	return double{p, math.FMA(a, b, -p)}
}

func (x double) plus(y double) double {
	s := sum(x.hi, y.hi)
	return sum(s.hi, s.lo+x.lo+y.lo)
}

func (x double) times(y float64) double {
	p := product(x.hi, y)
	return sum(p.hi, p.lo+x.lo*y)
}

func (x double) negative() double { return double{-x.hi, -x.lo} }

// positive rounds to a float64; what is left of zero after cancellation counts as zero.
func (x double) positive() float64 { return max(0, x.hi+x.lo) }
