package reductions

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
)

// FoldPlan is what reductions make of the graph of a request whose distances are folded. It has at most one of Blocks
// and Chains; with neither the graph is searched as it is.
type FoldPlan struct {
	// Blocks is the graph as blocks.
	Blocks *reduce.Reduced
	// Chains is the graph with trees folded and chains contracted.
	Chains *Contracted
	// About is nil where no reduction was to be considered.
	About *kernels.Reduction

	lengths lengths.Lengths
}

// PlanFolds plans a fold of distances, which are measured by l.
func PlanFolds(
	ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths, fold closeness.Fold,
) (*FoldPlan, error) {
	blocks, about, err := planReduction(ctx, g, r, l, true)
	if err != nil {
		return nil, err
	}
	left := mostLeft(r) // of the work
	if blocks != nil {
		left = about.WorkRatio
	}
	if chains := planContracted(g, r, l, fold, left); chains != nil {
		return &FoldPlan{Chains: chains, About: chains.about, lengths: l}, nil
	}
	return &FoldPlan{Blocks: blocks, About: about, lengths: l}, nil
}

// Length is a length of so many ticks, or hops, in which the plan's parts measure.
func (p *FoldPlan) Length(ticks float64) float64 {
	if t, ok := p.lengths.(*lengths.Ticks); ok {
		return t.Unit.Of(ticks)
	}
	return ticks
}

// TreeFold is the fold of a measure of the closeness family over trees, and chains; ok is false where there is none.
func TreeFold(measure string) (fold closeness.Fold, ok bool) {
	switch kind, folds := kernels.FoldOf(measure); {
	case folds && kind == kernels.FoldSum:
		return closeness.Sum, true
	case folds && kind == kernels.FoldGreatest:
		return closeness.Greatest, true
	}
	return 0, false // 1 / (a + b) is not made of 1 / a and 1 / b
}

// UnfoldTrees makes of what an engine folded and counted on what trees leave (see closeness.Trees) the folds of the
// whole graph, of its edges too unless middles is nil. lengthOf converts a length of the trees to one of the graph.
func UnfoldTrees(
	trees *closeness.Trees, middles *closeness.Subdivided, folds, counts []float64, lengthOf func(ticks float64) float64,
) (kernels.Folds, kernels.Totals) {
	all, reached := trees.Unfold(folds, counts)
	sums := kernels.Folds{Nodes: all, NodeCounts: reached, Edges: nil, EdgeCounts: nil, NoLoops: false}
	if middles != nil {
		sums.Nodes, sums.NodeCounts, sums.Edges, sums.EdgeCounts = middles.Split(trees.Fold(), all, reached)
	}
	for _, folds := range [][]float64{sums.Nodes, sums.Edges} {
		for i, ticks := range folds {
			folds[i] = lengthOf(ticks)
		}
	}
	totals := kernels.Totals{NoDistance: trees.Fold() != closeness.Sum}
	for v, length := range sums.Nodes {
		totals.Pairs += int64(sums.NodeCounts[v])
		if !totals.NoDistance {
			totals.Distance += length
		}
	}
	return sums, totals
}
