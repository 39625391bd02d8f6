package rank

import (
	"context"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Restart is where a PageRank starts again and again.
type Restart struct {
	// Nodes are each there once; nil for all nodes.
	Nodes []int32
	// Shares are those of the nodes, over 0; nil for 1 each.
	Shares []float64
}

// PageRanks computes PageRank (Page et al., 1999) or ArticleRank (Li and Willett, 2009), by the kind of the measure, for every
// restart. Restarts share passes over the arcs, Lanes of them at a time. The sources of the request are not read.
func PageRanks(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int, restarts []Restart,
) ([][]float64, []kernels.Convergence, error) {
	stop := stopper.New(ctx)
	defer stop.Release()
	s, err := spreadOf(m, g, r)
	if err != nil {
		return nil, nil, err
	}
	s.rows = newMatrix(g.Transpose(), s.factors, threads, stop)
	var scores [][]float64
	var ended []kernels.Convergence
	for len(restarts) > 0 {
		count := 1
		solve := solveOne
		if len(restarts) > 1 {
			count, solve = min(Lanes, len(restarts)), solveLanes
		}
		x, c, err := solve(s, r, restarts[:count])
		if err != nil {
			return nil, nil, named(err, m)
		}
		scores, ended, restarts = append(scores, x...), append(ended, c...), restarts[count:]
	}
	if r.Variant == kernels.Probability {
		for _, x := range scores {
			divide(x, total(x))
		}
	}
	return scores, ended, nil
}

// spread is how nodes share out their scores: by a factor per arc, or else per node.
type spread struct {
	rows    *matrix
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

func solveOne(s *spread, r kernels.Request, restarts []Restart) ([][]float64, []kernels.Convergence, error) {
	return solveWidth(&system[one]{pull: s.rows.pull}, s, r, restarts)
}

func solveLanes(s *spread, r kernels.Request, restarts []Restart) ([][]float64, []kernels.Convergence, error) {
	return solveWidth(&system[lanes]{pull: s.rows.pullLanes}, s, r, restarts)
}

func solveWidth[W width](y *system[W], s *spread, r kernels.Request, restarts []Restart) ([][]float64, []kernels.Convergence, error) {
	y.matrix, y.share, y.all, y.bound, y.base = s.rows, s.share, 1, s.bound, 1-s.damping
	if len(restarts) > 1 || restarts[0].Nodes != nil {
		y.restart = make([]W, s.rows.graph.N())
	}
	for l, from := range restarts {
		if y.restart != nil {
			from.put(y.base, func(v int32, x float64) { y.restart[v][l] = x }, len(y.restart))
		}
	}
	x, ended, err := y.solve(r)
	if err != nil {
		return nil, nil, err
	}
	out := make([][]float64, len(restarts))
	for l := range out {
		out[l] = make([]float64, len(x))
		most := restarts[l].most()
		for v := range x {
			out[l][v] = x[v][l] * most
		}
	}
	return out, ended[:len(restarts)], nil
}

// most is the largest share.
func (r Restart) most() float64 {
	if r.Shares == nil {
		return 1
	}
	return slices.Max(r.Shares)
}

// put calls set for every node of n that has a restart of its own. The largest one is base, so that residuals are relative to it.
func (r Restart) put(base float64, set func(v int32, x float64), n int) {
	if r.Nodes == nil {
		for v := range int32(n) {
			set(v, base)
		}
	}
	most := r.most()
	for i, v := range r.Nodes {
		share := most
		if r.Shares != nil {
			share = r.Shares[i]
		}
		set(v, base*(share/most))
	}
}
