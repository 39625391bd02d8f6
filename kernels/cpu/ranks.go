package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/rank"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// prepareRanks prepares iterations until scores stay as they are; see kernels/rank. The last numbers of the partial
// result are those of the convergence.
func prepareRanks(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	n := t.graph.N()
	compute := func(ctx context.Context, into *kernels.Partial) error {
		scores, ended, err := rank.Compute(ctx, t.measure, t.graph, t.request, workers.Threads(t.request))
		if err != nil {
			return err
		}
		copy(into.Alone, scores)
		copy(into.Alone[n:], []float64{float64(ended.Iterations), ended.Residual})
		return nil
	}
	return undivided{n + 2, compute, func(values []float64) (*kernels.Scores, error) {
		ended := &kernels.Convergence{Iterations: int(values[n]), Residual: values[n+1]}
		out := &kernels.Scores{Nodes: values[:n:n], Convergence: ended}
		return out, kernels.CheckFinite(t.measure.Name, t.graph, out, false)
	}}, nil
}

func rankBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return scoreBytes(g, r) + rank.Bytes(g, r)
}
