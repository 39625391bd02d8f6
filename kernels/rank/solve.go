package rank

import (
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/kernels"
)

// system is an equation with the matrix that it is about.
type system struct {
	*matrix
	*Equation
}

// iterate is the state of an iteration: the scores, those of the iteration before, what nodes send to others, now and
// next, and the sums of what they get.
type iterate struct {
	scores, before, sent, next, sums []float64
	// most is the largest residual of each block.
	most []float64
	// weight is that of the newest scores, next to those before (Chebyshev's semi-iteration; Golub and Varga, 1961).
	weight float64
}

func (s *system) begin() *iterate {
	n := s.graph.N()
	it := &iterate{
		scores: make([]float64, n), before: make([]float64, n), sent: make([]float64, n), next: make([]float64, n),
		sums: make([]float64, n), most: make([]float64, s.count()), weight: 1,
	}
	s.each(func(_, first, last int) {
		for v := first; v < last; v++ {
			it.scores[v] = s.own(v)
			it.sent[v] = s.send(v, it.scores[v])
		}
	})
	return it
}

// step does one iteration, and returns the largest residual of the scores before it.
func (s *system) step(it *iterate) (residual float64) {
	s.each(func(block, first, last int) {
		s.pull(it.sent, it.sums, first, last)
		most := 0.0
		for v := first; v < last; v++ {
			old, now := it.scores[v], s.own(v)+it.sums[v]
			most = max(most, math.Abs(now-old)/max(math.Abs(old), s.Base))
			if it.weight != 1 {
				now = it.weight*(now-it.before[v]) + it.before[v]
			}
			it.before[v], it.scores[v], it.next[v] = old, now, s.send(v, now)
		}
		it.most[block] = most
	})
	for _, most := range it.most {
		residual = max(residual, most)
	}
	it.sent, it.next = it.next, it.sent
	it.weight = s.Accelerated(it.weight)
	return residual
}

// solve iterates until the residual is small.
func (s *system) solve(r kernels.Request) ([]float64, kernels.Convergence, error) {
	most, wanted := r.IterationLimits()
	it := s.begin()
	for k := 1; ; k++ {
		ended := kernels.Convergence{Iterations: k, Residual: s.step(it)}
		if err := s.stop.Err(); err != nil {
			return nil, kernels.Convergence{}, err
		}
		switch {
		case ended.Residual <= wanted:
			return s.made(it), ended, nil
		case k >= most || !(ended.Residual <= math.MaxFloat64):
			return nil, ended, &kernels.NotConverged{Convergence: ended, Wanted: wanted}
		}
		progress(r, k, ended.Residual)
	}
}

// made are the scores that neighbours make. Rounding and overshooting may leave a score of about 0 below it.
func (s *system) made(it *iterate) []float64 {
	for v, sum := range it.sums {
		it.sums[v] = max(0, s.own(v)+sum)
	}
	return it.sums
}

// progress reports how far an iteration is. It may solve several systems, with a residual each.
func progress(r kernels.Request, iterations int, residuals ...float64) {
	if r.Progress != nil {
		now := kernels.Convergence{Iterations: iterations, Residual: slices.Max(residuals)}
		r.Progress(iterations, Expected(r, now))
	}
}

// Expected returns after how many iterations the residual is likely to be small enough, if it began at about 1 and goes
// on to fall as it did until now: more than there were, and no more than the request allows.
func Expected(r kernels.Request, now kernels.Convergence) int {
	most, wanted := r.IterationLimits()
	if now.Residual >= 1 || math.IsNaN(now.Residual) {
		return most
	}
	done := float64(now.Iterations)
	expected := math.Ceil(done * math.Log(wanted) / math.Log(now.Residual))
	return int(min(max(done+1, expected), float64(most)))
}
