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
	if r.Reuse != nil {
		return planReuse(ctx, g, r, l)
	}
	return planAuto(ctx, g, r, l)
}

// planReuse makes a plan for a request with a store. Under auto it also takes reductions that do not pay this time,
// because only what they leave can be reused. It does not look at what the store has, because scores would then depend
// on that.
func planReuse(ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths) (*Plan, error) {
	const all = 0x1p40 // times any share: all is taken, and the better of chains and blocks stays the same
	chains, blocks := mostLeft(r), r.MostInBlocks
	r.MostLeft, r.MostInBlocks = chains*all, blocks*all
	p, err := planAuto(ctx, g, r, l)
	if err != nil || p.Reduced == nil {
		return p, err
	}
	most := chains
	if p.Reduced.Whole() {
		most = blocks
	}
	if reducing, err := kernels.ParseReduce(r.Reduce); err == nil && reducing.Mode == kernels.ReduceAuto &&
		p.About.WorkRatio > most {
		p.About.Reason += ", so that runs can reuse blocks"
	}
	return p, nil
}

// planAuto makes a plan with what the request lets reductions leave.
func planAuto(ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths) (*Plan, error) {
	if r.MostInBlocks > 0 {
		return planBlocksOrChains(ctx, g, r, l)
	}
	reduced, about, err := planReduction(ctx, g, r, l, false)
	if err != nil {
		return nil, err
	}
	return &Plan{l, reduced, about}, nil
}

// Reuse leaves out of the search what match finds that an earlier run had done, and returns how much that is. A second
// call returns the same without match. The graph must be reduced.
func (p *Plan) Reuse(match func(*reduce.Reduced) reuse.Amount) *reuse.Amount {
	if p.About.Reused == nil {
		found := match(p.Reduced)
		p.About.Reused = &found
	}
	return p.About.Reused
}

// planBlocksOrChains makes a plan with chains, and drops those where a smaller part of what the request lets them leave
// is left without them.
func planBlocksOrChains(ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths) (*Plan, error) {
	blocks := func(i reduce.Info) float64 { return i.BlockRatio / r.MostInBlocks }
	chains := atMost(r.MostLeft)
	with, err := planning{onCPU: true, worth: func(i reduce.Info) bool {
		return chains(i) && i.WorkRatio() <= r.MostLeft*blocks(i)
	}}.chains(ctx, g, r, l)
	if err != nil {
		return nil, err
	}
	if with.Reduced == nil && with.all != nil && blocks(with.all.Info) <= 1 {
		reduced, about, err := with.Searches(ctx, g, r, l, r.MostInBlocks)
		return &Plan{l, reduced, about}, err
	}
	return &Plan{l, with.Reduced, with.About}, nil
}

// PlanSearches reduces the graph of a request for betweenness, for a program that searches from every node that is
// left, as devices do: by trees and blocks alone. l measures its paths. Under ReduceAuto most is the share of the work
// that may be left. Otherwise it is as reductions on the CPU: the plan is nil where the graph is searched as it is, the
// Reduction where none was to be considered.
func PlanSearches(
	ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths, most float64,
) (*reduce.Reduced, *kernels.Reduction, error) {
	reducing, err := kernels.ParseReduce(r.Reduce)
	if err != nil || reducing.Mode == kernels.ReduceOff {
		return nil, nil, err
	}
	reducing.Chains, reducing.Twins = false, false
	return planning{switches: switchesOf(reducing), mode: reducing.Mode, worth: atMost(most)}.plan(ctx, g, r, l)
}
