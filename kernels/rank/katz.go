package rank

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Katz computes Katz's index (Katz, 1953): scores = 1 + alpha·matrix·scores.
func Katz(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int,
) ([]float64, kernels.Convergence, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	e, err := walksOf(g, r)
	if err != nil {
		return nil, kernels.Convergence{}, err
	}
	in := g.Transpose()
	x, ended, err := (&system{newMatrix(in, e.Factors(in), threads, stop), e}).solve(r)
	if err != nil {
		return nil, kernels.Convergence{}, e.Explained(err, m, g, threads)
	}
	return x, ended, nil
}

// alphaOf returns the factor of an arc. Its default is under 1 / the largest eigenvalue of any graph, since the largest
// sum of a row bounds that.
func alphaOf(r kernels.Request, most float64) float64 {
	switch {
	case r.Alpha != nil:
		return *r.Alpha
	case most == 0:
		return kernels.DefaultDamping
	}
	return kernels.DefaultDamping / most
}

// entering returns the largest sum of the weights of arcs that enter a node.
func entering(g *export.Graph, weighted bool) (most float64, err error) {
	sums := make([]float64, g.N())
	if err := strengths(g.Transpose(), weighted, sums); err != nil || len(sums) == 0 {
		return 0, err
	}
	return slices.Max(sums), nil
}

func weightsOf(g *export.Graph, weighted bool) []float64 {
	if weighted {
		return g.Weights
	}
	return nil
}

// Explained returns the error of a solution that was not found, with the name of the measure. It adds whether a factor
// of Katz's index is the reason.
func (e *Equation) Explained(err error, m kernels.Measure, g *export.Graph, threads int) error {
	not := (*kernels.NotConverged)(nil)
	if !errors.As(err, &not) || m.Kind != kernels.KatzSums {
		return named(err, m)
	}
	stop := stopper.New(context.Background())
	defer stop.Release()
	in := g.Transpose()
	p := newPower(newMatrix(in, e.Factors(in), threads, stop))
	for range eigenvalueSteps {
		p.step()
	}
	if e.All*p.value >= 1-not.Wanted {
		not.Why = fmt.Sprintf("alpha %g is too large, it must be under about %.3g, 1 / the largest eigenvalue",
			e.All, 1/p.value)
	}
	return named(err, m)
}

// eigenvalueSteps is how many steps tell an eigenvalue for a hint.
const eigenvalueSteps = 100
