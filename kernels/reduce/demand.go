package reduce

// demand computes, for a branch node a at a time, the demand D(w) of every other branch node w: the mass of the ordered
// pairs whose shortest paths leave a for w, where sources are those that exit their chain at a and targets those that
// are entered at w. It reads the rows of a and of the other ends of the chains at a.
type demand[T distance] struct {
	p       *problem[T]
	flow    *Flow // only what belongs to chains that start at a, and passed
	a       int32
	ra      *row[T]
	D       []float64
	twice   []float64 // twice the mass of every branch node but a
	passed  []float64 // through each branch node, besides what the backward pass finds
	through float64   // of passed[a]
	spans   []span    // by branch node: cuts of the chain at hand
	near    []float64 // by chain: mass that a reaches by the chain's first end
	far     []float64
	sources []float64 // by chain: mass of the sources that reach both its ends by a
}

// span is the range of inner nodes of a chain in which its cut, seen from elsewhere, can lie: lo, or between lo and hi
// when tied.
type span struct{ lo, hi int32 }

func newDemand[T distance](p *problem[T], f *Flow, passed []float64) *demand[T] {
	n, chains := p.nodes(), len(p.ends)
	return &demand[T]{
		p: p, flow: f, D: make([]float64, n), twice: make([]float64, n), passed: passed, spans: make([]span, n),
		near: make([]float64, chains), far: make([]float64, chains), sources: make([]float64, chains),
	}
}

// begin starts with the pairs of branch nodes.
func (d *demand[T]) begin(a int32, ra *row[T]) {
	d.a, d.ra, d.through = a, ra, 0
	own := d.p.omega[a]
	for w, omega := range d.p.omega {
		d.D[w], d.twice[w] = own*omega, 2*omega
	}
	d.twice[a] = 0 // nothing leaves a for a
	if len(d.p.halvesAt(a)) == 0 {
		return
	}
	clear(d.sources)
	dist := ra.dist
	for t, e := range d.p.ends {
		h := &d.p.primary[t]
		at := h.length + dist[e.v] - dist[e.u]
		i := h.turn(at)
		if i < len(h.twice) && h.twice[i] == at {
			c := h.cut(dist[e.u], dist[e.v], ra.paths(e.u), ra.paths(e.v))
			d.near[t], d.far[t] = c.near, c.far
			continue
		}
		d.near[t], d.far[t] = h.weight[i], d.p.mass[t]-h.weight[i]
	}
}

// half adds what the inner nodes of a chain send by a; rb is the row of its other end.
func (d *demand[T]) half(h *half[T], rb *row[T]) {
	var hist []float64
	if h.primary {
		hist = d.flow.Chains[h.chain].Hist
	}
	d.toBranches(h, rb, hist)
	d.toChains(h, rb, hist, 0, int(h.chain))
	d.toChains(h, rb, hist, int(h.chain)+1, len(d.p.ends))
	chain := &d.p.core.Chains[h.chain]
	if len(chain.Members) > 1 {
		d.toPeers(h, rb, chain)
	}
	if h.primary && chain.Inner() > 1 {
		d.within(h)
	}
}

// finish adds what was kept back, to go to each chain once. What passes a goes to passed.
func (d *demand[T]) finish() {
	if len(d.p.halvesAt(d.a)) == 0 {
		return
	}
	for t, mass := range d.sources {
		if mass > 0 {
			d.send(d.p.ends[t].u, mass*d.near[t])
			d.send(d.p.ends[t].v, mass*d.far[t])
		}
	}
	d.passed[d.a] += d.through
}

// send adds a flow by a to inner nodes of another chain, entered at u. It passes a; so does the way back, which is not
// in the demand of a, unless it leaves that chain at a itself and is counted there.
func (d *demand[T]) send(u int32, amount float64) {
	d.D[u] += amount
	if u != d.a {
		amount *= 2
	}
	d.through += amount
}

// toBranches adds the pairs of an inner node and a branch node, both directions at once. Searches from branch nodes need
// not look into chains, then.
func (d *demand[T]) toBranches(h *half[T], rb *row[T], hist []float64) {
	n := len(d.spans)
	D, twice, da, db, omega := d.D[:n], d.twice[:n], d.ra.dist[:n], rb.dist[:n], d.p.omega[:n]
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

// toChains adds the pairs of an inner node and an inner node of chains first..end-1. Up to the least cut of the two ends
// of a chain, the sources reach both by a; beyond the greatest, both by b; only those between are looked at singly.
func (d *demand[T]) toChains(h *half[T], rb *row[T], hist []float64, first, end int) {
	spans, weight, sources := d.spans, h.weight, d.sources
	for t := first; t < end; t++ {
		e := d.p.ends[t]
		u, v := spans[e.u], spans[e.v]
		lo, hi := min(u.lo, v.lo), max(u.hi, v.hi)
		sources[t] += weight[lo]
		switch {
		case lo < hi:
			d.singly(h, rb, t, lo, hi, 1, hist, 1)
		case hist != nil:
			hist[lo] += d.p.mass[t]
		}
	}
}

// toPeers adds the pairs of inner nodes of different members of a chain.
func (d *demand[T]) toPeers(h *half[T], rb *row[T], c *Chain) {
	t := int(h.chain)
	u, v := d.spans[d.p.ends[t].u], d.spans[d.p.ends[t].v]
	lo, hi := min(u.lo, v.lo), max(u.hi, v.hi)
	mass := c.mass()
	scale := c.Pairs / (mass * mass)
	d.sources[t] += h.weight[lo] * scale
	var peers []float64
	if h.primary {
		peers = d.flow.Chains[t].Peers
	}
	if lo < hi {
		d.singly(h, rb, t, lo, hi, scale, peers, 1/mass)
	} else if peers != nil {
		peers[lo]++
	}
}

// singly adds what inner nodes lo+1..hi send by a to chain t, times scale; and to hist, times histScale, what each sends
// by a but its successor does not.
func (d *demand[T]) singly(h *half[T], rb *row[T], t int, lo, hi int32, scale float64, hist []float64, histScale float64) {
	target, u, v, all := &d.p.primary[t], d.p.ends[t].u, d.p.ends[t].v, d.p.mass[t]
	byA := all
	for j := lo; j < hi; j++ {
		toU, toV := h.way(j, d.ra, rb, u), h.way(j, d.ra, rb, v)
		c := target.cut(toU.dist, toV.dist, toU.paths, toV.paths)
		mass := scale * (h.weight[j+1] - h.weight[j])
		near, far := c.near*toU.byA, c.far*toV.byA
		d.send(u, mass*near)
		d.send(v, mass*far)
		if hist != nil {
			now := near + far
			if toU.byA == 1 && toV.byA == 1 {
				now = all
			}
			hist[j] += histScale * (byA - now)
			byA = now
		}
	}
	if hist != nil {
		hist[hi] += histScale * byA
	}
}

// way is how an inner node of a chain reaches a branch node.
type way[T distance] struct {
	dist  T
	paths count // in units of the paths from the inner node to b along the chain
	byA   float64
}

// way returns how inner node j+1 reaches w.
func (h *half[T]) way(j int32, ra, rb *row[T], w int32) way[T] {
	p := h.twice[j] / 2
	da, db := p+ra.dist[w], h.length-p+rb.dist[w]
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
