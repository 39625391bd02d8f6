package rank

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Compute computes the scores of a measure that iterates. The error is *kernels.NotConverged where the iteration does
// not end within its limits.
func Compute(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, threads int,
) ([]float64, *kernels.Convergence, error) {
	if g.N() == 0 {
		return nil, &kernels.Convergence{}, nil
	}
	found := func(scores []float64, ended kernels.Convergence, err error) ([]float64, *kernels.Convergence, error) {
		return scores, &ended, err
	}
	switch m.Kind {
	case kernels.PageRanks, kernels.ArticleRanks:
		return found(PageRank(ctx, m, g, r, threads))
	case kernels.KatzSums:
		return found(Katz(ctx, m, g, r, threads))
	case kernels.Eigenvectors:
		return found(Eigenvector(ctx, m, g, r, threads))
	case kernels.HubsAndAuthorities:
		return found(HITS(ctx, m, g, r, threads))
	}
	return nil, nil, fmt.Errorf("%s does not iterate", m.Name)
}

// Bytes bounds the memory of Compute besides the graph and its transpose.
func Bytes(g kernels.Size, r kernels.Request) int64 {
	bytes := 64 * g.Nodes
	if r.Shared != nil { // rows of the batch, restarts, and scores that others will take
		bytes *= lanes + 1
		bytes += 32 * g.Nodes * int64(min(len(r.Shared.Requests), widest))
	}
	if r.Weighted { // a factor per arc
		bytes += 16 * g.Edges
	}
	return bytes
}
