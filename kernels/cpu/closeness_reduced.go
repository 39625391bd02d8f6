package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// foldedBlocks folds distances to the nodes over the blocks of the graph.
type foldedBlocks struct {
	task
	lengths lengths.Lengths
	plan    *reductions.FoldPlan
	folds   *reduce.DistanceFolds
	fold    closeness.Fold
}

func (p foldedBlocks) empty() *kernels.Partial {
	return &kernels.Partial{Alone: make([]float64, p.folds.Folds())}
}

func (p foldedBlocks) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	return p.folds.Search(ctx, shard.Part, into.Alone)
}

func (p foldedBlocks) finish(all *kernels.Partial) (*kernels.Scores, error) {
	folds, totals := p.sums(all)
	return p.ofFolds(folds, totals, p.lengths, p.plan.About)
}

func (p foldedBlocks) sums(all *kernels.Partial) (kernels.Folds, kernels.Totals) {
	folds := p.folds.Unfold(all.Alone)
	totals := kernels.Totals{Pairs: p.plan.Blocks.Info.Pairs, NoDistance: p.fold != closeness.Sum}
	counts := make([]float64, len(folds))
	for v, ticks := range folds {
		folds[v], counts[v] = p.plan.Length(ticks), float64(p.plan.Blocks.Reached(int32(v)))
		if !totals.NoDistance {
			totals.Distance += folds[v]
		}
	}
	return kernels.Folds{Nodes: folds, NodeCounts: counts, Edges: nil, EdgeCounts: nil, NoLoops: false}, totals
}

// foldedChains folds distances over the chains of what trees leave.
type foldedChains struct {
	task
	lengths lengths.Lengths
	plan    *reductions.FoldPlan
	folds   *closeness.ContractedFolds
}

func (p foldedChains) empty() *kernels.Partial {
	return &kernels.Partial{Alone: make([]float64, p.folds.Folds())}
}

func (p foldedChains) search(ctx context.Context, shard kernels.Shard, into *kernels.Partial) error {
	return p.folds.Search(ctx, shard.Part, p.request.Threads, p.request.Progress, into.Alone)
}

func (p foldedChains) finish(all *kernels.Partial) (*kernels.Scores, error) {
	folds, totals := p.sums(all)
	return p.ofFolds(folds, totals, p.lengths, p.plan.About)
}

func (p foldedChains) sums(all *kernels.Partial) (kernels.Folds, kernels.Totals) {
	folds, counts := p.folds.Unfold(all.Alone)
	chains := p.plan.Chains
	return reductions.UnfoldTrees(chains.Trees, chains.Middles, folds, counts, p.plan.Length)
}

// ofFolds makes the scores of folds in the units of the lengths.
func (t task) ofFolds(
	folds kernels.Folds, totals kernels.Totals, l lengths.Lengths, about *kernels.Reduction,
) (*kernels.Scores, error) {
	out := t.scores()
	out.Ties, out.Totals, out.Reduction = l.Ties(), totals, about
	if err := folds.Scores(t.measure.Name, t.graph, t.request, out.Nodes, out.Edges); err != nil {
		return nil, err
	}
	return out, t.inUnits(out, l)
}
