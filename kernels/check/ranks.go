package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// checkRanks verifies that no score is under 0, that the iteration ended where it was to, and what all scores add up
// to.
func checkRanks(m kernels.Measure, g *export.Graph, r kernels.Request, s *kernels.Scores) error {
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
	case kernels.PageRanks, kernels.ArticleRanks:
		got, want, slack = balance(m, g, r, s.Nodes)
	case kernels.KatzSums:
		got, want = min(1, slices.Min(s.Nodes)), 1
	default:
		for _, x := range s.Nodes {
			got += x * x
		}
		if want = 1; m.Kind == kernels.HubsAndAuthorities && g.M() == 0 {
			want = 0
		}
	}
	if math.Abs(got-want) > slack+tolerance*math.Abs(want) {
		return fmt.Errorf("%s: the scores make %g in all, and should make %g", m.Name, got, want)
	}
	return nil
}

// balance returns what all PageRanks sum to, and what restarts and arcs bring, which is the same but for the residual
// of each score.
func balance(m kernels.Measure, g *export.Graph, r kernels.Request, scores []float64) (got, want, slack float64) {
	got = total(scores)
	if r.Variant == kernels.Probability {
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
	if m.Kind == kernels.ArticleRanks {
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
