package cpu

import (
	"context"
	"errors"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/correlation"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/simplify"
)

// Distances of graphs with more nodes are from a sample of so many.
const exactDistances, sampledDistances = 20_000, 1_000

// backbone keeps the edges, or the nodes, of the highest betweenness (Jia et al. 2011). It is not divided: the first shard does
// all searches. The numbers of its partial result are the betweenness of all nodes, and then of all edges.
type backbone struct {
	task
	paths problem // of the betweenness
	// change is nil until search.
	change *kernels.BackboneChange
}

func prepareBackbone(ctx context.Context, t task, plan *reductions.Plan) (problem, error) {
	if t.graph.M() == 0 {
		return nil, errors.New("backbone: the graph has no edges, so there is nothing to keep")
	}
	of, err := betweennessOf(ctx, t, t.graph, plan)
	return &backbone{task: t, paths: of, change: nil}, err
}

// betweennessOf prepares the betweenness of a graph with the weights, threads and reductions of the task.
func betweennessOf(ctx context.Context, t task, g *export.Graph, plan *reductions.Plan) (problem, error) {
	measure, _ := kernels.Lookup("betweenness")
	return prepareBetweenness(ctx, task{measure, g, betweennessRequest(t.request)}, plan)
}

// betweennessRequest asks for the scores of nodes and edges. Nodes are compared before and after.
func betweennessRequest(r kernels.Request) kernels.Request {
	return kernels.Request{
		Params: kernels.Params{Weighted: r.Weighted, Tolerance: r.Tolerance}, Nodes: true, Edges: true,
		Threads: r.Threads, Reduce: r.Reduce, MostLeft: r.MostLeft, Progress: r.Progress,
	}
}

func backboneBytes(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	r = betweennessRequest(r)
	kept := 24*g.Nodes + 48*g.Edges // a graph that is as large, and choices
	return betweennessBytes(m, g, r) + kept + DistanceBytes(g, r)
}

func (p *backbone) empty() *kernels.Partial { return kernels.NewAlone(p.graph.N() + p.graph.M()) }

func (p *backbone) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if shard.Index > 0 {
		return nil
	}
	scores, err := searchAll(ctx, p.paths)
	if err != nil {
		return err
	}
	copy(into.Alone, scores.Nodes)
	copy(into.Alone[p.graph.N():], scores.Edges)
	kept, err := p.choose(into.Alone)
	if err != nil {
		return err
	}
	p.change, err = p.compare(ctx, kept, scores.Nodes)
	return err
}

// searchAll searches a problem in one shard.
func searchAll(ctx context.Context, p problem) (*kernels.Scores, error) {
	all := p.empty()
	if err := p.search(ctx, kernels.Shard{}, all); err != nil {
		return nil, err
	}
	return p.finish(all)
}

// choose makes the backbone of the betweenness of all nodes and edges.
func (p *backbone) choose(scores []float64) (b *kernels.Backbone, err error) {
	r, nodes, edges := p.request, scores[:p.graph.N()], scores[p.graph.N():]
	rule := simplify.Rule{Share: r.KeepShare(), Threshold: r.Threshold, Connected: r.Connected}
	b = &kernels.Backbone{Betweenness: edges}
	if r.Variant == kernels.OfNodes {
		b.Betweenness = nodes
		if b.Nodes, err = simplify.Nodes(nodes, rule); err != nil {
			return nil, errors.New("backbone: " + err.Error())
		}
		b.Edges = simplify.Between(p.graph, b.Nodes)
	} else {
		if b.Edges, err = simplify.Edges(p.graph, edges, rule); err != nil {
			return nil, errors.New("backbone: " + err.Error())
		}
		b.Nodes = simplify.Touched(p.graph, b.Edges)
	}
	b.NodeCount, b.EdgeCount = count(b.Nodes), count(b.Edges)
	if r.Connected && r.Threshold == nil {
		b.Excess = max(0, b.EdgeCount-rule.Count(p.graph.M()))
	}
	return b, nil
}

func count(flags []bool) (n int) {
	for _, flag := range flags {
		if flag {
			n++
		}
	}
	return n
}

// compare finds what became of distances, components and betweenness.
func (p *backbone) compare(ctx context.Context, b *kernels.Backbone, before []float64) (*kernels.BackboneChange, error) {
	part, out := p.graph.With(b.Edges), &kernels.BackboneChange{Sources: p.graph.N()}
	var all, kept []int32
	for v := range int32(p.graph.N()) {
		all = append(all, v)
		if b.Nodes[v] {
			kept = append(kept, v)
		}
	}
	if out.Sampled = len(all) > exactDistances; out.Sampled {
		out.Sources = sampledDistances
		all, kept = drawn(all), drawn(kept)
	}
	var err error
	if err = p.summarize(ctx, p.graph, all, &out.Before); err != nil {
		return nil, err
	}
	if err = p.summarize(ctx, part, kept, &out.After); err != nil {
		return nil, err
	}
	out.After.Components -= int64(p.graph.N() - b.NodeCount) // nodes that were left out have no edges there
	out.Rank, err = p.rank(ctx, part, b.Nodes, before)
	return out, err
}

// drawn returns so many of the nodes that distances are found from them.
func drawn(nodes []int32) (sources []int32) {
	if len(nodes) <= sampledDistances {
		return nodes
	}
	for _, i := range kernels.DrawSources(len(nodes), sampledDistances, 1) {
		sources = append(sources, nodes[i])
	}
	return sources
}

// summarize describes distances from sources.
func (p *backbone) summarize(ctx context.Context, g *export.Graph, sources []int32, out *kernels.DistanceSummary) error {
	r := kernels.Request{Params: kernels.Params{Weighted: p.request.Weighted, Tolerance: p.request.Tolerance}, Threads: p.request.Threads, Sources: sources}
	s, err := SummarizeDistances(ctx, g, r)
	if err != nil {
		return err
	}
	*out = *s
	out.Hops = nil
	out.Components, out.LargestComponent = search.Components(g)
	return nil
}

// rank is the rank correlation of the betweenness of kept nodes, before and after; nil if either does not vary.
func (p *backbone) rank(ctx context.Context, part *export.Graph, kept []bool, before []float64) (*float64, error) {
	t := p.task
	t.request.Progress = nil
	of, err := betweennessOf(ctx, t, part, nil)
	if err != nil {
		return nil, err
	}
	scores, err := searchAll(ctx, of)
	if err != nil {
		return nil, err
	}
	var x, y []float64
	for v, k := range kept {
		if k {
			x, y = append(x, simplify.Level(before[v])), append(y, simplify.Level(scores.Nodes[v]))
		}
	}
	if rank := correlation.Spearman(x, y); !math.IsNaN(rank) {
		return &rank, nil
	}
	return nil, nil
}

func (p *backbone) finish(all *kernels.Partial) (*kernels.Scores, error) {
	b, err := p.choose(all.Alone)
	if err != nil {
		return nil, err
	}
	b.Change = p.change
	out := p.scores()
	out.Backbone = b
	if p.change != nil {
		out.Ties = p.change.Before.Ties
	}
	flag(out.Nodes, b.Nodes)
	flag(out.Edges, b.Edges)
	return out, nil
}

// flag sets 1 for what is kept; scores may be nil.
func flag(scores []float64, kept []bool) {
	for i := range scores {
		if kept[i] {
			scores[i] = 1
		}
	}
}
