package cores

// Demand computes, for a branch node a at a time, the demand D(w) of every other branch node w: the mass of the ordered
// pairs whose shortest paths leave a for w. Sources are those that leave their chain at a, and targets those that are
// entered at w. It reads the rows of a and of the other ends of the chains at a.
type Demand[T Distance] struct {
	p    *Problem[T]
	flow *Flow // only what belongs to chains whose U is a
	a    int32
	ra   *Row[T]
	rb   *Row[T] // of the other end of the chain at hand
	// D is the result of Begin, Half for each chain at a, and Finish; it holds until the next Begin.
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

// NewDemand returns a computation for one goroutine at a time. It writes to f what belongs to chains that start at a,
// and adds to passed what passes a.
func NewDemand[T Distance](p *Problem[T], f *Flow, passed []float64) *Demand[T] {
	n, chains := p.nodes(), len(p.ends)
	return &Demand[T]{
		p: p, flow: f, D: make([]float64, n), twice: make([]float64, n), passed: passed, spans: make([]span, n),
		near: make([]float64, chains), far: make([]float64, chains), sources: make([]float64, chains),
	}
}

// Begin starts with a, whose row is ra: with the pairs of branch nodes.
func (d *Demand[T]) Begin(a int32, ra *Row[T]) {
	d.a, d.ra, d.through = a, ra, 0
	own := d.p.omega[a]
	for w, omega := range d.p.omega {
		d.D[w], d.twice[w] = own*omega, 2*omega
	}
	d.twice[a] = 0 // nothing leaves a for a
	if len(d.p.Halves(a)) == 0 {
		return
	}
	clear(d.sources)
	dist := ra.Dist
	for t, e := range d.p.ends {
		h := &d.p.primary[t]
		at := h.length + dist[e.v] - dist[e.u]
		i := h.turn(at)
		if h.meets(i, at) {
			c := h.cut(dist[e.u], dist[e.v], ra.paths(e.u), ra.paths(e.v))
			if c.i == inDoubt {
				fine := d.p.fineDist(ra)
				c = h.cutFinely(fine[e.u], fine[e.v], ra.paths(e.u), ra.paths(e.v))
			}
			d.near[t], d.far[t] = h.masses(c)
			continue
		}
		d.near[t], d.far[t] = h.weight[i], d.p.mass[t]-h.weight[i]
	}
}

// Half adds what the inner nodes of a chain at a, one of Problem.Halves, send by a; rb is the row of its other end.
func (d *Demand[T]) Half(h *Half[T], rb *Row[T]) {
	d.rb = rb
	var hist []float64
	if h.primary {
		hist = d.flow.Chains[h.chain].Hist
	}
	d.toBranches(h, hist)
	d.toChains(h, hist, 0, int(h.chain))
	d.toChains(h, hist, int(h.chain)+1, len(d.p.ends))
	chain := &d.p.core.Chains[h.chain]
	if chain.Members > 1 {
		d.toPeers(h, chain)
	}
	if h.primary && chain.Inner() > 1 {
		d.within(h)
	}
}

// Finish completes D: it adds what was kept back, to go to each chain once.
func (d *Demand[T]) Finish() {
	if len(d.p.Halves(d.a)) == 0 {
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
func (d *Demand[T]) send(u int32, amount float64) {
	d.D[u] += amount
	if u != d.a {
		amount *= 2
	}
	d.through += amount
}
