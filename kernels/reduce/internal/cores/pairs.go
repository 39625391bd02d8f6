package cores

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
		if i < len(h.twice) && h.twice[i] == at {
			c := h.cut(da[w], db[w], d.ra.paths(int32(w)), rb.paths(int32(w)))
			near, s.hi = c.near, int32(i+1)
			if hist != nil {
				hist[i] += c.byB * omega[w]
				hist[i+1] += c.byA * omega[w]
			}
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
		c := target.cut(toU.dist, toV.dist, toU.paths, toV.paths)
		mass := scale * (h.weight[j+1] - h.weight[j])
		near, far := c.near*toU.byA, c.far*toV.byA
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

// way is how an inner node of a chain reaches a branch node.
type way[T Distance] struct {
	dist  T
	paths count // in units of the paths from the inner node to b along the chain
	byA   float64
}

// way returns how inner node j+1 reaches w.
func (h *Half[T]) way(j int32, ra, rb *Row[T], w int32) way[T] {
	p := h.twice[j] / 2
	da, db := p+ra.Dist[w], h.length-p+rb.Dist[w]
	switch {
	case da < db:
		return way[T]{da, ra.paths(w).times(h.ratioOf(int(j))), 1}
	case da > db:
		return way[T]{db, rb.paths(w), 0}
	}
	sa, sb := ra.paths(w).times(h.ratioOf(int(j))), rb.paths(w)
	byA, _ := shares(sa, sb)
	return way[T]{da, sa.plus(sb), byA}
}
