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

// prepareReduced prepares searches of what exact reductions leave: of whole blocks from many sources at a time, where
// that pays, and otherwise core by core. Both can be reused, each by itself.
func prepareReduced(ctx context.Context, t task, plan *reductions.Plan) (problem, error) {
	byCores := reducedPaths{t, plan}
	if !plan.Reduced.Whole() || t.request.Weighted {
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
	r := t.request
	all := kernels.Request{Nodes: true, Edges: r.Edges, Threads: r.Threads, Progress: r.Progress}
	p := &reducedBatches{paths: byCores, union: union, way: way, request: all,
		bounds: kernels.BoundsOf(union.Graph, all, 0)}
	p.bounds.Mass = float64(t.graph.N())
	return p, nil
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

func (p reducedPaths) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	return p.plan.Reduced.SearchPart(ctx, shard.Part,
		&reduce.Partial{Passes: into.Nodes, Through: into.Edges, Alone: into.Alone})
}

// reuse leaves out what the store has of the search.
func (p reducedPaths) reuse(_ context.Context, store *reuse.Store) (*reuse.Amount, error) {
	return p.plan.Reuse(func(r *reduce.Reduced) reuse.Amount { return r.Reuse(store) }), nil
}

func (p reducedPaths) finish(all *kernels.Partial) (*kernels.Scores, error) {
	plan := p.plan.Reduced
	flows := plan.Flows(&reduce.Partial{Passes: all.Nodes, Through: all.Edges, Alone: all.Alone})
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
	union *reduce.Union // of the blocks that are to be searched
	way   lanes.Way
	// request asks for the sums over all ordered pairs of the graph that is left.
	request kernels.Request
	// bounds are of all blocks. So the sums of a block have the same bits whether or not others are searched.
	bounds kernels.Bounds
}

func (p *reducedBatches) empty() *kernels.Partial {
	g := p.union.Graph
	return kernels.NewPartial(p.paths.measure, g.N(), g.M(), p.request, p.bounds)
}

// reuse leaves out what the store has of the search.
func (p *reducedBatches) reuse(_ context.Context, store *reuse.Store) (*reuse.Amount, error) {
	scale, edges := p.empty().Scale(), p.paths.request.Edges
	found := p.paths.plan.Reuse(func(r *reduce.Reduced) reuse.Amount {
		return r.ReuseInUnion(store, int(p.way), scale, edges)
	})
	union, err := p.paths.plan.Reduced.UnionLeft()
	if err == nil {
		p.union = union
	}
	return found, err
}

func (p *reducedBatches) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	r := p.request
	if p.union.Graph.N() == 0 { // all blocks are known
		return nil
	}
	r.Pairs = &kernels.Pairs{Demand: &kernels.Demand{Sources: p.union.Omega, Targets: p.union.Omega}}
	return addInLanes(ctx, p.union.Graph, p.way, lengths.Hops{}, r, shard, into)
}

func (p *reducedBatches) finish(all *kernels.Partial) (*kernels.Scores, error) {
	plan, edges := p.paths.plan.Reduced, make([]float64, p.union.Graph.M())
	if all.Edges != nil {
		edges = all.Edges.Values()
	}
	flows, err := plan.UnionFlows(p.union, all.Nodes.Values(), edges)
	if err != nil {
		return nil, err
	}
	nodes, edges := plan.Scores(flows)
	if all.Edges != nil {
		if err := plan.Check(nodes, edges); err != nil {
			return nil, err
		}
	}
	plan.KeepFlows(flows)
	return p.paths.scores(nodes, edges)
}
