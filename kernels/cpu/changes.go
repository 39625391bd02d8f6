package cpu

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// changes are the scores of nodes that sum up distances, or their inverses: a run searches only what changed since the
// one before it, where that pays, or else the components that changed. Sums are exact, so that they have the same bits
// either way.
type changes struct {
	task    // as it was asked for
	lengths lengths.Lengths
	all     plain   // with whole numbers as weights, so that sums are exact; the task itself by hops
	most    float64 // bounds the sums of distances
	store   *reuse.Store
	key     reuse.Key
	found   *distances.Changes // nil for a run that knows no earlier one
	about   kernels.Reduction
	full    float64 // what a full run costs, in searches from one node
	// again are the components that are searched whole, kept the nodes of the others.
	again []reductions.Component
	kept  []int32
}

// wholeInFloat is the number up to which float64 holds whole numbers and their halves.
const wholeInFloat = 1 << 52

// prepareChanges prepares a run of a measure of the closeness family that searches only what changed; nil where it
// cannot.
func prepareChanges(t task, l lengths.Lengths) *changes {
	fold, _ := kernels.FoldOf(t.measure.Name)
	if t.request.Edges || fold == kernels.FoldGreatest {
		return nil
	}
	p := &changes{task: t, lengths: l, all: plain{task: t, lengths: l, byLength: true},
		most: float64(t.graph.N()) * float64(t.graph.N())}
	switch l := l.(type) {
	case lengths.Hops:
	case *lengths.Ticks:
		g, most := l.Weigh(t.graph)
		p.most *= most
		p.all.graph, p.all.lengths = g, &lengths.Ticks{Arc: l.Arc, Unit: lengths.Unit{Mul: 1, Div: 1, Div2: 1}}
		if most*float64(g.N()) > wholeInFloat || p.all.empty().Nodes == nil {
			return nil
		}
	default:
		return nil
	}
	p.about = kernels.Reduction{Taken: []string{}}
	p.about.NotReduced("only what changed is searched")
	return p
}

func (p *changes) empty() *kernels.Partial { return p.all.empty() }

// reuse compares the graph with that of the last run.
func (p *changes) reuse(ctx context.Context, store *reuse.Store) (*reuse.Amount, error) {
	g := p.all.graph
	p.store, p.key = store, distances.PastKey(p.measure, g.Directed, p.lengths, p.empty())
	out := &reuse.Amount{Kind: "node", Of: int64(g.N()), Reason: "no node reused: no earlier run is known"}
	p.about.Reused = out
	values, _ := store.Find(p.key)
	past, ok := distances.PastOf(values, g.Directed)
	if !ok {
		return out, nil
	}
	found, err := distances.Compare(ctx, past, g, p.request.Weighted, store.Names, workers.Threads(p.request))
	if err != nil {
		return nil, err
	}
	p.found, out.Reason = found, found.String()
	if found.Pay() {
		p.about.Searched = int64(len(found.Sources))
		out.Blocks, out.Work = max(0, out.Of-int64(len(found.Targets))), 1-found.Cost/max(1, found.Full)
		return out, nil
	}
	p.keepComponents(out)
	return out, nil
}

// keepComponents finds the components that are to be searched whole: those in which an edge changed.
func (p *changes) keepComponents(out *reuse.Amount) {
	all, found := reductions.Components(p.all.graph), reuse.Tally{Of: "component"}
	for _, part := range all {
		changed := part.Nodes == nil
		for _, v := range part.Nodes {
			changed = changed || p.found.Ends[v]
		}
		if changed {
			p.again = append(p.again, part)
			p.about.Searched += int64(part.Graph.N())
		} else {
			p.kept = append(p.kept, part.Nodes...)
		}
		found.Add(!changed, float64(part.Graph.Arcs()), part.Work)
	}
	if len(p.again) == len(all) {
		return
	}
	amount := found.Amount()
	*out = amount
	out.Reason = fmt.Sprintf("%d edges changed: %s", p.found.Arcs, amount.String())
}

// search does it all in the first shard.
func (p *changes) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	switch {
	case shard.Index > 0:
		return nil
	case p.found == nil:
		p.again = reductions.Components(p.all.graph)
	case p.found.Pay():
		p.full = p.found.Full
		return p.found.Fold(ctx, p.measure, p.all.request, into)
	default:
		p.found.Keep(p.kept, into)
	}
	return p.searchAgain(ctx, into)
}

// searchAgain searches components whole: those that reductions take by themselves, and the others together. All ways to
// fold have the same bits.
func (p *changes) searchAgain(ctx context.Context, into *kernels.Partial) error {
	d, err := workers.Divide(ctx, p.all.graph, p.all.request)
	if err != nil {
		return err
	}
	each := d.Cost(p.graph.N()) / max(1, float64(p.graph.N()))
	total, done := 0, 0
	for _, part := range p.again {
		total += part.Graph.N()
	}
	var asItIs []int32
	for _, part := range p.again {
		n := part.Graph.N()
		reduced, err := p.searchReduced(ctx, part, workers.PartOf(p.request.Progress, done, n, total), into)
		if err != nil {
			return err
		}
		cost := each * float64(n)
		switch {
		case reduced == nil:
			asItIs = append(asItIs, part.Nodes...) // none for all
		case p.request.Weighted:
			cost *= reduced.WorkRatio
		}
		if p.full += cost; reduced != nil {
			done += n
		}
	}
	if p.found != nil && total < p.graph.N() {
		p.full = p.found.Full
	}
	if done == total {
		return nil
	}
	r := p.all.request
	r.Reuse, r.Sources, r.Progress = nil, asItIs, workers.PartOf(p.request.Progress, done, total-done, total)
	return distances.FoldNodes(ctx, p.measure, p.all.graph, r, p.all.lengths, into)
}

// searchReduced searches what reductions leave of a component; it returns nil, and has done nothing, where they do not
// pay.
func (p *changes) searchReduced(
	ctx context.Context, part reductions.Component, progress func(done, of int), into *kernels.Partial,
) (*kernels.Reduction, error) {
	if p.most > wholeInFloat { // reductions add up lengths in float64
		return nil, nil
	}
	t := p.all.task
	t.graph, t.request.Reuse, t.request.Progress = part.Graph, nil, progress
	l, err := lengths.New(ctx, t.graph, t.request.Weighted, 0)
	if err != nil {
		return nil, err
	}
	one, err := prepareAll(ctx, t, l)
	if _, ok := one.(plain); ok || err != nil {
		return nil, err
	}
	all := one.empty()
	if err := one.search(ctx, kernels.Shard{}, all); err != nil {
		return nil, err
	}
	folds, _ := one.sums(all)
	for i, sum := range folds.Nodes {
		v := i
		if part.Nodes != nil {
			v = int(part.Nodes[i])
		}
		into.Nodes.Words[v], into.NodeCounts[v] = into.Nodes.Scale.Of(sum), int64(folds.NodeCounts[i])
	}
	switch one := one.(type) {
	case foldedChains:
		return one.plan.About, nil
	case foldedBlocks:
		return one.plan.About, nil
	}
	return &kernels.Reduction{WorkRatio: 1}, nil
}

func (p *changes) finish(all *kernels.Partial) (*kernels.Scores, error) {
	all.Totals = kernels.Totals{NoDistance: true}
	for _, count := range all.NodeCounts {
		all.Totals.Pairs += count
	}
	var out *kernels.Scores
	var err error
	if t, ok := p.lengths.(*lengths.Ticks); ok {
		folds := all.Folds()
		distances.FromTicks(p.measure, folds.Nodes, t.Unit)
		out, err = p.ofFolds(folds, all.Totals, t, &p.about)
	} else {
		out, err = p.all.finish(all)
	}
	if err != nil {
		return nil, err
	}
	out.Reduction = &p.about
	if p.store != nil {
		p.keep(all)
	}
	return out, nil
}

// keep leaves the next run what it needs.
func (p *changes) keep(all *kernels.Partial) {
	g := p.all.graph
	past := distances.Past{Graph: g, Names: p.store.Names, Sums: make([]exact.Word, g.N()), Counts: all.NodeCounts,
		Full: p.full}
	for v, w := range all.Nodes.Words {
		past.Sums[v] = all.Nodes.Scale.Carry(w)
	}
	if len(past.Names) != g.N() {
		past.Names = nil
	}
	if !p.request.Weighted {
		past.Graph = &export.Graph{Directed: g.Directed, Offsets: g.Offsets, Targets: g.Targets, EdgeCount: g.EdgeCount}
	}
	p.store.Keep(reuse.Part{Key: p.key, Values: past.Values(), Work: float64(g.N()) * float64(g.Arcs())})
}
