package reduce

import "math"

// within scores the pairs of inner nodes of one chain.
func (d *Demand[T]) within(h *Half[T]) {
	round := d.ra.paths(h.to).times(d.p.core.Chains[h.chain].Paths)
	d.sendRound(h.to, h.within(d.ra.Dist[h.to], round, &d.flow.Chains[h.chain]))
}

// within scores the pairs of inner nodes of a chain whose ends are around apart; round is the number of shortest paths
// between them times those along the chain. Each x_j to the x_l behind it goes along the chain or round by both ends;
// what goes round is returned, the demand of a for b. The sums cancel, so they are kept in double-double.
func (h *Half[T]) within(around T, round count, into *ChainFlow) (sent float64) {
	k := len(h.twice)
	hist, before, own := make([]double, k+2), make([]double, k+2), make([]double, k+2)
	for j := 1; j <= k; j++ {
		p := h.twice[j-1] / 2
		c := h.cut(-p, p+around, count{mantissa: 1}, round.times(h.ratioOf(j-1)))
		mass := h.weight[j] - h.weight[j-1]
		sent += 2 * mass * c.far
		near := double{hi: h.weight[c.i]}
		hist[c.i] = hist[c.i].plus(double{hi: mass})
		if c.tied {
			near = near.plus(product(c.byA, h.weight[c.i+1]-h.weight[c.i]))
			moved := product(c.byA, mass)
			hist[c.i], hist[c.i+1] = hist[c.i].plus(moved.negative()), hist[c.i+1].plus(moved)
		}
		twice := double{2 * near.hi, 2 * near.lo}
		before[j] = double{hi: h.weight[k]}.plus(twice.negative()).times(mass)
		own[j] = near.plus(double{hi: -h.weight[j]}).times(mass)
	}
	scoreWithin(h.weight, hist, before, own, into.EdgeWithin, into.NodeWithin)
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

// scoreWithin sums up. An edge e, between inner nodes e and e+1, is crossed by what is cut behind it, by what is cut
// before it, and by pairs on both sides of it; before corrects for sources that lie between.
func scoreWithin(weight []float64, hist, before, own []double, edge, node []float64) {
	k := len(weight) - 1
	behind, cross := make([]double, k+1), make([]double, k+1)
	var sources, flow, fix double
	for e := k; e >= 0; e-- {
		if e < k {
			sources = sources.plus(hist[e+1])
			flow = flow.plus(sources.times(weight[e+1] - weight[e]))
			fix = fix.plus(before[e+1])
		}
		behind[e] = flow
		cross[e] = fix.plus(product(weight[e], weight[k]-weight[e]))
	}
	sources, flow = double{}, double{}
	for e := 0; e <= k; e++ {
		if e > 0 {
			node[e-1] = behind[e].plus(flow).plus(cross[e]).plus(own[e].negative()).positive()
			sources = sources.plus(hist[e-1])
			flow = flow.plus(sources.times(weight[e] - weight[e-1]))
		}
		edge[e] = behind[e].plus(flow).plus(cross[e]).positive()
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
