package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// prepareReduced prepares searches of what exact reductions leave: of whole blocks from many sources at a time, where that
// pays, and otherwise core by core, which is also what can be reused.
func prepareReduced(ctx context.Context, t task, plan *reductions.Plan) (problem, error) {
	byCores := reducedPaths{t, plan}
	if !plan.Reduced.Whole() || t.request.Weighted || t.request.Reuse != nil {
		return byCores, nil
	}
	union, err := plan.Reduced.Union()
	if err != nil {
		return nil, err
	}
	way, err := lanes.Choose(ctx, union.Graph, lengths.Hops{}, nil)
	if err != nil || way == lanes.Single {
		return byCores, err
	}
	return reducedBatches{byCores, union, way}, nil
}

// reducedPaths searches what exact reductions leave.
type reducedPaths struct {
	task
	plan *reductions.Plan
}

func (p reducedPaths) empty() *kernels.Partial {
	x := p.plan.Reduced.NewPartial()
	return &kernels.Partial{Nodes: x.Passes, Edges: x.Through, Alone: x.Alone}
}

// own is a partial result as kernels/reduce has it.
func (reducedPaths) own(p *kernels.Partial) *reduce.Partial {
	return &reduce.Partial{Passes: p.Nodes, Through: p.Edges, Alone: p.Alone}
}

func (p reducedPaths) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	return p.plan.Reduced.SearchPart(ctx, shard.Part, p.own(into))
}

// reuse leaves out what the store has of the search.
func (p reducedPaths) reuse(store *reuse.Store) { p.plan.Reuse(store) }

func (p reducedPaths) finish(all *kernels.Partial) (*kernels.Scores, error) {
	plan := p.plan.Reduced
	flows := plan.Flows(p.own(all))
	nodes, edges := plan.Scores(flows)
	if err := plan.Check(nodes, edges); err != nil {
		return nil, err
	}
	plan.KeepFlows(flows)
	return p.scores(nodes, edges)
}

// scores are those of the request, from sums over unordered pairs.
func (p reducedPaths) scores(nodes, edges []float64) (*kernels.Scores, error) {
	plan, out := p.plan.Reduced, &kernels.Scores{Ties: p.plan.Lengths.Ties(), Reduction: p.plan.About}
	byNode, byEdge := kernels.BetweennessFactors(p.graph, p.request)
	if p.request.Nodes {
		out.Nodes = nodes
	}
	if p.request.Edges {
		out.Edges = edges
	}
	scale(out.Nodes, 2*byNode) // twice, because sums over sources are of ordered pairs
	scale(out.Edges, 2*byEdge)
	out.Totals = kernels.Totals{Pairs: plan.Info.Pairs, NoDistance: true}
	return out, kernels.CheckFinite(p.measure.Name, p.graph, out, false)
}

// reducedBatches searches whole blocks, side by side in one graph, from many sources at a time.
type reducedBatches struct {
	paths reducedPaths
	union *reduce.Union
	way   lanes.Way
}

// request asks for the sums over all ordered pairs of the graph that is left.
func (p reducedBatches) request() kernels.Request {
	r := p.paths.request
	return kernels.Request{Nodes: true, Edges: r.Edges, Threads: r.Threads, Progress: r.Progress}
}

func (p reducedBatches) empty() *kernels.Partial {
	g, r := p.union.Graph, p.request()
	bounds := kernels.BoundsOf(g, r, 0)
	bounds.Mass = float64(p.paths.graph.N())
	return kernels.NewPartial(p.paths.measure, g.N(), g.M(), r, bounds)
}

func (p reducedBatches) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	r := p.request()
	r.Pairs = &kernels.Pairs{Demand: &kernels.Demand{Sources: p.union.Omega, Targets: p.union.Omega}}
	return addInLanes(ctx, p.union.Graph, p.way, lengths.Hops{}, r, shard, into)
}

func (p reducedBatches) finish(all *kernels.Partial) (*kernels.Scores, error) {
	plan, edges := p.paths.plan.Reduced, make([]float64, p.union.Graph.M())
	if all.Edges != nil {
		edges = all.Edges.Values()
	}
	nodes, edges, err := plan.FromUnion(p.union, all.Nodes.Values(), edges)
	if err != nil {
		return nil, err
	}
	if all.Edges != nil {
		if err := plan.Check(nodes, edges); err != nil {
			return nil, err
		}
	}
	return p.paths.scores(nodes, edges)
}
