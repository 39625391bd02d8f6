package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/moves"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// moved are groups that nodes join one after the other; see kernels/moves. They are not divided: the first shard does it all.
type moved struct {
	task
	run *moves.Run
}

func groupsByMoves() method {
	return method{
		func(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
			r.Threads = workers.Threads(r)
			return scoreBytes(g, r) + moves.Bytes(m, g, r)
		},
		func(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
			return moved{t, moves.NewRun(t.measure, t.graph, t.request, workers.Threads(t.request))}, nil
		},
	}
}

func (p moved) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if shard.Index > 0 {
		return nil
	}
	return p.run.Find(ctx, into.Alone)
}

func (p moved) finish(all *kernels.Partial) (*kernels.Scores, error) {
	out := p.scores()
	out.Grouping = p.run.Grouping(all.Alone)
	copy(out.Nodes, all.Alone)
	if p.request.Edges {
		out.Edges = out.Grouping.Flags(p.graph)
	}
	return out, nil
}
