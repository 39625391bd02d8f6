package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/flow"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// currents are measures of electrical flow; see kernels/flow. They are not divided: the first shard does it all.
type currents struct {
	task
	run *flow.Run
}

func prepareFlow(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	run, err := flow.NewRun(t.measure, t.graph, t.request, workers.Threads(t.request))
	return currents{t, run}, err
}

func (p currents) empty() *kernels.Partial { return kernels.NewAlone(flow.Values(p.graph)) }

func (p currents) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if shard.Index > 0 {
		return nil
	}
	return p.run.Compute(ctx, into.Alone)
}

func (p currents) finish(all *kernels.Partial) (*kernels.Scores, error) {
	out := p.run.Scores(all.Alone)
	return out, flow.Check(p.measure, p.graph, p.request, out)
}

// flowBytes bounds the memory besides the graph.
func flowBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return scoreBytes(g, r) + flow.Bytes(g, workers.Threads(r))
}
