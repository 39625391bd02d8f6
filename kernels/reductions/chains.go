package reductions

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// ChainPlan is a plan of PlanChains.
type ChainPlan struct {
	// Reduced is nil where the graph is not to be searched by chains, for the reason that About gives.
	Reduced *reduce.Reduced
	// About is nil where no reduction was to be considered.
	About *kernels.Reduction

	all  *reduce.Reduced // nil where nothing could be planned
	mode string
}

// PlanChains reduces the graph of a request for betweenness, for a program that takes a reduce.Flat, by every reduction
// that the request allows; by hops, only if chains are among them. l measures its paths. worth says, under ReduceAuto,
// whether to.
func PlanChains(
	ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths, worth func(reduce.Info) bool,
) (*ChainPlan, error) {
	return planning{worth: worth}.chains(ctx, g, r, l)
}

// chains is PlanChains by what is planned.
func (p planning) chains(
	ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths,
) (*ChainPlan, error) {
	reducing, err := kernels.ParseReduce(r.Reduce)
	if err != nil || reducing.Mode == kernels.ReduceOff || !reducing.Chains && !r.Weighted {
		return &ChainPlan{}, err
	}
	out := &ChainPlan{mode: reducing.Mode}
	p.switches, p.mode, p.mayDropChains = switchesOf(reducing), reducing.Mode, true
	if out.all, out.About, err = p.made(ctx, g, r, l); err != nil || out.all == nil {
		return out, err
	}
	out.Reduced = p.taken(out.all, out.About)
	return out, nil
}

// Searches returns what PlanSearches does for the same request, without planning again where there is a plan whose
// chains can be dropped.
func (c *ChainPlan) Searches(
	ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths, most float64,
) (*reduce.Reduced, *kernels.Reduction, error) {
	if c.all == nil {
		return PlanSearches(ctx, g, r, l, most)
	}
	start := time.Now()
	plan, err := c.all.DropChains(ctx)
	if err != nil {
		return nil, nil, err
	}
	about := reductionOf(plan, c.About.Seconds+time.Since(start).Seconds())
	return planning{mode: c.mode, worth: atMost(most)}.taken(plan, about), about, nil
}
