package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/communities"
)

// grouping cuts edges until the graph is in groups; see kernels/communities. It is not divided: the first shard does it all.
type grouping struct {
	task
	run *communities.Run
}

func (p grouping) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if shard.Index > 0 {
		return nil
	}
	return p.run.Cut(ctx, into.Alone)
}

func (p grouping) finish(all *kernels.Partial) (*kernels.Scores, error) {
	out := p.scores()
	out.Grouping, out.Ties = p.run.Grouping(all.Alone)
	copy(out.Nodes, all.Alone)
	if p.request.Edges {
		out.Edges = out.Grouping.Flags(p.graph)
	}
	return out, nil
}
