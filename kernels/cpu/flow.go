package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/flow"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// prepareFlow prepares a measure of electrical flow; see kernels/flow.
func prepareFlow(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	run, err := flow.NewRun(t.measure, t.graph, t.request, workers.Threads(t.request))
	compute := func(ctx context.Context, into *kernels.Partial) error { return run.Compute(ctx, into.Alone) }
	return undivided{flow.Values(t.graph), compute, func(values []float64) (*kernels.Scores, error) {
		out := run.Scores(values)
		return out, flow.Check(t.measure, t.graph, t.request, out)
	}}, err
}

// flowBytes bounds the memory besides the graph.
func flowBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return scoreBytes(g, r) + flow.Bytes(g, workers.Threads(r))
}
