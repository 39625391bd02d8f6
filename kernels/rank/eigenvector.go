package rank

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Eigenvector computes eigenvector centrality (Bonacich, 1972): the vector that the matrix of the entering arcs
// stretches most.
func Eigenvector(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int,
) ([]float64, kernels.Convergence, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	if _, err := entering(g, r.Weighted); err != nil {
		return nil, kernels.Convergence{}, err
	}
	rows := newMatrix(g.Transpose(), weightsOf(g.Transpose(), r.Weighted), threads, stop)
	p := newPower(rows)
	switch {
	case g.M() == 0: // each vector is one
		return p.x, kernels.Convergence{}, nil
	case g.Directed:
		return p.eigenvector(m, r)
	}
	p.multiply(p.x)
	l := newLeading(rows, p.y, p.apply)
	ended, err := converge(r, stop, l.step)
	if err != nil {
		return nil, ended, named(err, m)
	}
	return l.scores(), ended, nil
}

// eigenvector takes powers: the matrix of a directed graph need not be symmetric.
func (p *power) eigenvector(m kernels.Measure, r kernels.Request) ([]float64, kernels.Convergence, error) {
	ended, err := converge(r, p.rows.stop, p.step)
	if err != nil {
		return nil, ended, named(err, m)
	}
	if p.value <= vanished*p.first {
		return nil, ended,
			errors.New("no cycle of arcs feeds a score, so that all end at 0; use pagerank or katz, or orientation: undirected")
	}
	return p.x, ended, nil
}

// vanished is the share of its first estimate at which an eigenvalue is 0.
const vanished = 1e-6

// power multiplies a vector of length 1 by a matrix, again and again.
type power struct {
	rows *matrix
	// x is the vector, and y its product.
	x, y, sent []float64
	// unit is a power of two in which weights are at most about 1, so that squares do not overflow.
	unit float64
	// value is the length of the product: the eigenvalue, at the end. first is that of the first step.
	value, first float64
	// parts have two numbers of each block.
	parts [][2]float64
}

func newPower(rows *matrix) *power {
	n := rows.graph.N()
	p := &power{
		rows: rows, x: make([]float64, n), y: make([]float64, n), sent: make([]float64, n), unit: unitOf(rows.factors),
		parts: make([][2]float64, rows.count()),
	}
	for v := range p.x {
		p.x[v] = 1 / math.Sqrt(float64(n))
	}
	return p
}

// unitOf returns a power of two about as large as the largest weight.
func unitOf(weights []float64) float64 {
	if len(weights) == 0 {
		return 1
	}
	_, exponent := math.Frexp(slices.Max(weights))
	return math.Ldexp(1, exponent)
}

// step makes the next vector, and returns the largest difference to the one before, relative to the largest score.
//
// The matrix is moved by half of the eigenvalue. The vector stays the same, and in a bipartite graph, or one whose
// cycles have a common length, it does not go to and fro between several.
func (p *power) step() float64 {
	squares, products := p.multiply(p.x)
	length := math.Sqrt(squares)
	if p.value = length * p.unit; p.first == 0 {
		p.first = p.value
	}
	shift := length / 2
	norm := math.Sqrt(squares + 2*shift*products + shift*shift)
	if norm == 0 { // no arc leads on
		return 0
	}
	return p.replace(func(v int) float64 { return (p.y[v] + shift*p.x[v]) / norm })
}

// apply multiplies a vector by the matrix, with weights in units.
func (p *power) apply(in, out []float64) {
	p.rows.each(func(_, first, last int) {
		for v := first; v < last; v++ {
			p.sent[v] = in[v] / p.unit
		}
	})
	p.rows.each(func(_, first, last int) { p.rows.pull(p.sent, out, first, last) })
}

// multiply makes the product of a vector, and returns the sum of its squares and that of its products with x.
func (p *power) multiply(by []float64) (squares, products float64) {
	p.apply(by, p.y)
	p.rows.each(func(block, first, last int) {
		a, b := 0.0, 0.0
		for v := first; v < last; v++ {
			a, b = a+p.y[v]*p.y[v], b+p.y[v]*p.x[v]
		}
		p.parts[block] = [2]float64{a, b}
	})
	for _, part := range p.parts {
		squares, products = squares+part[0], products+part[1]
	}
	return squares, products
}

// replace gives each node a new score, and returns the largest difference, relative to the largest score.
func (p *power) replace(by func(v int) float64) float64 {
	p.rows.each(func(block, first, last int) {
		difference, most := 0.0, 0.0
		for v := first; v < last; v++ {
			x := by(v)
			difference, most = max(difference, math.Abs(x-p.x[v])), max(most, x)
			p.x[v] = x
		}
		p.parts[block] = [2]float64{difference, most}
	})
	var difference, most float64
	for _, part := range p.parts {
		difference, most = max(difference, part[0]), max(most, part[1])
	}
	return difference / most
}

// converge steps until what is left to change is small. Differences shrink by a factor, and where that is near 1, many
// small ones are to come.
func converge(r kernels.Request, stop *stopper.Stopper, step func() float64) (kernels.Convergence, error) {
	most, wanted := r.IterationLimits()
	before := math.Inf(1)
	for k := 1; ; k++ {
		difference := step()
		if err := stop.Err(); err != nil {
			return kernels.Convergence{}, err
		}
		ended := kernels.Convergence{Iterations: k, Residual: difference}
		shrunk := min(difference/before, slowest)
		if difference <= rounding || difference*max(1, shrunk/(1-shrunk)) <= wanted {
			return ended, nil
		}
		if k >= most {
			return ended, &kernels.NotConverged{Convergence: ended, Wanted: wanted}
		}
		before = difference
		progress(r, k, difference)
	}
}

const (
	// rounding is the least difference that is not one of rounding.
	rounding = 4e-16
	// slowest is the factor by which differences shrink at the least, or they are taken to.
	slowest = 1 - 1e-6
)
