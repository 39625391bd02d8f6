package kernels

// Solution says how the equations of a flow were solved: for which currents the potentials were found, how well, and whether
// pairs of nodes, or projections, were drawn.
type Solution struct {
	// Systems is the number of right-hand sides that were solved, and Iterations the most that one of them took.
	Systems, Iterations int
	// Residual is the greatest relative residual, sqrt(r' M^-1 r / b' M^-1 b), with r = b - L x made from the solution, and M the
	// preconditioner. It estimates the error of the potentials in the norm of energy.
	Residual float64
	// Drawn is the number of right-hand sides that were drawn, for blocks that were too large for exact scores; 0 for none: all
	// scores are exact. Error is then the bound of the error, which all scores keep with a probability of 1 - Delta: see
	// docs/semantics.md.
	Drawn        int
	Error, Delta float64
}

// SolutionOf makes a Solution of its Numbers.
func SolutionOf(x []float64) *Solution {
	return &Solution{Systems: int(x[0]), Iterations: int(x[1]), Residual: x[2], Drawn: int(x[3]), Error: x[4], Delta: x[5]}
}

// Numbers returns what a partial result keeps of a solution.
func (s *Solution) Numbers() []float64 {
	return []float64{float64(s.Systems), float64(s.Iterations), s.Residual, float64(s.Drawn), s.Error, s.Delta}
}
