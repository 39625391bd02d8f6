package reduce

// backward sends demands back along the shortest paths of a row.
type backward[T distance] struct {
	p       *problem[T]
	stop    *stopper
	links   []int32
	passed  []float64 // through each branch node, over all sources
	through []float64 // of each link
	rate    []float64 // demand and dependency of each node, a path
}

func newBackward[T distance](p *problem[T], stop *stopper, passed, through []float64) *backward[T] {
	return &backward[T]{p: p, stop: stop, links: p.core.Links, passed: passed, through: through, rate: make([]float64, p.nodes())}
}

// from adds what the demands D of the source of r let pass through nodes and links. When stopped, it leaves a part.
func (b *backward[T]) from(r *row[T], D []float64) {
	if r.exp != nil {
		b.wide(r, D)
		return
	}
	p, rate, dist := b.p, b.rate, r.dist
	for i := len(r.order) - 1; i >= 0; i-- {
		if i%stopEvery == 0 && b.stop.stopped() {
			return
		}
		v := r.order[i]
		from, paths, delta := dist[v], r.count[v], 0.0
		lo, hi := p.offsets[v], p.offsets[v+1]
		links := b.links[lo:hi]
		for k, arc := range p.arcs[lo:hi] {
			if dist[arc.to] == from+arc.length {
				flow := paths * arc.paths * rate[arc.to]
				delta += flow
				b.through[links[k]] += flow
			}
		}
		rate[v] = (D[v] + delta) / paths
		if i > 0 {
			b.passed[v] += delta
		}
	}
}

// wide is from for counts with exponents; rate is then demand and dependency, not yet divided by paths.
func (b *backward[T]) wide(r *row[T], D []float64) {
	p, rate, dist := b.p, b.rate, r.dist
	for i := len(r.order) - 1; i >= 0; i-- {
		if i%stopEvery == 0 && b.stop.stopped() {
			return
		}
		v := r.order[i]
		from, paths, delta := dist[v], r.paths(v), 0.0
		for k := p.offsets[v]; k < p.offsets[v+1]; k++ {
			arc := &p.arcs[k]
			if dist[arc.to] != from+arc.length {
				continue
			}
			flow := paths.over(r.paths(arc.to)) * arc.paths * rate[arc.to]
			delta += flow
			b.through[b.links[k]] += flow
		}
		rate[v] = D[v] + delta
		if i > 0 {
			b.passed[v] += delta
		}
	}
}
