package cores

import (
	"github.com/linchpin-graph/linchpin/internal/double"
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

// within scores the pairs of inner nodes of a chain whose ends are around apart, fineAround where lengths are rounded;
// round is the number of shortest paths between them times those along the chain. Each x_j reaches the x_l behind it
// along the chain, or round by both ends. within returns what goes round, the demand of a for b. The sums cancel, so
// they are kept in double-double.
func (h *Half[T]) within(around T, fineAround func() lengths.U128, round count, into *ChainFlow) (sent float64) {
	k := len(h.twice)
	sums := withinSums{make([]double.Number, k+2), make([]double.Number, k+2), make([]double.Number, k+2)}
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
		near := double.Number{Hi: h.weight[c.i]}
		hist[c.i] = hist[c.i].Plus(double.Number{Hi: mass})
		if c.tied {
			near = near.Plus(double.Product(c.byA, h.weight[c.i+1]-h.weight[c.i]))
			moved := double.Product(c.byA, mass)
			hist[c.i], hist[c.i+1] = hist[c.i].Plus(moved.Negative()), hist[c.i+1].Plus(moved)
		}
		twice := double.Number{Hi: 2 * near.Hi, Lo: 2 * near.Lo}
		sums.before[j] = double.Number{Hi: h.weight[k]}.Plus(twice.Negative()).Times(mass)
		sums.own[j] = near.Plus(double.Number{Hi: -h.weight[j]}).Times(mass)
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
type withinSums struct{ hist, before, own []double.Number }

// score adds up the scores of edges and nodes. Edge e, between inner nodes e and e+1, is crossed by what is cut behind
// it, by what is cut before it, and by pairs on both sides of it.
func (s *withinSums) score(weight []float64, into *ChainFlow) {
	k := len(weight) - 1
	behind, cross := make([]double.Number, k+1), make([]double.Number, k+1)
	var sources, flow, fix double.Number
	for e := k; e >= 0; e-- {
		if e < k {
			sources = sources.Plus(s.hist[e+1])
			flow = flow.Plus(sources.Times(weight[e+1] - weight[e]))
			fix = fix.Plus(s.before[e+1])
		}
		behind[e] = flow
		cross[e] = fix.Plus(double.Product(weight[e], weight[k]-weight[e]))
	}
	sources, flow = double.Number{}, double.Number{}
	for e := 0; e <= k; e++ {
		if e > 0 {
			into.NodeWithin[e-1] = positive(behind[e].Plus(flow).Plus(cross[e]).Plus(s.own[e].Negative()))
			sources = sources.Plus(s.hist[e-1])
			flow = flow.Plus(sources.Times(weight[e] - weight[e-1]))
		}
		into.EdgeWithin[e] = positive(behind[e].Plus(flow).Plus(cross[e]))
	}
}

// positive rounds to a float64; what is left of zero after cancellation counts as zero.
func positive(x double.Number) float64 { return max(0, x.Float()) }
