package rank

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Equation is x = restart + matrix·(share·x), which the scores of PageRank, ArticleRank and Katz's index solve. A row
// of the matrix has the arcs that enter a node. It has one solution where the matrix with its shares is smaller than 1.
type Equation struct {
	// Share multiplies the score of a node before others add it up; where it is nil, all have the factor All.
	Share []float64
	All   float64
	// Weighted reports whether arcs have factors: their weights or, unless Strengths is nil, Damping times their weight
	// over the strength of the node that they leave. Quotients of weights neither overflow nor vanish, in any unit.
	Weighted  bool
	Strengths []float64
	Damping   float64
	// Restart is what each node has of itself; where it is nil, all have Base.
	Restart []float64
	// Base is the largest of Restart. Residuals of smaller scores are relative to it.
	Base float64
	// Bound is under 1, and no eigenvalue is larger; all of them are real. 0 where that is not known.
	Bound float64
	// Most multiplies a solution to make it scores.
	Most float64
}

// EquationOf returns the equation of a request, for kinds that have one.
func EquationOf(m kernels.Measure, g *export.Graph, r kernels.Request) (*Equation, error) {
	switch m.Kind {
	case kernels.PageRanks, kernels.ArticleRanks:
		e, err := spreadOf(m, g, r)
		if err == nil && r.Sources != nil {
			e.Restart, e.Most = restarts(r, g.N(), e.Base)
		}
		return e, err
	case kernels.KatzSums:
		return walksOf(g, r)
	}
	return nil, fmt.Errorf("%s is not the solution of an equation", m.Name)
}

// spreadOf returns the equation of nodes that share out their scores, by a factor per arc, or else per node.
func spreadOf(m kernels.Measure, g *export.Graph, r kernels.Request) (*Equation, error) {
	e := &Equation{Damping: r.DampingFactor(), All: 1, Most: 1, Weighted: r.Weighted && g.Weights != nil}
	if e.Base = 1 - e.Damping; !g.Directed { // similar to a symmetric matrix, whose eigenvalues are real
		e.Bound = e.Damping
	}
	sums, more := make([]float64, g.N()), 0.0
	if err := strengths(g, r.Weighted, sums); err != nil {
		return nil, named(err, m)
	}
	if m.Kind == kernels.ArticleRanks && len(sums) > 0 {
		more = total(sums) / float64(len(sums))
	}
	for v := range sums {
		sums[v] += more
	}
	if e.Weighted {
		e.Strengths = sums
		return e, nil
	}
	for v, sum := range sums {
		if sums[v] = 0; sum > 0 {
			sums[v] = e.Damping / sum
		}
	}
	e.Share = sums
	return e, nil
}

// walksOf returns the equation of Katz's index.
func walksOf(g *export.Graph, r kernels.Request) (*Equation, error) {
	most, err := entering(g, r.Weighted)
	if err != nil {
		return nil, err
	}
	e := &Equation{All: alphaOf(r, most), Base: 1, Most: 1, Weighted: r.Weighted && g.Weights != nil}
	if bound := e.All * most; bound < 1 && !g.Directed {
		e.Bound = bound
	}
	return e, nil
}

// Factors returns the factor of each arc of the rows; nil where all are 1.
func (e *Equation) Factors(rows *export.Graph) []float64 {
	if !e.Weighted || e.Strengths == nil {
		return weightsOf(rows, e.Weighted)
	}
	out := make([]float64, rows.Arcs())
	for i, u := range rows.Targets {
		out[i] = e.Damping * (rows.Weights[i] / e.Strengths[u])
	}
	return out
}

// Finish makes a solution the scores that a request asks for.
func (e *Equation) Finish(r kernels.Request, scores []float64) {
	by := e.Most
	if r.Variant == kernels.Probability {
		by = 1 / total(scores)
	}
	for v := range scores {
		scores[v] *= by
	}
}

// Accelerated returns the weight of the newest scores in an iteration, next to those before it, by that of the
// iteration before: 1 for the first (Chebyshev's semi-iteration; Golub and Varga, 1961).
func (e *Equation) Accelerated(weight float64) float64 {
	half := e.Bound * e.Bound / 2
	if weight != 1 {
		half /= 2
	}
	return 1 / (1 - half*weight)
}

// own is what a node has of itself.
func (e *Equation) own(v int) float64 {
	if e.Restart != nil {
		return e.Restart[v]
	}
	return e.Base
}

func (e *Equation) send(v int, x float64) float64 {
	if e.Share != nil {
		return x * e.Share[v]
	}
	return x * e.All
}
