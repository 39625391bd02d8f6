package cores

import "github.com/linchpin-graph/linchpin/kernels/lengths"

// toBranches adds the pairs of an inner node and a branch node, both directions at once, so that searches from branch
// nodes need not look into chains.
func (d *Demand[T]) toBranches(h *Half[T], hist []float64) {
	rb := d.rb
	n := len(d.spans)
	D, twice, da, db, omega := d.D[:n], d.twice[:n], d.ra.Dist[:n], rb.Dist[:n], d.p.omega[:n]
	through := d.through
	for w := range d.spans {
		at := h.length + db[w] - da[w]
		i := h.turn(at)
		near := h.weight[i]
		s := span{int32(i), int32(i)}
		if h.meets(i, at) {
			near, s = d.meet(h, hist, int32(w))
		} else if hist != nil {
			hist[i] += omega[w]
		}
		d.spans[w] = s
		amount := twice[w] * near
		D[w] += amount
		through += amount
	}
	d.through = through
}

// meet is toBranches for branch node w, where it meets an inner node as near by a as by b, or may. It returns the mass
// that w reaches by a, and where the cut lies.
func (d *Demand[T]) meet(h *Half[T], hist []float64, w int32) (near float64, s span) {
	sa, sb, omega := d.ra.paths(w), d.rb.paths(w), d.p.omega[w]
	c := h.cut(d.ra.Dist[w], d.rb.Dist[w], sa, sb)
	if c.i == inDoubt {
		c = h.cutFinely(d.p.fineDist(d.ra)[w], d.p.fineDist(d.rb)[w], sa, sb)
	}
	near, _ = h.masses(c)
	i := int32(c.i)
	if !c.tied {
		if hist != nil {
			hist[i] += omega
		}
		return near, span{i, i}
	}
	if hist != nil {
		hist[i] += c.byB * omega
		hist[i+1] += c.byA * omega
	}
	return near, span{i, i + 1}
}

// toChains adds the pairs of an inner node and an inner node of chains first..end-1. Up to the least cut of the two
// ends of a chain, the sources reach both by a; beyond the greatest, both by b. Only those between are looked at one by
// one.
func (d *Demand[T]) toChains(h *Half[T], hist []float64, first, end int) {
	spans, weight, sources := d.spans, h.weight, d.sources
	for t := first; t < end; t++ {
		e := d.p.ends[t]
		u, v := spans[e.u], spans[e.v]
		lo, hi := min(u.lo, v.lo), max(u.hi, v.hi)
		sources[t] += weight[lo]
		switch {
		case lo < hi:
			d.singly(h, t, span{lo, hi}, 1, histogram{hist, 1})
		case hist != nil:
			hist[lo] += d.p.mass[t]
		}
	}
}

// toPeers adds the pairs of inner nodes of different members of a chain.
func (d *Demand[T]) toPeers(h *Half[T], c *Chain) {
	t := int(h.chain)
	u, v := d.spans[d.p.ends[t].u], d.spans[d.p.ends[t].v]
	lo, hi := min(u.lo, v.lo), max(u.hi, v.hi)
	mass := c.Mass()
	scale := c.Pairs / (mass * mass)
	d.sources[t] += h.weight[lo] * scale
	var peers []float64
	if h.primary {
		peers = d.flow.Chains[t].Peers
	}
	if lo < hi {
		d.singly(h, t, span{lo, hi}, scale, histogram{peers, 1 / mass})
	} else if peers != nil {
		peers[lo]++
	}
}

// histogram collects what inner nodes send by a. Amounts are multiplied by scale; bins are nil where nobody collects.
type histogram struct {
	bins  []float64
	scale float64
}

// singly looks at inner nodes s.lo+1..s.hi one by one. It adds what they send by a to chain t, times scale, and puts
// into the histogram what each sends by a but its successor does not.
func (d *Demand[T]) singly(h *Half[T], t int, s span, scale float64, hist histogram) {
	ra, rb := d.ra, d.rb
	target, u, v := &d.p.primary[t], d.p.ends[t].u, d.p.ends[t].v
	byA := d.p.mass[t]
	for j := s.lo; j < s.hi; j++ {
		toU, toV := h.way(j, ra, rb, u), h.way(j, ra, rb, v)
		c := cut{i: inDoubt}
		if toU.dist != inDoubt && toV.dist != inDoubt {
			c = target.cut(toU.dist, toV.dist, toU.paths, toV.paths)
		}
		if c.i == inDoubt {
			var fineU, fineV lengths.U128
			toU, fineU = d.wayFinely(h, j, u)
			toV, fineV = d.wayFinely(h, j, v)
			c = target.cutFinely(fineU, fineV, toU.paths, toV.paths)
		}
		mass := scale * (h.weight[j+1] - h.weight[j])
		near, far := target.masses(c)
		near, far = near*toU.byA, far*toV.byA
		d.send(u, mass*near)
		d.send(v, mass*far)
		if hist.bins != nil {
			now := near + far
			hist.bins[j] += hist.scale * (byA - now)
			byA = now
		}
	}
	if hist.bins != nil {
		hist.bins[s.hi] += hist.scale * byA
	}
}

// way is how an inner node of a chain reaches a branch node. See cut about its size.
type way[T Distance] struct {
	dist  T     // inDoubt where rounding hides whether it is by a
	paths count // in units of the paths from the inner node to b along the chain
	byA   float64
}

// way returns how inner node j+1 reaches w.
func (h *Half[T]) way(j int32, ra, rb *Row[T], w int32) way[T] {
	p := h.twice[j] / 2
	da, db := p+ra.Dist[w], h.length-p+rb.Dist[w]
	switch {
	case da+h.slack < db:
		return way[T]{dist: da, paths: h.pathsByA(j, ra, w), byA: 1}
	case db+h.slack < da:
		return way[T]{dist: db, paths: rb.paths(w)}
	case h.slack > 0:
		return way[T]{dist: inDoubt}
	}
	both := h.wayByBoth(j, ra, rb, w)
	both.dist = da
	return both
}

// pathsByA is how many paths lead from inner node j+1 by a to w, in units of the paths to b along the chain.
func (h *Half[T]) pathsByA(j int32, ra *Row[T], w int32) count {
	if h.ratio == nil {
		return ra.paths(w)
	}
	return ra.paths(w).times(h.ratio[j])
}

// wayByBoth is way, but for the distance, where a and b are as near.
func (h *Half[T]) wayByBoth(j int32, ra, rb *Row[T], w int32) way[T] {
	sa, sb := h.pathsByA(j, ra, w), rb.paths(w)
	byA, _ := shares(sa, sb)
	return way[T]{paths: sa.plus(sb), byA: byA}
}
