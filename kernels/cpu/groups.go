package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/communities"
	"github.com/linchpin-graph/linchpin/kernels/moves"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// groupsByCuts cuts edges until the graph is in groups; see kernels/communities.
func groupsByCuts() method {
	return method{
		func(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
			return scoreBytes(g, r) + communities.Bytes(g, r.Weighted)
		},
		func(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
			run, err := communities.NewRun(t.graph, t.request, workers.Threads(t.request), nil)
			compute := func(ctx context.Context, into *kernels.Partial) error { return run.Cut(ctx, into.Alone) }
			return undivided{t.graph.N(), compute, func(groups []float64) (*kernels.Scores, error) {
				grouping, ties := run.Grouping(groups)
				out := t.ofGroups(groups, grouping)
				out.Ties = ties
				return out, nil
			}}, err
		},
	}
}

// groupsByMoves has nodes join groups one after the other; see kernels/moves.
func groupsByMoves() method {
	return method{
		func(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
			r.Threads = workers.Threads(r)
			return scoreBytes(g, r) + moves.Bytes(m, g, r)
		},
		func(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
			run := moves.NewRun(t.measure, t.graph, t.request, workers.Threads(t.request))
			compute := func(ctx context.Context, into *kernels.Partial) error { return run.Find(ctx, into.Alone) }
			return undivided{t.graph.N(), compute, func(groups []float64) (*kernels.Scores, error) {
				return t.ofGroups(groups, run.Grouping(groups)), nil
			}}, nil
		},
	}
}

// ofGroups makes the scores of the group of each node.
func (t task) ofGroups(groups []float64, all *kernels.Grouping) *kernels.Scores {
	out := t.scores()
	out.Grouping = all
	copy(out.Nodes, groups)
	if t.request.Edges {
		out.Edges = all.Flags(t.graph)
	}
	return out
}
