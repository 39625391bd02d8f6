package rank

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// PageRank computes PageRank (Page et al., 1999) or ArticleRank (Li and Willett, 2009), by the kind of the measure.
// Requests that share are solved 8 or 64 at a time, with the same bits as one by one.
func PageRank(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int,
) ([]float64, kernels.Convergence, error) {
	group, all := 0, []kernels.Request{r}
	if r.Shared != nil {
		most := together(g, r)
		group = r.Place / most * most
		all = r.Shared.Requests[group:min(group+most, len(r.Shared.Requests))]
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
	out, most, err := y.solveAll(r, all)
	for i := range out {
		if e.Most = most[i]; out[i].err == nil {
			e.Finish(all[i], out[i].scores)
		}
	}
	return out, err
}

// together returns how many requests that share are solved at a time.
func together(g *export.Graph, r kernels.Request) int {
	if g.Directed || r.Weighted && g.Weights != nil {
		return lanes
	}
	return widest
}

// solveAll solves a system with the restarts of each request. most multiplies the scores of each.
func (s *system) solveAll(r kernels.Request, all []kernels.Request) (out []outcome, most []float64, err error) {
	if r.Sources != nil && s.sendsDifferences() {
		d, most := newDifferences(s, all)
		out, err := d.solve(r, len(all))
		return out, most, err
	}
	own, most := make([][]float64, len(all)), make([]float64, len(all))
	for i, one := range all {
		if most[i] = 1; one.Sources != nil {
			own[i], most[i] = restarts(one, s.graph.N(), s.Base)
		}
	}
	if len(all) > 1 {
		out, err = newBatch(s, fastKernel(), own).solve(r, len(all))
		return out, most, err
	}
	s.Restart = own[0]
	x, ended, err := s.solve(r)
	if stopped := s.stop.Err(); stopped != nil {
		return nil, most, stopped
	}
	return []outcome{{x, ended, err}}, most, nil
}

// restarts are what nodes have of themselves.
func restarts(r kernels.Request, n int, base float64) (restart []float64, most float64) {
	restart = make([]float64, n)
	return restart, eachRestart(r, base, func(v int32, x float64) { restart[v] = x })
}

// eachRestart sets what nodes have of themselves. The largest is base, so that residuals are relative to it; scores are
// to be multiplied by the largest share, which it returns.
func eachRestart(r kernels.Request, base float64, set func(v int32, x float64)) (most float64) {
	if most = 1; r.Shares != nil {
		most = slices.Max(r.Shares)
	}
	for i, v := range r.Sources {
		if r.Shares == nil {
			set(v, base)
		} else {
			set(v, base*(r.Shares[i]/most))
		}
	}
	return most
}
