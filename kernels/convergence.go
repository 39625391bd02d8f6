package kernels

import "fmt"

// Convergence says how an iteration ended.
type Convergence struct {
	// Iterations is how often the scores were made of those before.
	Iterations int `json:"iterations"`
	// Residual is how far the scores are from those that another iteration makes of them: the largest difference, relative
	// to the score. See the measures in docs/semantics.md.
	Residual float64 `json:"residual"`
}

// Limits of an iteration where a request names none.
const (
	DefaultIterations = 1000
	DefaultResidual   = 1e-10
	DefaultDamping    = 0.85
)

// IterationLimits returns the most iterations of a request, and the residual at which they end.
func (r Request) IterationLimits() (iterations int, residual float64) {
	iterations, residual = DefaultIterations, DefaultResidual
	if r.Iterations != nil {
		iterations = *r.Iterations
	}
	if r.Residual != nil {
		residual = *r.Residual
	}
	return iterations, residual
}

// NotConverged is the error of an iteration that did not end within its limits.
type NotConverged struct {
	Measure string
	Convergence
	// Wanted is the residual that was asked for.
	Wanted float64
	// Why is one line on what keeps it from converging; "" where more iterations may help.
	Why string
}

func (e *NotConverged) Error() string {
	why := e.Why
	if why == "" {
		why = "allow more iterations, or a larger residual"
	}
	return fmt.Sprintf("%s has not converged after %d iterations: the residual is %.2g, above %g; %s",
		e.Measure, e.Iterations, e.Residual, e.Wanted, why)
}

// DampingFactor returns the damping of a request.
func (r Request) DampingFactor() float64 {
	if r.Damping != nil {
		return *r.Damping
	}
	return DefaultDamping
}
