package rank

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
)

// width is how many values a node has: one, or one per lane.
type width interface{ one | lanes }

type one [1]float64

// system is the equation x = restart + matrix·(share·x), which has one solution where the matrix with its shares is smaller
// than 1.
type system[W width] struct {
	*matrix
	// pull is that of the matrix for this width.
	pull func(vector, out []W, first, last int)
	// share multiplies the score of a node before others add it up; where it is nil, all have the factor all.
	share []float64
	all   float64
	// restart is what each node has of itself; where it is nil, all have base.
	restart []W
	// base is the least score, or share of a restart, that residuals are relative to.
	base float64
	// bound is under 1, and no eigenvalue is larger; all of them are real. 0 where that is not known.
	bound float64
}

// iterate is the state of an iteration: the scores, those of the iteration before, what nodes send to others, now and next, and the sums of what
// they get.
type iterate[W width] struct {
	scores, before, sent, next, sums []W
	// most is the largest residual of each block.
	most []W
	// weight is that of the newest scores, next to those before (Chebyshev's semi-iteration; Golub and Varga, 1961).
	weight float64
}

func (s *system[W]) begin() *iterate[W] {
	n := s.graph.N()
	it := &iterate[W]{
		scores: make([]W, n), before: make([]W, n), sent: make([]W, n), next: make([]W, n), sums: make([]W, n),
		most: make([]W, s.count()), weight: 1,
	}
	s.each(func(_, first, last int) {
		for v := first; v < last; v++ {
			it.scores[v] = s.own(v)
			it.sent[v] = s.send(v, it.scores[v])
		}
	})
	return it
}

// own is what a node has of itself.
func (s *system[W]) own(v int) (x W) {
	if s.restart != nil {
		return s.restart[v]
	}
	for l := range len(x) {
		x[l] = s.base
	}
	return x
}

func (s *system[W]) send(v int, x W) W {
	share := s.all
	if s.share != nil {
		share = s.share[v]
	}
	for l := range len(x) {
		x[l] *= share
	}
	return x
}

// step does one iteration, and returns the largest residual of each lane.
func (s *system[W]) step(it *iterate[W]) (residual W) {
	s.each(func(block, first, last int) {
		s.pull(it.sent, it.sums, first, last)
		var most W
		for v := first; v < last; v++ {
			old, now := it.scores[v], s.made(it, v)
			for l := range len(now) {
				most[l] = max(most[l], math.Abs(now[l]-old[l])/max(math.Abs(old[l]), s.base))
				if it.weight != 1 {
					now[l] = it.weight*(now[l]-it.before[v][l]) + it.before[v][l]
				}
			}
			it.before[v], it.scores[v], it.next[v] = old, now, s.send(v, now)
		}
		it.most[block] = most
	})
	for _, most := range it.most {
		for l := range len(most) {
			residual[l] = max(residual[l], most[l])
		}
	}
	it.sent, it.next = it.next, it.sent
	it.accelerate(s.bound)
	return residual
}

// made is the score that a node's neighbours make.
func (s *system[W]) made(it *iterate[W], v int) W {
	x := s.own(v)
	for l := range len(x) {
		x[l] += it.sums[v][l]
	}
	return x
}

func (it *iterate[W]) accelerate(bound float64) {
	half := bound * bound / 2
	if it.weight != 1 {
		half /= 2
	}
	it.weight = 1 / (1 - half*it.weight)
}

// solve iterates until the residual of every lane is small. The scores of a lane do not depend on the other lanes.
func (s *system[W]) solve(r kernels.Request) ([]W, []kernels.Convergence, error) {
	if s.graph.N() == 0 {
		return nil, make([]kernels.Convergence, Lanes), nil
	}
	most, wanted := r.IterationLimits()
	it := s.begin()
	out := make([]W, len(it.scores))
	ended := make([]kernels.Convergence, len(s.own(0)))
	for left, k := len(ended), 1; left > 0; k++ {
		residual := s.step(it)
		if err := s.stop.Err(); err != nil {
			return nil, nil, err
		}
		for l := range len(residual) {
			switch c := &ended[l]; {
			case c.Iterations > 0:
			case residual[l] <= wanted:
				*c = kernels.Convergence{Iterations: k, Residual: residual[l]}
				s.keep(it, out, l)
				left--
			case k >= most || !(residual[l] <= math.MaxFloat64):
				return nil, nil, &kernels.NotConverged{Convergence: kernels.Convergence{Iterations: k, Residual: residual[l]}, Wanted: wanted}
			}
		}
		progress(r, k, most)
	}
	return out, ended, nil
}

// keep keeps the scores of a lane. Rounding and overshooting may leave a score of about 0 below it.
func (s *system[W]) keep(it *iterate[W], out []W, l int) {
	for v := range out {
		out[v][l] = max(0, s.made(it, v)[l])
	}
}

func progress(r kernels.Request, done, total int) {
	if r.Progress != nil {
		r.Progress(done, total)
	}
}
