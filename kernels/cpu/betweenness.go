package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// betweenness is Brandes' algorithm (Brandes, A faster algorithm for betweenness centrality, 2001, and On variants of
// shortest-path betweenness centrality and their generic computation, 2008): a search from every source counts shortest
// paths; in reverse order each node hands the dependency of the source on it to the nodes before it. Undirected graphs
// are reduced first where that pays.
func betweenness(ctx context.Context, t task) (*kernels.Scores, error) {
	g, r, plan, err := t.graph, t.request, t.plan, error(nil)
	if plan == nil {
		if plan, err = reductions.PlanBetweenness(ctx, g, r); err != nil {
			return nil, err
		}
	}
	out := &kernels.Scores{Ties: plan.Lengths.Ties(), Reduction: plan.About}
	if plan.Reduced == nil {
		p := kernels.NewPartial(t.measure, g.N(), g.M(), r, kernels.BoundsOf(g, r, 0))
		if err := addDependencies(ctx, g, r, kernels.Shard{}, plan.Lengths, p); err != nil {
			return nil, err
		}
		return out, finish(t.measure, g, r, p, out)
	}
	if err := reducedBetweenness(ctx, plan.Reduced, r, out); err != nil {
		return nil, err
	}
	nodes, edges := kernels.BetweennessFactors(g, r)
	scale(out.Nodes, nodes)
	scale(out.Edges, edges)
	return out, kernels.CheckFinite(t.measure.Name, g, out, false)
}

// addDependencies sums over ordered pairs by a search from every source of a shard.
func addDependencies(
	ctx context.Context, g *export.Graph, r kernels.Request, shard kernels.Shard, l lengths.Lengths, into *kernels.Partial,
) error {
	newSearch := search.Of(g, l)
	return overShard(ctx, g.N(), chunkSize(r.SourceCount(g.N())), r, shard, func(stop *stopper.Stopper) worker {
		return newBetweennessWorker(g, r, newSearch(true, stop), stop, into)
	})
}

// reducedBetweenness computes scores by a plan.
func reducedBetweenness(ctx context.Context, plan *reduce.Reduced, r kernels.Request, out *kernels.Scores) error {
	flows, err := plan.Search(ctx)
	if err != nil {
		return err
	}
	nodes, edges := plan.Scores(flows)
	if err := plan.Check(nodes, edges); err != nil {
		return err
	}
	if r.Nodes {
		out.Nodes = nodes
	}
	if r.Edges {
		out.Edges = edges
	}
	scale(out.Nodes, 2) // to ordered pairs, as sums over sources have them
	scale(out.Edges, 2)
	out.Totals = kernels.Totals{Pairs: plan.Info.Pairs, NoDistance: true}
	return nil
}

// dependencies finds what one source depends on: see source.
type dependencies struct {
	g      *export.Graph
	search search.Search
	stop   *stopper.Stopper
	// share is, for a node, (1 + the dependency on it) / its count of paths: what each path to it carries.
	share []float64
	wide  *wideDependencies // made when first needed
}

func newDependencies(g *export.Graph, s search.Search, stop *stopper.Stopper) dependencies {
	return dependencies{g: g, search: s, stop: stop, share: make([]float64, g.N())}
}

// source searches from s and adds the dependencies of s on other nodes to nodes, and on edges to edges; either may be
// nil. It returns the search's findings.
func (d *dependencies) source(s int32, nodes, edges []float64) (*search.Paths, error) {
	if err := d.search.From(s); err != nil {
		return nil, err
	}
	p := d.search.Found()
	if !p.Fit {
		if d.wide == nil {
			d.wide = newWideDependencies(d.g, d.stop)
		}
		return p, d.wide.accumulate(p, nodes, edges)
	}
	for l := len(p.Levels) - 2; l >= 0; l-- {
		if err := d.level(p, l, nodes, edges); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// level handles the nodes of a level, last first, when all that they lead to is done.
func (d *dependencies) level(p *search.Paths, l int, nodes, edges []float64) error {
	down, sigma := powerOfTwo(-p.Shift[l+1]), p.Sigma
	for i := p.Levels[l+1] - 1; i >= p.Levels[l]; i-- {
		if i%stopper.Every == 0 {
			if err := d.stop.Err(); err != nil {
				return err
			}
		}
		v := p.Order[i]
		arcs, row := p.Arcs[p.Start[i]:p.Start[i+1]], d.g.Row(v)
		count, sum := sigma[v]*down, 0.0
		for _, k := range arcs {
			sum += d.share[row[k]]
		}
		if edges != nil {
			first := d.g.Offsets[v]
			for _, k := range arcs {
				edges[d.g.Edge(first+int64(k))] += count * d.share[row[k]]
			}
		}
		dependency := count * sum
		d.share[v] = (1 + dependency) / sigma[v]
		if nodes != nil && i > 0 {
			nodes[v] += dependency
		}
	}
	return nil
}

// betweennessWorker sums the dependencies of a chunk of sources.
type betweennessWorker struct {
	dependencies
	endpoints    bool
	nodes, edges []float64
	reach        reach
	totals       kernels.Totals
	into         *kernels.Partial
}

func newBetweennessWorker(
	g *export.Graph, r kernels.Request, s search.Search, stop *stopper.Stopper, into *kernels.Partial,
) *betweennessWorker {
	w := &betweennessWorker{
		dependencies: newDependencies(g, s, stop), endpoints: r.Endpoints, into: into, reach: newReach(g.N()),
	}
	if into.Nodes != nil {
		w.nodes = make([]float64, g.N())
	}
	if into.Edges != nil {
		w.edges = make([]float64, g.M())
	}
	return w
}

func (w *betweennessWorker) source(s int32) error {
	p, err := w.dependencies.source(s, w.nodes, w.edges)
	if err != nil {
		return err
	}
	countPairs(&w.totals, p, w.search)
	w.reach.add(p.Order)
	if w.endpoints && w.nodes != nil {
		w.nodes[s] += float64(len(p.Order) - 1)
		for _, t := range p.Order[1:] {
			w.nodes[t]++
		}
	}
	return nil
}

func (w *betweennessWorker) merge() error {
	w.reach.move(w.g, w.into.Nodes, w.nodes, w.into.Edges, w.edges)
	moveTotals(&w.into.Totals, &w.totals)
	return nil
}
