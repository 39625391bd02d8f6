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
func Katz(ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int) ([]float64, kernels.Convergence, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	rows, most, err := entering(g, r, threads, stop)
	if err != nil {
		return nil, kernels.Convergence{}, err
	}
	y := &system{matrix: rows, all: alphaOf(r, most), base: 1}
	if bound := y.all * most; bound < 1 && !g.Directed {
		y.bound = bound
	}
	x, ended, err := y.solve(r)
	if err != nil {
		return nil, kernels.Convergence{}, named(tooMuch(err, y), m)
	}
	return x, ended, nil
}

// alphaOf returns the factor of an arc. Its default is under 1 / the largest eigenvalue of any graph, since the largest sum of a row bounds
// that.
func alphaOf(r kernels.Request, most float64) float64 {
	switch {
	case r.Alpha != nil:
		return *r.Alpha
	case most == 0:
		return kernels.DefaultDamping
	}
	return kernels.DefaultDamping / most
}

// entering returns the matrix of the arcs that enter each node, and the largest sum of a row.
func entering(g *export.Graph, r kernels.Request, threads int, stop *stopper.Stopper) (*matrix, float64, error) {
	in := g.Transpose()
	sums := make([]float64, g.N())
	if err := strengths(in, r.Weighted, sums); err != nil {
		return nil, 0, err
	}
	rows := newMatrix(in, weightsOf(in, r), threads, stop)
	if len(sums) == 0 {
		return rows, 0, nil
	}
	return rows, slices.Max(sums), nil
}

func weightsOf(g *export.Graph, r kernels.Request) []float64 {
	if r.Weighted {
		return g.Weights
	}
	return nil
}

// tooMuch adds to an error whether alpha is the reason.
func tooMuch(err error, y *system) error {
	not := (*kernels.NotConverged)(nil)
	if !errors.As(err, &not) {
		return err
	}
	p := newPower(y.matrix)
	for range eigenvalueSteps {
		p.step()
	}
	if y.all*p.value >= 1-not.Wanted {
		not.Why = fmt.Sprintf("alpha %g is too large, it must be under about %.3g, 1 / the largest eigenvalue", y.all, 1/p.value)
	}
	return err
}

// eigenvalueSteps is how many steps tell an eigenvalue for a hint.
const eigenvalueSteps = 100
