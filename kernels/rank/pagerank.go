package rank

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// PageRank computes PageRank (Page et al., 1999) or ArticleRank (Li and Willett, 2009), by the kind of the measure.
func PageRank(ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int) ([]float64, kernels.Convergence, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	s, err := spreadOf(m, g, r)
	if err != nil {
		return nil, kernels.Convergence{}, err
	}
	y := &system{
		matrix: newMatrix(g.Transpose(), s.factors, threads, stop), share: s.share, all: 1, bound: s.bound, base: 1 - s.damping,
	}
	most := 1.0
	if r.Sources != nil {
		y.restart, most = restarts(r, g.N(), y.base)
	}
	x, ended, err := y.solve(r)
	if err != nil {
		return nil, ended, named(err, m)
	}
	if r.Variant == kernels.Probability {
		most = 1 / total(x)
	}
	for v := range x {
		x[v] *= most
	}
	return x, ended, nil
}

// restarts are what nodes have of themselves. The largest is base, so that residuals are relative to it; scores are to be multiplied by
// the largest share.
func restarts(r kernels.Request, n int, base float64) (restart []float64, most float64) {
	restart, most = make([]float64, n), 1
	if r.Shares != nil {
		most = slices.Max(r.Shares)
	}
	for i, v := range r.Sources {
		if restart[v] = base; r.Shares != nil {
			restart[v] = base * (r.Shares[i] / most)
		}
	}
	return restart, most
}

// spread is how nodes share out their scores: by a factor per arc, or else per node.
type spread struct {
	factors []float64
	share   []float64
	damping float64
	bound   float64
}

// spreadOf finds what each arc is given of a score.
func spreadOf(m kernels.Measure, g *export.Graph, r kernels.Request) (*spread, error) {
	s := &spread{damping: r.DampingFactor(), share: make([]float64, g.N())}
	if !g.Directed { // similar to a symmetric matrix, whose eigenvalues are real
		s.bound = s.damping
	}
	sums, more := s.share, 0.0
	if err := strengths(g, r.Weighted, sums); err != nil {
		return nil, named(err, m)
	}
	if m.Kind == kernels.ArticleRanks && len(sums) > 0 {
		more = total(sums) / float64(len(sums))
	}
	for v, sum := range sums {
		sums[v] = sum + more
	}
	if r.Weighted && g.Weights != nil {
		s.byWeights(g.Transpose())
		return s, nil
	}
	for v, sum := range sums {
		if sums[v] = 0; sum > 0 {
			s.share[v] = s.damping / sum
		}
	}
	return s, nil
}

// byWeights has a factor per arc: quotients of weights neither overflow nor vanish, whatever their unit.
func (s *spread) byWeights(rows *export.Graph) {
	sums := s.share
	s.share, s.factors = nil, make([]float64, rows.Arcs())
	for i, u := range rows.Targets {
		s.factors[i] = s.damping * (rows.Weights[i] / sums[u])
	}
}
