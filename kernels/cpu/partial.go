package cpu

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// Partial searches from the sources of a shard of a request, in the graph as it is, and adds what they add up to to a partial result
// of the request. The result has the same bits for any number of threads and of shards.
func Partial(ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, shard kernels.Shard, into *kernels.Partial) error {
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return err
	}
	switch m.Kind {
	case kernels.Dependencies:
		return addDependencies(ctx, g, r, shard, l, into)
	case kernels.FoldedDistances:
		return addFolds(ctx, m, g, r, shard, l, into)
	case kernels.PathCounts:
		return addPathCounts(ctx, g, r, shard, l, into)
	}
	return fmt.Errorf("%s is not a sum over sources", m.Name)
}

// finish makes the scores of the partial result of all sources.
func finish(m kernels.Measure, g *export.Graph, r kernels.Request, p *kernels.Partial, out *kernels.Scores) error {
	if r.Nodes {
		out.Nodes = make([]float64, g.N())
	}
	if r.Edges {
		out.Edges = make([]float64, g.M())
	}
	out.Totals = p.Totals
	return p.Finish(m, g, r, out.Nodes, out.Edges)
}
