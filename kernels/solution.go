package kernels

import "fmt"

// Solution says how the equations of a flow were solved: for which currents the potentials were found, how well, and
// whether pairs of nodes, or projections, were drawn.
type Solution struct {
	// Systems is the number of right-hand sides that were solved, and Iterations the most that one of them took.
	Systems, Iterations int
	// Residual is the greatest relative residual, sqrt(r' M^-1 r / b' M^-1 b), with r = b - L x made from the solution,
	// and M the preconditioner. It estimates the error of the potentials in the norm of energy.
	Residual float64
	// Drawn is the number of right-hand sides that were drawn, for blocks that were too large for exact scores; 0 for
	// none: all scores are exact. Error is then the bound of the error, which all scores keep with a probability of 1 -
	// Delta: see docs/semantics.md.
	Drawn        int
	Error, Delta float64
}

// SolutionOf makes a Solution of its Numbers.
func SolutionOf(x []float64) *Solution {
	return &Solution{Systems: int(x[0]), Iterations: int(x[1]), Residual: x[2], Drawn: int(x[3]), Error: x[4], Delta: x[5]}
}

// String is one line on it.
func (s *Solution) String() string {
	text := fmt.Sprintf("%d systems solved, in at most %d iterations, to a residual of %.1e", s.Systems,
		s.Iterations, s.Residual)
	if s.Systems == 0 {
		text = "no system to solve: the graph is a forest"
	}
	if s.Drawn > 0 {
		text += fmt.Sprintf("; %d of them drawn: scores have an error of %g at most, with a probability of %g", s.Drawn,
			s.Error, 1-s.Delta)
	}
	return text
}

// Numbers returns what a partial result keeps of a solution.
func (s *Solution) Numbers() []float64 {
	return []float64{float64(s.Systems), float64(s.Iterations), s.Residual, float64(s.Drawn), s.Error, s.Delta}
}
