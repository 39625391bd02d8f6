package rank

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// PageRank computes PageRank (Page et al., 1999) or ArticleRank (Li and Willett, 2009), by the kind of the measure. Requests that share
// are solved 8 at a time, with the same bits as one by one.
func PageRank(ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int) ([]float64, kernels.Convergence, error) {
	group, all := 0, []kernels.Request{r}
	if r.Shared != nil {
		group = r.Place / lanes * lanes
		all = r.Shared.Requests[group:min(group+lanes, len(r.Shared.Requests))]
	}
	found, err := kernels.Make(r.Shared, group, func() ([]outcome, error) { return pageRanks(ctx, m, g, r, all, threads) })
	if err != nil {
		return nil, kernels.Convergence{}, err
	}
	out := found[r.Place-group]
	return out.scores, out.ended, named(out.err, m)
}

// pageRanks solves requests that differ only in their restarts and in what their scores sum to. r reports the progress.
func pageRanks(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, all []kernels.Request, threads int,
) ([]outcome, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	s, err := spreadOf(m, g, r)
	if err != nil {
		return nil, err
	}
	y := &system{
		matrix: newMatrix(g.Transpose(), s.factors, threads, stop), share: s.share, all: 1, bound: s.bound, base: 1 - s.damping,
	}
	own, most := make([][]float64, len(all)), make([]float64, len(all))
	for i, one := range all {
		if most[i] = 1; one.Sources != nil {
			own[i], most[i] = restarts(one, g.N(), y.base)
		}
	}
	out, err := y.solveAll(r, own)
	for i := range out {
		out[i].scale(all[i], most[i])
	}
	return out, err
}

// solveAll solves a system with the restarts of each.
func (s *system) solveAll(r kernels.Request, restarts [][]float64) ([]outcome, error) {
	if len(restarts) > 1 {
		return newBatch(s, fastKernel(), restarts).solve(r, len(restarts))
	}
	s.restart = restarts[0]
	x, ended, err := s.solve(r)
	if stopped := s.stop.Err(); stopped != nil {
		return nil, stopped
	}
	return []outcome{{x, ended, err}}, nil
}

// scale multiplies the scores with a factor, or makes them sum to 1 as a request may ask.
func (o *outcome) scale(r kernels.Request, by float64) {
	if r.Variant == kernels.Probability && o.err == nil {
		by = 1 / total(o.scores)
	}
	for v := range o.scores {
		o.scores[v] *= by
	}
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
