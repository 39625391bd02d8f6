package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/rank"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// prepareRanks prepares iterations until scores stay as they are; see kernels/rank.
func prepareRanks(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	var ended *kernels.Convergence
	compute := func(ctx context.Context, into *kernels.Partial) (err error) {
		into.Alone, ended, err = rank.Compute(ctx, t.measure, t.graph, t.request, workers.Threads(t.request))
		return err
	}
	return undivided{t.graph.N(), compute, func(values []float64) (*kernels.Scores, error) {
		out := &kernels.Scores{Nodes: values, Convergence: ended}
		return out, kernels.CheckFinite(t.measure.Name, t.graph, out, false)
	}}, nil
}

func rankBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return scoreBytes(g, r) + rank.Bytes(g, r.Weighted)
}
