package kernels

import (
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// Convergence says how an iteration ended.
type Convergence struct {
	// Iterations is how often the scores were made of those before.
	Iterations int `json:"iterations"`
	// Residual is how far the scores are from those that another iteration makes of them: the largest difference, relative to
	// the score. See the measures in docs/semantics.md.
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

// checkRanks verifies that no score is under 0, that the iteration ended where it was to, and what all scores add up to.
func checkRanks(m Measure, g *export.Graph, r Request, s *Scores) error {
	if v := slices.IndexFunc(s.Nodes, func(x float64) bool { return x < 0 }); v >= 0 {
		return export.NewNodesError(nil, m.Name+fmt.Sprintf(" of node %%s is %g, under 0", s.Nodes[v]), int32(v))
	}
	c := s.Convergence
	if _, wanted := r.IterationLimits(); c == nil || !(c.Residual <= wanted) {
		return fmt.Errorf("%s: the scores are not known to have converged", m.Name)
	}
	if g.N() == 0 {
		return nil
	}
	var got, want, slack float64
	switch m.Kind {
	case PageRanks, ArticleRanks:
		got, want, slack = r.balance(m, g, s.Nodes)
	case KatzSums:
		got, want = min(1, slices.Min(s.Nodes)), 1
	default:
		for _, x := range s.Nodes {
			got += x * x
		}
		if want = 1; m.Kind == HubsAndAuthorities && g.M() == 0 {
			want = 0
		}
	}
	if math.Abs(got-want) > slack+checkTolerance*math.Abs(want) {
		return fmt.Errorf("%s: the scores make %g in all, and should make %g", m.Name, got, want)
	}
	return nil
}

// balance returns what all PageRanks sum to, and what restarts and arcs bring, which is the same but for the residual of each score.
func (r Request) balance(m Measure, g *export.Graph, scores []float64) (got, want, slack float64) {
	got = total(scores)
	if r.Variant == Probability {
		return got, 1, 0
	}
	sources := float64(r.SourceCount(g.N()))
	if r.Shares != nil {
		sources = total(r.Shares)
	}
	sums := make([]float64, g.N())
	for v := range sums {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			if r.Weighted {
				sums[v] += g.Weight(i)
			} else {
				sums[v]++
			}
		}
	}
	damping, more := r.DampingFactor(), 0.0
	if m.Kind == ArticleRanks {
		more = total(sums) / float64(g.N())
	}
	want = (1 - damping) * sources
	for v, x := range scores {
		if sums[v] > 0 {
			want += damping * x * (sums[v] / (sums[v] + more))
		}
	}
	_, residual := r.IterationLimits()
	return got, want, residual * (got + float64(g.N())*max(1, sources))
}
