package reductions

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/reuse"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// Plan is what reductions make of the graph of a request for betweenness on the CPU, made ahead of the computation.
type Plan struct {
	// Lengths is how the paths of the graph are measured.
	Lengths lengths.Lengths
	// Reduced is nil where the graph is searched as it is.
	Reduced *reduce.Reduced
	// About is nil where no reduction was to be considered.
	About *kernels.Reduction
}

// PlanBetweenness makes the plan of a request for betweenness on the CPU. It can be used once.
func PlanBetweenness(ctx context.Context, g *export.Graph, r kernels.Request) (*Plan, error) {
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, err
	}
	if r.MostInBlocks > 0 && r.Reuse == nil {
		return planBlocksOrChains(ctx, g, r, l)
	}
	reduced, about, err := planReduction(ctx, g, r, l, false)
	if err != nil {
		return nil, err
	}
	return &Plan{l, reduced, about}, nil
}

// Reuse leaves out of the search what the store knows, and returns how much that is; nil where the graph is not reduced.
// A second call does nothing.
func (p *Plan) Reuse(store *reuse.Store) *reuse.Amount {
	if p.Reduced == nil {
		return nil
	}
	if p.About.Reused == nil {
		found := p.Reduced.Reuse(store)
		p.About.Reused = &found
	}
	return p.About.Reused
}

// planBlocksOrChains makes a plan with chains, and drops those where a smaller part of what the request lets them leave is left
// without them.
func planBlocksOrChains(ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths) (*Plan, error) {
	blocks := func(i reduce.Info) float64 { return i.BlockRatio / r.MostInBlocks }
	chains := atMost(r.MostLeft)
	with, err := PlanChains(ctx, g, r, func(i reduce.Info) bool {
		return chains(i) && i.WorkRatio() <= r.MostLeft*blocks(i)
	})
	if err != nil {
		return nil, err
	}
	if with.Reduced == nil && with.all != nil && blocks(with.all.Info) <= 1 {
		reduced, about, err := with.Searches(ctx, g, r, r.MostInBlocks)
		return &Plan{l, reduced, about}, err
	}
	return &Plan{l, with.Reduced, with.About}, nil
}

// PlanSearches reduces the graph of a request for betweenness, for a program that searches from every node that is
// left, as devices do: by trees and blocks alone. Under ReduceAuto most is the share of the work that may be left.
// Otherwise it is as reductions on the CPU: the plan is nil where the graph is searched as it is, the Reduction where
// none was to be considered.
func PlanSearches(
	ctx context.Context, g *export.Graph, r kernels.Request, most float64,
) (*reduce.Reduced, *kernels.Reduction, error) {
	reducing, err := kernels.ParseReduce(r.Reduce)
	if err != nil || reducing.Mode == kernels.ReduceOff {
		return nil, nil, err
	}
	l, err := lengths.New(ctx, g, r.Weighted, r.Tolerance)
	if err != nil {
		return nil, nil, err
	}
	reducing.Chains, reducing.Twins = false, false
	return planning{switches: switchesOf(reducing), mode: reducing.Mode, worth: atMost(most)}.plan(ctx, g, r, l)
}
