package coordinator

import (
	"context"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
)

// Approximate implements jobs.Engine, on this machine: what is drawn next depends on what was found.
func (e *Engine) Approximate(
	ctx context.Context, t engine.Task, a kernels.Accuracy,
) (*engine.Outcome, *kernels.Estimate, error) {
	return e.Local.Approximate(ctx, t, a)
}

// Adaptive implements jobs.Engine, on this machine: what is drawn next depends on what was found.
func (e *Engine) Adaptive(ctx context.Context, t engine.Task, a adaptive.Sample) (*engine.Outcome, []int32, error) {
	return e.Local.Adaptive(ctx, t, a)
}

// Distances implements jobs.Engine, on this machine: rows are too large to send.
func (e *Engine) Distances(
	ctx context.Context, t engine.Task, row func(int32, []float64) error,
) (*engine.Outcome, error) {
	return e.Local.Distances(ctx, t, row)
}

// SummarizeDistances implements jobs.Engine, on this machine.
func (e *Engine) SummarizeDistances(
	ctx context.Context, t engine.Task,
) (*kernels.DistanceSummary, *engine.Outcome, error) {
	return e.Local.SummarizeDistances(ctx, t)
}
