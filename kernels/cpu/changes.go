package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/workers"
)

// changes are the scores of nodes that sum up distances by hops, or their inverses: a run searches only what changed since the one before
// it, where that pays. Sums are exact, so that they have the same bits either way.
type changes struct {
	all   plain
	store *reuse.Store
	key   reuse.Key
	found *distances.Changes // nil for a run that knows no earlier one
	about kernels.Reduction
	full  float64 // what a full run costs, in searches from one node
}

// ofChanges begins the key of every past. Its number goes up with every change after which sums may have other bits.
const ofChanges = "sums of distances 1"

// changeable reports whether a run of a measure of the closeness family can search only what changed.
func (t task) changeable(l lengths.Lengths) bool {
	_, hops := l.(lengths.Hops)
	fold, _ := kernels.FoldOf(t.measure.Name)
	return hops && !t.request.Edges && fold != kernels.FoldGreatest
}

func prepareChanges(t task, l lengths.Lengths) *changes {
	p := &changes{all: plain{task: t, lengths: l, byLength: true}}
	p.about = kernels.Reduction{Taken: []string{}}
	p.about.NotReduced("only what changed is searched")
	return p
}

func (p *changes) empty() *kernels.Partial { return p.all.empty() }

// reuse compares the graph with that of the last run.
func (p *changes) reuse(ctx context.Context, store *reuse.Store) (*reuse.Amount, error) {
	g, scale, h := p.all.graph, p.empty().Scale(), reuse.NewHasher(ofChanges)
	fold, _ := kernels.FoldOf(p.all.measure.Name)
	h.Int(int64(fold))
	h.Float(scale.Unit)
	h.Float(scale.Fine)
	if g.Directed {
		h.Int(1)
	}
	p.store, p.key = store, h.Key()
	out := &reuse.Amount{Kind: "node", Of: int64(g.N()), Reason: "no node reused: no earlier run is known"}
	p.about.Reused = out
	values, _ := store.Find(p.key)
	past, ok := distances.PastOf(values, g.Directed)
	if !ok {
		return out, nil
	}
	found, err := distances.Compare(ctx, past, g, store.Names, workers.Threads(p.all.request))
	if err != nil {
		return nil, err
	}
	if p.found = found; found.Pay() {
		p.about.Searched = int64(len(found.Sources))
		out.Blocks, out.Work = max(0, out.Of-int64(len(found.Targets))), 1-found.Cost/max(1, found.Full)
	}
	out.Reason = found.String()
	return out, nil
}

// search does it all in the first shard.
func (p *changes) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	if shard.Index > 0 {
		return nil
	}
	if p.found != nil && p.found.Pay() {
		p.full = p.found.Full
		return p.found.Fold(ctx, p.all.measure, p.all.request, into)
	}
	return p.searchAll(ctx, into)
}

// searchAll is search of a full run. By hops all ways to fold have the same bits.
func (p *changes) searchAll(ctx context.Context, into *kernels.Partial) error {
	t := p.all.task
	t.request.Reuse = nil
	d, err := workers.Divide(ctx, t.graph, t.request)
	if err != nil {
		return err
	}
	p.full = d.Cost(t.graph.N())
	one, err := prepareAll(ctx, t, p.all.lengths)
	if err != nil {
		return err
	}
	if _, ok := one.(plain); ok {
		return one.search(ctx, kernels.Shard{}, into)
	}
	all := one.empty()
	if err := one.search(ctx, kernels.Shard{}, all); err != nil {
		return err
	}
	folds, _ := one.sums(all)
	for v, sum := range folds.Nodes {
		into.Nodes.Add(v, sum)
		into.NodeCounts[v] = int64(folds.NodeCounts[v])
	}
	return nil
}

func (p *changes) finish(all *kernels.Partial) (*kernels.Scores, error) {
	all.Totals = kernels.Totals{NoDistance: true}
	for _, count := range all.NodeCounts {
		all.Totals.Pairs += count
	}
	out, err := p.all.finish(all)
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
	past := distances.Past{Graph: g, Names: p.store.Names, Sums: make([]exact.Word, g.N()), Counts: all.NodeCounts, Full: p.full}
	for v, w := range all.Nodes.Words {
		past.Sums[v] = all.Nodes.Scale.Carry(w)
	}
	if len(past.Names) != g.N() {
		past.Names = nil
	}
	p.store.Keep(reuse.Part{Key: p.key, Values: past.Values(), Work: float64(g.N()) * float64(g.Arcs())})
}
