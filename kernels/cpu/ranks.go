package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/rank"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// ranks iterates until scores stay as they are; see kernels/rank. It is not divided: the first shard does it all.
type ranks struct {
	task
	ended *kernels.Convergence
}

func prepareRanks(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	return &ranks{task: t}, nil
}

func (p *ranks) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) (err error) {
	if shard.Index > 0 {
		return nil
	}
	into.Alone, p.ended, err = rank.Compute(ctx, p.measure, p.graph, p.request, workers.Threads(p.request))
	return err
}

func (p *ranks) finish(all *kernels.Partial) (*kernels.Scores, error) {
	out := &kernels.Scores{Nodes: all.Alone, Convergence: p.ended}
	return out, kernels.CheckFinite(p.measure.Name, p.graph, out, false)
}

func rankBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return scoreBytes(g, r) + rank.Bytes(g, r.Weighted)
}
