package rank

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
)

// batch are up to 8 systems that differ in what nodes have of themselves. One look at the arcs serves all. Rows have
// the numbers of the systems of one node side by side.
type batch struct {
	*system                          // Restart is nil
	kernel                           kernel
	own                              []float64
	scores, before, sent, next, sums []float64
	// most has the largest residuals of each block.
	most   [][lanes]float64
	weight float64
}

// outcome is what became of a system.
type outcome struct {
	scores []float64
	ended  kernels.Convergence
	err    error
}

// newBatch begins with the restarts of up to 8 systems.
func newBatch(s *system, k kernel, restarts [][]float64) *batch {
	rows := func() []float64 { return make([]float64, lanes*s.graph.N()) }
	b := &batch{
		system: s, kernel: k, own: rows(), scores: rows(), before: rows(), sent: rows(), next: rows(), sums: rows(),
		most: make([][lanes]float64, s.count()), weight: 1,
	}
	s.each(func(_, first, last int) {
		for v := first; v < last; v++ {
			for lane, restart := range restarts {
				b.own[v*lanes+lane] = restart[v]
			}
			for i := v * lanes; i < (v+1)*lanes; i++ {
				b.scores[i], b.sent[i] = b.own[i], s.send(v, b.own[i])
			}
		}
	})
	return b
}

// step does one iteration, and returns the largest residual of the scores of each system before it.
func (b *batch) step() (residuals [lanes]float64) {
	b.each(func(block, first, last int) {
		most := &b.most[block]
		*most = [lanes]float64{}
		b.advance(most, first, last)
	})
	for _, most := range b.most {
		for lane, residual := range most {
			residuals[lane] = max(residuals[lane], residual)
		}
	}
	b.sent, b.next = b.next, b.sent
	b.weight = b.Accelerated(b.weight)
	return residuals
}

// advance does one iteration of a block of rows.
func (b *batch) advance(most *[lanes]float64, first, last int) {
	sum, factors, blend := b.kernel.sum, b.factors, uint64(1)<<lanes-1
	if factors != nil {
		sum = b.kernel.weightedSum
	}
	if b.weight == 1 {
		blend = 0
	}
	g := b.graph
	for v := first; v < last; v++ {
		if arc := g.Offsets[v]; arc < g.Offsets[v+1] { // else the sum stays 0
			var by *float64
			if factors != nil {
				by = &factors[arc]
			}
			sum(&g.Targets[arc], int(g.Degree(int32(v))), by, &b.sent[0], &b.sums[v*lanes])
		}
		i := v * lanes
		b.kernel.advance(&b.own[i], &b.sums[i], &b.scores[i], &b.before[i], &b.next[i], &most[0], b.send(v, 1), b.weight,
			b.Base, blend)
	}
}

// solve iterates until the residual of each of so many systems is small. What becomes of one does not depend on the
// others.
func (b *batch) solve(r kernels.Request, count int) ([]outcome, error) {
	most, wanted := r.IterationLimits()
	out, open := make([]outcome, count), count
	for k := 1; ; k++ {
		residuals := b.step()
		if err := b.stop.Err(); err != nil {
			return nil, err
		}
		for lane := range out {
			if out[lane].ended.Iterations != 0 {
				continue
			}
			ended := kernels.Convergence{Iterations: k, Residual: residuals[lane]}
			switch {
			case ended.Residual <= wanted:
				out[lane] = outcome{scores: b.made(lane), ended: ended}
				open--
			case k >= most || !(ended.Residual <= math.MaxFloat64):
				out[lane] = outcome{ended: ended, err: &kernels.NotConverged{Convergence: ended, Wanted: wanted}}
				open--
			}
		}
		if open == 0 {
			return out, nil
		}
		progress(r, k, residuals[:count]...)
	}
}

// made are the scores that neighbours make in a system.
func (b *batch) made(lane int) []float64 {
	scores := make([]float64, b.graph.N())
	for v := range scores {
		scores[v] = max(0, b.own[v*lanes+lane]+b.sums[v*lanes+lane])
	}
	return scores
}
