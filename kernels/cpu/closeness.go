package cpu

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// prepareFolds prepares a measure of the closeness family.
func prepareFolds(ctx context.Context, t task, _ *reductions.Plan) (problem, error) {
	l, err := lengths.New(ctx, t.graph, t.request.Weighted, t.request.Tolerance)
	if err != nil {
		return nil, err
	}
	if t.request.Top != nil {
		return prepareTop(ctx, t, l)
	}
	if t.reuses() {
		if p := prepareChanges(t, l); p != nil {
			return p, nil
		}
		return prepareComponents(ctx, t, l, nil)
	}
	return prepareAll(ctx, t, l)
}

// prepareAll prepares all scores of a measure of the closeness family.
func prepareAll(ctx context.Context, t task, l lengths.Lengths) (summed, error) {
	fold, ok := reductions.TreeFold(t.measure.Name)
	if !ok {
		return plain{task: t, lengths: l, byLength: true}, nil
	}
	plan, err := reductions.PlanFolds(ctx, t.graph, t.request, l, fold)
	switch {
	case err != nil:
		return nil, err
	case plan.Chains != nil:
		return foldedChains{t, l, plan, closeness.FoldContracted(plan.Chains.Trees, plan.Chains.Core)}, nil
	case plan.Blocks != nil:
		folds, err := plan.Blocks.FoldDistances(ctx, fold)
		return foldedBlocks{t, l, plan, folds, fold}, err
	}
	return plain{task: t, lengths: l, byLength: true, about: plan.About}, nil
}

// closenessBytes is foldBytes, or what reductions take where the measure can be folded over blocks, or chains.
func closenessBytes(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	if r.Top != nil && !r.Weighted {
		return topBytes(g, r)
	}
	if _, ok := reductions.TreeFold(m.Name); !ok {
		return foldBytes(g, r)
	}
	return max(foldBytes(g, r), scoreBytes(g, r)+lengths.Bytes(g.Edges, g.Directed, r.Weighted)+reductions.FoldBytes(g, r))
}
