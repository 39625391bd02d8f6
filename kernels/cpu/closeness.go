package cpu

import (
	"context"
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	reduced "github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// closeness computes a measure of the closeness family.
func closeness(ctx context.Context, t task) (*kernels.Scores, error) {
	l, err := lengths.New(ctx, t.graph, t.request.Weighted, t.request.Tolerance)
	if err != nil {
		return nil, err
	}
	out, err := folds(ctx, t, l)
	if err != nil {
		return nil, err
	}
	factor := kernels.InUnits(t.measure.Name, math.Pow10(l.Shift()))
	scale(out.Nodes, factor)
	scale(out.Edges, factor)
	return out, kernels.CheckFinite(t.measure.Name, t.graph, out, false)
}

// folds computes a measure of the closeness family in the units of the lengths.
func folds(ctx context.Context, t task, l lengths.Lengths) (*kernels.Scores, error) {
	g, r, out := t.graph, t.request, &kernels.Scores{Ties: l.Ties()}
	var sums kernels.Folds
	fold, ok := reductions.TreeFold(t.measure.Name)
	plan, err := &reductions.FoldPlan{}, error(nil)
	if ok {
		if plan, err = reductions.PlanFolds(ctx, g, r, l, fold); err != nil {
			return nil, err
		}
	}
	switch out.Reduction = plan.About; {
	case plan.Chains != nil:
		sums, err = overChains(ctx, plan, r, out)
	case plan.Blocks != nil:
		sums, err = overBlocks(ctx, plan, fold, out)
	default:
		sums, err = overAll(ctx, t, l, out)
	}
	if err != nil {
		return nil, err
	}
	if r.Nodes {
		out.Nodes = make([]float64, g.N())
	}
	if r.Edges {
		out.Edges = make([]float64, g.M())
	}
	return out, sums.Scores(t.measure.Name, g, r, out.Nodes, out.Edges)
}

// overAll folds distances from the sources of a request, in the graph as it is.
func overAll(ctx context.Context, t task, l lengths.Lengths, out *kernels.Scores) (kernels.Folds, error) {
	g, r := t.graph, t.request
	p := kernels.NewPartial(t.measure, g.N(), g.M(), r, kernels.BoundsOf(g, r, l.Shift()))
	err := addFolds(ctx, t.measure, g, r, kernels.Shard{}, l, p)
	out.Totals = p.Totals
	return p.Folds(), err
}

// addFolds folds distances from the sources of a shard.
func addFolds(
	ctx context.Context, m kernels.Measure, g *export.Graph, r kernels.Request, shard kernels.Shard, l lengths.Lengths,
	into *kernels.Partial,
) error {
	kind, _ := kernels.FoldOf(m.Name)
	newSearch := search.Of(g, l)
	newFolding := func() folding {
		return folding{fold: folderOf(kind), g: g, own: newFolded(g, r.Edges), reach: newReach(g.N()), all: into}
	}
	single := func(stop *stopper.Stopper) worker {
		return &foldWorker{folding: newFolding(), search: newSearch(false, stop)}
	}
	return overBatches(ctx, g, r, shard, single, func(stop *stopper.Stopper) worker {
		return &foldBatchWorker{folding: newFolding(), search: search.NewMultiBFS(g, stop)}
	})
}

// overBlocks folds distances to the nodes by a plan.
func overBlocks(
	ctx context.Context, plan *reductions.FoldPlan, fold reduced.Fold, out *kernels.Scores,
) (kernels.Folds, error) {
	folds, err := plan.Blocks.FoldDistances(ctx, fold)
	if err != nil {
		return kernels.Folds{}, err
	}
	out.Totals = kernels.Totals{Pairs: plan.Blocks.Info.Pairs, NoDistance: fold != reduced.Sum}
	counts := make([]float64, len(folds))
	for v, ticks := range folds {
		folds[v], counts[v] = plan.Length(ticks), float64(plan.Blocks.Reached(int32(v)))
		if fold == reduced.Sum {
			out.Totals.Distance += folds[v]
		}
	}
	return kernels.Folds{Nodes: folds, NodeCounts: counts}, nil
}

// overChains folds distances by a plan.
func overChains(
	ctx context.Context, plan *reductions.FoldPlan, r kernels.Request, out *kernels.Scores,
) (kernels.Folds, error) {
	chains := plan.Chains
	folds, counts, err := reduced.FoldContracted(ctx, chains.Trees, chains.Core, r.Threads, r.Progress)
	if err != nil {
		return kernels.Folds{}, err
	}
	var sums kernels.Folds
	sums, out.Totals = reductions.UnfoldTrees(chains.Trees, chains.Middles, folds, counts, plan.Length)
	return sums, nil
}
