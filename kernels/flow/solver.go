package flow

import (
	"context"
	"fmt"
	"math"
)

// lanes is the number of right-hand sides that are solved together: a row of them is a line of the cache.
const lanes = 8

// row has a number for each lane.
type row [lanes]float64

const (
	// goal is the residual that conjugate gradients go to from each start, and accepted the most that may be left.
	goal, accepted = 1e-12, 1e-9
	// mostIterations is how many iterations a start takes at the most, and mostStarts how often the solver starts from the
	// residual that is left.
	mostIterations, mostStarts = 1000, 3
)

// solver solves a system for some right-hand sides at a time by conjugate gradients. No lane knows of another, so that
// a solution has the same bits next to any others. A solver is used by one goroutine at a time.
type solver struct {
	*system
	// b are the right-hand sides, each of sum 0, and x the solutions, up to a constant for each.
	b, x       []row
	r, z, p, q []row
	order      spectrum // see currents
	// iterations and residual are the most of all solutions. A residual is sqrt(r' M^-1 r / b' M^-1 b) with r = b - L x,
	// made from the solution, and M the preconditioner. It estimates the error in the norm of energy.
	iterations int
	residual   float64
}

func newSolver(s *system) *solver {
	n := s.nodes()
	rows := func() []row { return make([]row, n) }
	return &solver{system: s, b: rows(), x: rows(), r: rows(), z: rows(), p: rows(), q: rows()}
}

// solve solves the system for b. off is how much errors z change what is made of the solutions, at the most.
//
// Where conductances lie far apart, the residual alone says too little: the part of a current of 1 that rounding leaves
// over may flow through a resistor of so little conductance that its drop is more than all others. So the remainder is
// made with twice the digits there. What it is solved to is the error of the solution.
func (s *solver) solve(ctx context.Context, off func() float64) error {
	clear(s.x)
	copy(s.r, s.b)
	size := s.factor.solve(s.z, s.r)
	left, residual, wrong := size, 0.0, 0.0
	for range mostStarts {
		if err := s.improve(ctx, left); err != nil {
			return err
		}
		left = s.remainder()
		residual = worst(left, size)
		if s.apart {
			wrong = off()
		}
		correct := s.apart && s.factor.exact
		if correct { // z has an error of that share of itself
			wrong *= wrong
		}
		if residual <= accepted && wrong <= accepted {
			if correct {
				s.add()
			}
			s.residual = max(s.residual, residual)
			return nil
		}
	}
	return fmt.Errorf(
		"equations were solved to a residual of %.2g, with an error of a share of %.2g of a score, and %g is the most; "+
			"weights this far apart cannot be solved: leave out the smallest, or the weights", residual, wrong, accepted)
}

// improve adds to x a solution for r: by conjugate gradients, or at once by an exact factor. z is M^-1 r, and product
// r' M^-1 r.
func (s *solver) improve(ctx context.Context, product row) error {
	if !s.factor.exact {
		return s.descend(ctx, product)
	}
	s.iterations = max(s.iterations, 1)
	s.add()
	return nil
}

// add adds z to x.
func (s *solver) add() {
	for p := range s.x {
		for k := range s.x[p] {
			s.x[p][k] += s.z[p][k]
		}
	}
}

// remainder makes r what is left of b, z = M^-1 r, and returns r' M^-1 r.
func (s *solver) remainder() row {
	if s.apart {
		s.subtractFinely(s.r, s.b, s.x)
	} else {
		s.multiply(s.q, s.x)
		for p := range s.r {
			for k := range s.r[p] {
				s.r[p][k] = s.b[p][k] - s.q[p][k]
			}
		}
	}
	return s.factor.solve(s.z, s.r)
}

// worst is the greatest residual of all lanes.
func worst(left, size row) (residual float64) {
	for k := range left {
		if size[k] != 0 || left[k] != 0 {
			residual = max(residual, math.Sqrt(math.Abs(left[k]/size[k])))
		}
	}
	return residual
}

// descend adds to x a solution for the right-hand sides r, by conjugate gradients from 0. product is r' M^-1 r, and z
// is M^-1 r. A lane that has reached the goal stays as it is.
func (s *solver) descend(ctx context.Context, product row) error {
	copy(s.p, s.z)
	size := product
	for count := 1; ; count++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		open := false
		curve := s.multiply(s.q, s.p)
		var step, turn row
		for k := range step {
			if product[k] > goal*goal*size[k] && curve[k] > 0 {
				open, step[k] = true, product[k]/curve[k]
			}
		}
		if s.iterations = max(s.iterations, count); !open || count > mostIterations {
			return nil
		}
		s.step(step)
		next := s.factor.solve(s.z, s.r)
		for k := range turn {
			if step[k] != 0 {
				turn[k], product[k] = next[k]/product[k], next[k]
			}
		}
		s.turn(turn)
	}
}

// step goes along the directions p.
func (s *solver) step(length row) {
	for i := range s.x {
		x, r, p, q := &s.x[i], &s.r[i], &s.p[i], &s.q[i]
		for k := range length {
			x[k] += length[k] * p[k]
			r[k] -= length[k] * q[k]
		}
	}
}

// turn makes the next directions of z and p.
func (s *solver) turn(by row) {
	for i := range s.p {
		p, z := &s.p[i], &s.z[i]
		for k := range by {
			p[k] = z[k] + by[k]*p[k]
		}
	}
}

// centre shifts each solution so that its mean over all nodes of the component is 0.
func (s *solver) centre() {
	var sum row
	total := 0.0
	for p, m := range s.mass {
		total += m
		for k := range sum {
			sum[k] += m * s.x[p][k]
		}
	}
	for p := range s.x {
		for k := range sum {
			s.x[p][k] -= sum[k] / total
		}
	}
}
