package engine

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// Approximate is samples.Betweenness. The task's measure is betweenness, and its device the CPU. It draws its own
// sample, which the estimate describes.
func (e *Engine) Approximate(ctx context.Context, t Task, a kernels.Accuracy) (*Outcome, *kernels.Estimate, error) {
	t.Measure = sampled
	m, err := checkTask(t)
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	t.Request.Scale = 0
	scores, estimate, err := samples.Betweenness(ctx, t.Snapshot.Graph, t.Request, a)
	if err != nil {
		return nil, nil, export.NameNodes(err, t.Snapshot.Nodes)
	}
	out := &Outcome{
		Scores: scores, Device: "cpu", Reason: "samples with a bound are drawn on the CPU", Remark: estimate.String(),
		Compute: time.Since(start).Seconds(),
	}
	if estimate.Pairs > 0 { // pairs belong to no source, whose totals a check compares
		return out, estimate, nil
	}
	t.Request = estimate.Request
	return out, estimate, export.NameNodes(checkOnCPU(m, t, scores), t.Snapshot.Nodes)
}
