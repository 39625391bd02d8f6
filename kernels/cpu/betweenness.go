package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hugepages"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/dependencies"
	"github.com/linchpin-graph/linchpin/kernels/detours"
	"github.com/linchpin-graph/linchpin/kernels/lanes"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/pairs"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// prepareBetweenness prepares Brandes' algorithm (Brandes, A faster algorithm for betweenness centrality, 2001, and On
// variants of shortest-path betweenness centrality and their generic computation, 2008): a search from every source
// counts shortest paths; in reverse order each node hands the dependency of the source on it to the nodes before it.
// Undirected graphs are reduced first where that pays.
func prepareBetweenness(ctx context.Context, t task, plan *reductions.Plan) (problem, error) {
	var err error
	if plan == nil {
		if plan, err = reductions.PlanBetweenness(ctx, t.graph, t.request); err != nil {
			return nil, err
		}
	}
	if plan.Reduced == nil && t.reuses() {
		return prepareComponents(ctx, t, plan.Lengths, plan.About)
	}
	if plan.Reduced == nil {
		return plain{task: t, lengths: plan.Lengths, about: plan.About}, nil
	}
	return prepareReduced(ctx, t, plan)
}

// addDependencies sums over ordered pairs by a search from every source of a shard.
func addDependencies(
	ctx context.Context, g *export.Graph, r kernels.Request, shard kernels.Shard, l lengths.Lengths, into *kernels.Partial,
) error {
	g, l, err := detours.Without(ctx, g, l, r.SourceCount(g.N()), workers.Threads(r))
	if err != nil {
		return err
	}
	way, err := lanes.Choose(ctx, g, l, r.Sources)
	if err != nil {
		return err
	}
	if way != lanes.Single {
		return addInLanes(ctx, g, way, l, r, shard, into)
	}
	var places []int32
	if order.NearPays(int64(g.N()), r.SourceCount(g.N())) && order.LikelyDepth(g).Deep {
		places = order.Near(g)
		near := g.InOrder(places)
		g, l, r.Sources = near.Graph, lengths.Pick(l, near.Arcs), near.At(r.Sources)
	}
	newSearch, results := search.Of(g, l), workers.NewResults(into)
	return workers.OverShard(ctx, g.N(), workers.ChunkSize(r.SourceCount(g.N())), r, shard,
		func(stop *stopper.Stopper) workers.Worker {
			w := newBetweennessWorker(g, r, newSearch(true, stop), stop, results.One())
			w.reach.Places = places
			return w
		})
}

// betweennessWorker sums the dependencies of a chunk of sources.
type betweennessWorker struct {
	*workers.Result
	g            *export.Graph
	search       search.Search
	found        *dependencies.Finder
	endpoints    bool
	nodes, edges []float64
	reach        workers.Reach
	totals       kernels.Totals
}

func newBetweennessWorker(
	g *export.Graph, r kernels.Request, s search.Search, stop *stopper.Stopper, result *workers.Result,
) *betweennessWorker {
	w := &betweennessWorker{
		g: g, search: s, found: dependencies.NewFinder(g, s, stop), endpoints: r.Endpoints, Result: result,
		reach: workers.NewReach(g.N()),
	}
	if r.Nodes {
		w.nodes = hugepages.Of(make([]float64, g.N()))
	}
	if r.Edges {
		w.edges = make([]float64, g.M())
	}
	return w
}

func (w *betweennessWorker) Source(s int32) error {
	p, err := w.found.From(s, w.nodes, w.edges)
	if err != nil {
		return err
	}
	pairs.CountAll(&w.totals, p, w.search)
	w.reach.Add(p.Order)
	if w.endpoints && w.nodes != nil {
		w.nodes[s] += float64(len(p.Order) - 1)
		for _, t := range p.Order[1:] {
			w.nodes[t]++
		}
	}
	return nil
}

func (w *betweennessWorker) Merge() error {
	w.Add(func(into *kernels.Partial) {
		w.reach.Move(w.g, into.Nodes, w.nodes, into.Edges, w.edges)
		pairs.JoinTotals(into, &w.totals)
	})
	return nil
}

// betweennessBytes bounds the memory besides the graph.
func betweennessBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	perThread := search.Bytes(g.Nodes, g.Edges, r.Weighted, true) + 18*g.Nodes + scoreBytes(g, r)
	perThread += workers.OwnBytes(scoreBytes(g, r) / 8)
	plain := int64(workers.Threads(r)) * perThread
	if sources := r.SourceCount(int(g.Nodes)); r.Pairs == nil && lanes.MayPay(int64(sources), r.Weighted) {
		plain += lanes.Bytes(g.Nodes, g.Edges, sources, workers.Threads(r), g.Directed, r.Edges)
	}
	if order.NearPays(g.Nodes, r.SourceCount(int(g.Nodes))) {
		plain += order.NearBytes(g.Nodes, 2*g.Edges, r.Weighted)
	}
	if r.Weighted {
		plain += detours.Bytes(g.Nodes, g.Edges, g.Directed, workers.Threads(r))
	}
	return scoreBytes(g, r) + lengths.Bytes(g.Edges, g.Directed, r.Weighted) + pairBytes(g, r) + reuseBytes(g, r) +
		max(plain, reductions.Bytes(g, r))
}
