package cores

import (
	"math"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// Backward sends demands back along the shortest paths of a row.
type Backward[T Distance] struct {
	p       *Problem[T]
	stop    func() bool
	links   []int32
	passed  []float64 // through each branch node, over all sources
	through []float64 // of each link
	rate    []float64 // demand and dependency of each node, per path
}

// NewBackward returns a backward pass that adds to passed, by branch node, and through, by link, as in Flow.
func NewBackward[T Distance](p *Problem[T], stop func() bool, passed, through []float64) *Backward[T] {
	return &Backward[T]{
		p: p, stop: stop, links: p.core.Links, passed: passed, through: through, rate: make([]float64, p.nodes()),
	}
}

// From adds what passes through nodes and links for the demands D of the source of r. If stopped, it adds only a part.
func (b *Backward[T]) From(r *Row[T], D []float64) {
	if r.Exp != nil || r.doubt {
		b.wide(r, D)
		return
	}
	p, rate, dist := b.p, b.rate, r.Dist
	for i := len(r.Order) - 1; i >= 0; i-- {
		if i%stopper.Every == 0 && b.stop() {
			return
		}
		v := r.Order[i]
		from, paths, delta := dist[v], r.Count[v], 0.0
		lo, hi := p.offsets[v], p.offsets[v+1]
		links := b.links[lo:hi]
		for k, arc := range p.arcs[lo:hi] {
			// The processor cannot predict which arcs are shortest-path arcs: a mask instead of a branch halves the time.
			apart := uint64(dist[arc.to] ^ (from + arc.length))
			shortest := uint64(int64(apart-1) >> 63)
			flow := math.Float64frombits(math.Float64bits(paths*arc.paths*rate[arc.to]) & shortest)
			delta += flow
			b.through[links[k]] += flow
		}
		rate[v] = (D[v] + delta) / paths
		if i > 0 {
			b.passed[v] += delta
		}
	}
}

// wide is From for counts with exponents, and for rows in doubt; rate is then demand and dependency, not yet divided by
// paths.
func (b *Backward[T]) wide(r *Row[T], D []float64) {
	p, rate := b.p, b.rate
	for i := len(r.Order) - 1; i >= 0; i-- {
		if i%stopper.Every == 0 && b.stop() {
			return
		}
		v := r.Order[i]
		paths, delta := r.paths(v), 0.0
		for k := p.offsets[v]; k < p.offsets[v+1]; k++ {
			arc := &p.arcs[k]
			if !p.isShortest(r, v, arc.to, k) {
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
