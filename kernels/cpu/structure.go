package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/structure"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// prepareStructure prepares a measure of the graph's structure; see kernels/structure. The numbers of its partial
// result are the scores of nodes, and then those of edges.
func prepareStructure(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	n, edges := t.graph.N(), 0
	if t.request.Edges {
		edges = t.graph.M()
	}
	compute := func(ctx context.Context, into *kernels.Partial) error {
		nodes, edges, err := structure.Find(ctx, t.measure, t.graph, t.request, workers.Threads(t.request))
		copy(into.Alone, nodes)
		copy(into.Alone[n:], edges)
		return err
	}
	return undivided{n + edges, compute, func(values []float64) (*kernels.Scores, error) {
		out := t.scores()
		copy(out.Nodes, values)
		copy(out.Edges, values[n:])
		return out, nil
	}}, t.measure.CheckGraph(t.graph)
}

// structureBytes bounds the memory besides the graph.
func structureBytes(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return 8*(g.Nodes+g.Edges) + structure.Bytes(m, g, workers.Threads(r))
}
