package cpu

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/correlation"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/simplify"
)

// Distances of graphs with more nodes are from a sample of so many.
const exactDistances, sampledDistances = 20_000, 1_000

// backbone keeps the edges, or the nodes, of the highest betweenness (Jia et al. 2011). The numbers of its partial
// result are the betweenness of all nodes, and then of all edges.
type backbone struct {
	task
	// change is nil until find.
	change *kernels.BackboneChange
}

func prepareBackbone(_ context.Context, t task, _ *reductions.Plan) (problem, error) {
	b := &backbone{task: t, change: nil}
	return undivided{t.graph.N() + t.graph.M(), b.find, b.choose}, nil
}

// backboneBytes bounds the memory besides the graph.
func backboneBytes(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	kept := 24*g.Nodes + 48*g.Edges // a graph that is as large, and choices
	return betweennessBytes(m, g, r.ForBackbone()) + kept + distances.Bytes(g, r)
}

// betweenness computes the scores of nodes and edges of a graph. Nodes are compared before and after.
func (p *backbone) betweenness(
	ctx context.Context, g *export.Graph, progress func(done, total int),
) (*kernels.Scores, error) {
	measure, _ := kernels.Lookup("betweenness")
	r := p.request.ForBackbone()
	r.Progress = progress
	return Compute(ctx, measure, g, r)
}

// find finds the betweenness, and what keeping the highest changes.
func (p *backbone) find(ctx context.Context, into *kernels.Partial) error {
	scores, err := p.betweenness(ctx, p.graph, p.request.Progress)
	if err != nil {
		return err
	}
	copy(into.Alone, scores.Nodes)
	copy(into.Alone[p.graph.N():], scores.Edges)
	kept, err := simplify.Choose(p.graph, into.Alone, p.request.Params)
	if err != nil {
		return err
	}
	p.change, err = p.compare(ctx, kept, scores.Nodes)
	return err
}

// compare finds what became of distances, components and betweenness.
func (p *backbone) compare(
	ctx context.Context, b *kernels.Backbone, before []float64,
) (*kernels.BackboneChange, error) {
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
		all, kept = simplify.Draw(all, sampledDistances), simplify.Draw(kept, sampledDistances)
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

// summarize describes distances from sources.
func (p *backbone) summarize(
	ctx context.Context, g *export.Graph, sources []int32, out *kernels.DistanceSummary,
) error {
	r := kernels.Request{Params: kernels.Params{Weighted: p.request.Weighted, Tolerance: p.request.Tolerance},
		Threads: p.request.Threads, Sources: sources}
	s, err := distances.Summarize(ctx, g, r)
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
	scores, err := p.betweenness(ctx, part, nil)
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

// choose makes scores of what is kept.
func (p *backbone) choose(betweenness []float64) (*kernels.Scores, error) {
	b, err := simplify.Choose(p.graph, betweenness, p.request.Params)
	if err != nil {
		return nil, err
	}
	b.Change = p.change
	out := p.scores()
	out.Backbone = b
	if p.change != nil {
		out.Ties = p.change.Before.Ties
	}
	kernels.Flag(out.Nodes, b.Nodes)
	kernels.Flag(out.Edges, b.Edges)
	return out, nil
}
