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
	e, err := spreadOf(m, g, r)
	if err != nil {
		return nil, err
	}
	y := &system{newMatrix(g.Transpose(), e.Factors(g.Transpose()), threads, stop), e}
	own, most := make([][]float64, len(all)), make([]float64, len(all))
	for i, one := range all {
		if most[i] = 1; one.Sources != nil {
			own[i], most[i] = restarts(one, g.N(), y.Base)
		}
	}
	out, err := y.solveAll(r, own)
	for i := range out {
		if e.Most = most[i]; out[i].err == nil {
			e.Finish(all[i], out[i].scores)
		}
	}
	return out, err
}

// solveAll solves a system with the restarts of each.
func (s *system) solveAll(r kernels.Request, restarts [][]float64) ([]outcome, error) {
	if len(restarts) > 1 {
		return newBatch(s, fastKernel(), restarts).solve(r, len(restarts))
	}
	s.Restart = restarts[0]
	x, ended, err := s.solve(r)
	if stopped := s.stop.Err(); stopped != nil {
		return nil, stopped
	}
	return []outcome{{x, ended, err}}, nil
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
