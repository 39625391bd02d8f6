package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// Approximate is cpu.ApproximateBetweenness. The task's measure is betweenness, and its device the CPU. It finds its
// own sources, which are in the estimate.
func (e *Engine) Approximate(ctx context.Context, t Task, a cpu.Approximation) (*Outcome, *cpu.Estimate, error) {
	t.Measure = sampled
	m, err := checkTask(t)
	if err != nil {
		return nil, nil, err
	}
	start := time.Now()
	t.Request.Scale = 0
	scores, estimate, err := cpu.ApproximateBetweenness(ctx, t.Snapshot.Graph, t.Request, a)
	if err != nil {
		return nil, nil, export.NameNodes(err, t.Snapshot.Nodes)
	}
	out := &Outcome{
		Scores: scores, Device: "cpu", Reason: "samples with a bound are drawn on the CPU",
		Remark: fmt.Sprintf("sampled from %d sources", estimate.Sources), Compute: time.Since(start).Seconds(),
	}
	if estimate.Sources == 1 {
		out.Remark = "sampled from 1 source"
	}
	t.Request = estimate.Request
	return out, estimate, export.NameNodes(checkOnCPU(m, t, scores), t.Snapshot.Nodes)
}
