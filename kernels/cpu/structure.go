package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/structure"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// structured is a measure of the graph's structure; see kernels/structure. It is not divided: the first shard does it all. Its partial
// result has the scores of nodes, and then those of edges.
type structured struct{ task }

func prepareStructure(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	return structured{t}, t.measure.CheckGraph(t.graph)
}

func (p structured) empty() *kernels.Partial {
	if p.request.Edges {
		return kernels.NewAlone(p.graph.N() + p.graph.M())
	}
	return kernels.NewAlone(p.graph.N())
}

func (p structured) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if shard.Index > 0 {
		return nil
	}
	nodes, edges, err := structure.Find(ctx, p.measure, p.graph, p.request, workers.Threads(p.request))
	copy(into.Alone, nodes)
	copy(into.Alone[p.graph.N():], edges)
	return err
}

func (p structured) finish(all *kernels.Partial) (*kernels.Scores, error) {
	out := p.scores()
	copy(out.Nodes, all.Alone)
	copy(out.Edges, all.Alone[p.graph.N():])
	return out, nil
}

// structureBytes bounds the memory besides the graph.
func structureBytes(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return 8*(g.Nodes+g.Edges) + structure.Bytes(m, g, workers.Threads(r))
}
