package cpu

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// summed is a problem whose result is sums over sources.
type summed interface {
	problem
	// sums returns what the partial result of all shards adds up to, before it is made scores.
	sums(all *kernels.Partial) (kernels.Folds, kernels.Totals)
}

// reuses reports whether a run of the task may reuse what an earlier one found.
func (t task) reuses() bool {
	r := t.request
	return r.Reuse != nil && r.Sources == nil && r.Pairs == nil
}

// components are the components of a graph, each computed by itself, so that runs can reuse those that did not change.
type components struct {
	task
	lengths lengths.Lengths
	about   kernels.Reduction
	parts   []reductions.Component
	first   []int // number of each part in the partial result; the last is that of all
	// store, keys and known are as reuse finds them; known has nil for each part that is to be computed.
	store *reuse.Store
	keys  []reuse.Key
	known [][]float64
}

// mostInComponent is the share of the work that reductions of a component may leave under auto. It is the same for all
// graphs, so that a component has the same bits whatever the rest of its graph is.
const mostInComponent = 0.5

// totals is how many numbers a component has besides its sums.
const totals = 2

// prepareComponents prepares the components of the graph of a task. about may be nil.
func prepareComponents(ctx context.Context, t task, l lengths.Lengths, about *kernels.Reduction) (problem, error) {
	p := &components{task: t, lengths: l, parts: reductions.Components(t.graph), first: []int{0}}
	if about != nil {
		p.about = *about
	} else {
		p.about = kernels.Reduction{Taken: []string{}, Searched: int64(t.graph.N())}
		p.about.NotReduced("each component is computed by itself")
	}
	for i := range p.parts {
		g := p.parts[i].Graph
		_, count := p.numbers(nil, g.N(), g.M())
		p.first = append(p.first, p.first[i]+count+totals)
	}
	p.known = make([][]float64, len(p.parts))
	return p, context.Cause(ctx)
}

// numbers cuts the sums of a part of so many nodes and edges from its numbers. Without numbers, nil, it returns how
// many they are.
func (p *components) numbers(values []float64, nodes, edges int) (f kernels.Folds, count int) {
	next := func(size int, wanted bool) (out []float64) {
		if !wanted {
			return nil
		}
		if count += size; values != nil {
			out = values[count-size : count : count]
		}
		return out
	}
	folds := p.measure.Kind == kernels.FoldedDistances
	f.Nodes, f.NodeCounts = next(nodes, p.request.Nodes || folds), next(nodes, folds)
	f.Edges, f.EdgeCounts = next(edges, p.request.Edges), next(edges, p.request.Edges && folds)
	return f, count
}

func (p *components) empty() *kernels.Partial { return kernels.NewAlone(p.first[len(p.parts)]) }

// reuse leaves out the components that the store knows.
func (p *components) reuse(_ context.Context, store *reuse.Store) (*reuse.Amount, error) {
	p.store, p.keys = store, make([]reuse.Key, len(p.parts))
	found := reuse.Tally{Of: "component"}
	for i := range p.parts {
		part := &p.parts[i]
		p.keys[i] = part.Key(p.measure, p.request)
		values, ok := store.Find(p.keys[i])
		if ok = ok && len(values) == p.first[i+1]-p.first[i]; ok {
			p.known[i] = values
		}
		found.Add(ok, float64(part.Graph.Arcs()), part.Work)
	}
	amount := found.Amount()
	p.about.Reused = &amount
	return &amount, nil
}

func (p *components) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	first, last := shard.Part(len(p.parts))
	for i := first; i < last; i++ {
		values := into.Alone[p.first[i]:p.first[i+1]]
		if p.known[i] != nil {
			copy(values, p.known[i])
		} else if err := p.compute(ctx, i, values); err != nil {
			return err
		}
	}
	return nil
}

// compute finds the numbers of a part.
func (p *components) compute(ctx context.Context, i int, values []float64) error {
	t := task{p.measure, p.parts[i].Graph, p.request}
	t.request.Reuse, t.request.MostLeft, t.request.MostInBlocks = nil, mostInComponent, 0
	t.request.Progress = workers.PartOf(p.request.Progress, p.first[i], p.first[i+1]-p.first[i], p.first[len(p.parts)])
	l, err := lengths.New(ctx, t.graph, t.request.Weighted, t.request.Tolerance)
	if err != nil {
		return err
	}
	one := summed(plain{task: t, lengths: l})
	if t.measure.Kind == kernels.FoldedDistances {
		if one, err = prepareAll(ctx, t, l); err != nil {
			return err
		}
	}
	all := one.empty()
	if err := one.search(ctx, kernels.Shard{}, all); err != nil {
		return err
	}
	found, sums := one.sums(all)
	p.put(i, values, found, sums, math.Pow10(l.Shift()-p.lengths.Shift()))
	return nil
}

// put writes what a part found in a unit of lengths, which is so many of those of the whole graph.
func (p *components) put(i int, values []float64, found kernels.Folds, sums kernels.Totals, unit float64) {
	g := p.parts[i].Graph
	f, _ := p.numbers(values, g.N(), g.M())
	byNode := 1.0
	switch fold, ok := kernels.FoldOf(p.measure.Name); {
	case ok && fold == kernels.FoldInverse:
		byNode = 1 / unit
	case ok:
		byNode = unit
	}
	copy(f.Nodes, found.Nodes)
	copy(f.NodeCounts, found.NodeCounts)
	copy(f.Edges, found.Edges)
	copy(f.EdgeCounts, found.EdgeCounts)
	scale(f.Nodes, byNode)
	scale(f.Edges, byNode)
	values[len(values)-2], values[len(values)-1] = float64(sums.Pairs), sums.Distance*unit
	if sums.NoDistance {
		values[len(values)-1] = math.NaN()
	}
}

func (p *components) finish(all *kernels.Partial) (*kernels.Scores, error) {
	whole, _ := p.numbers(make([]float64, 2*(p.graph.N()+p.graph.M())), p.graph.N(), p.graph.M())
	var sum kernels.Totals
	for i := range p.parts {
		part, values := &p.parts[i], all.Alone[p.first[i]:p.first[i+1]]
		f, _ := p.numbers(values, part.Graph.N(), part.Graph.M())
		spread(whole.Nodes, f.Nodes, part.Nodes)
		spread(whole.NodeCounts, f.NodeCounts, part.Nodes)
		spread(whole.Edges, f.Edges, part.Edges)
		spread(whole.EdgeCounts, f.EdgeCounts, part.Edges)
		sum.Pairs += int64(values[len(values)-2])
		sum.Distance += values[len(values)-1]
		if p.store != nil {
			p.store.Keep(reuse.Part{Key: p.keys[i], Values: values, Work: part.Work})
		}
	}
	if sum.NoDistance = math.IsNaN(sum.Distance); sum.NoDistance {
		sum.Distance = 0
	}
	if p.measure.Kind == kernels.FoldedDistances {
		return p.ofFolds(whole, sum, p.lengths, &p.about)
	}
	byNode, byEdge := kernels.BetweennessFactors(p.graph, p.request)
	scale(whole.Nodes, byNode)
	scale(whole.Edges, byEdge)
	out := &kernels.Scores{Nodes: whole.Nodes, Edges: whole.Edges, Totals: sum, Ties: p.lengths.Ties(),
		Reduction: &p.about}
	return out, kernels.CheckFinite(p.measure.Name, p.graph, out, false)
}

// spread copies numbers to places of the whole; nil for its own.
func spread(whole, part []float64, places []int32) {
	if places == nil {
		copy(whole, part)
		return
	}
	for i, x := range part {
		whole[places[i]] = x
	}
}
