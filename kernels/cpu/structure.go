package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/structure"
)

// structured is a measure of the graph's structure; see kernels/structure. It is not divided: the first shard does it all.
type structured struct {
	task
	edges []float64
}

func prepareStructure(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	return &structured{task: t}, t.measure.CheckGraph(t.graph)
}

func (p *structured) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if shard.Index > 0 {
		return nil
	}
	nodes, edges, err := structure.Find(ctx, p.measure, p.graph, p.request, threads(p.request))
	copy(into.Alone, nodes)
	p.edges = edges
	return err
}

func (p *structured) finish(all *kernels.Partial) (*kernels.Scores, error) {
	out := &kernels.Scores{Edges: p.edges}
	if p.request.Nodes {
		out.Nodes = all.Alone
	}
	return out, nil
}

// structureBytes bounds the memory besides the graph.
func structureBytes(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return 8*g.Nodes + structure.Bytes(m, g, threads(r))
}
