// Package reductions plans the exact reductions of kernels/reduce for a request: which are allowed, whether they pay,
// and what they leave. Devices take its plans as the CPU does.
package reductions

import (
	"context"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// planReduction reduces the graph of a request, for betweenness or for distances, where that is possible and pays;
// otherwise the plan is nil. The Reduction is nil when none was to be considered.
func planReduction(
	ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths, distances bool,
) (*reduce.Reduced, *kernels.Reduction, error) {
	reducing, err := kernels.ParseReduce(r.Reduce)
	if err != nil || reducing.Mode == kernels.ReduceOff {
		return nil, nil, err
	}
	p := planning{
		switches: switchesOf(reducing), mode: reducing.Mode, worth: atMost(mostLeft(r)), distances: distances, onCPU: true,
	}
	return p.plan(ctx, g, r, l)
}

// planning says which reductions are wanted, when, and what for.
type planning struct {
	switches  reduce.Switches
	mode      string
	worth     func(reduce.Info) bool // under ReduceAuto
	distances bool                   // not betweenness
	// mayDropChains is as reduce.Options has it.
	mayDropChains bool
	// onCPU says that the CPU searches what is left, so that lengths may be rounded.
	onCPU bool
}

// atMost is worth it where at most this share of the work is left.
func atMost(share float64) func(reduce.Info) bool {
	return func(i reduce.Info) bool { return i.WorkRatio() <= share }
}

// plan makes a plan; it is nil where the graph is to be searched as it is.
func (p planning) plan(
	ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths,
) (*reduce.Reduced, *kernels.Reduction, error) {
	plan, about, err := p.made(ctx, g, r, l)
	if err != nil || plan == nil {
		return nil, about, err
	}
	return p.taken(plan, about), about, nil
}

// made makes a plan, whether or not it is worth it; it is nil where there is an obstacle.
func (p planning) made(
	ctx context.Context, g *export.Graph, r kernels.Request, l lengths.Lengths,
) (*reduce.Reduced, *kernels.Reduction, error) {
	ticks, obstacle := reducible(g, r, l)
	var fine []lengths.U128
	if wide, ok := l.(*lengths.WideTicks); ok && p.onCPU && !p.distances {
		fine = wide.Arc
		ticks, obstacle = rounded(g, r, wide)
	}
	switch {
	case obstacle == "" && p.distances && r.Edges:
		obstacle = "edge scores need all distances"
	case obstacle == "" && p.distances && p.switches.NoBlocks:
		obstacle = "distances are reduced by blocks"
	}
	if obstacle != "" {
		about := &kernels.Reduction{Taken: []string{}, Searched: int64(r.SourceCount(g.N()))}
		about.NotReduced(obstacle)
		return nil, about, nil
	}
	start := time.Now()
	plan, err := reduce.New(ctx, g, reduce.Options{
		Switches: p.switches, Ticks: ticks, Fine: fine, Endpoints: r.Endpoints, Distances: p.distances,
		MayDropChains: p.mayDropChains, Threads: r.Threads, Progress: r.Progress,
	})
	if err != nil {
		return nil, nil, err
	}
	return plan, reductionOf(plan, time.Since(start).Seconds()), nil
}

// reductionOf says what a plan does that is taken, but for the Reason.
func reductionOf(plan *reduce.Reduced, seconds float64) *kernels.Reduction {
	return &kernels.Reduction{
		WorkRatio: plan.Info.WorkRatio(), Searched: plan.Info.Branch, Seconds: seconds, Taken: taken(plan.Info),
	}
}

// taken returns the plan where it makes the graph smaller and is worth it, or nil, and gives the reason.
func (p planning) taken(plan *reduce.Reduced, about *kernels.Reduction) *reduce.Reduced {
	smaller := len(about.Taken) > 0 || plan.Info.Parallel+plan.Info.Loops > 0
	if p.mode == kernels.ReduceAuto && !p.worth(plan.Info) || !smaller {
		about.Taken, about.Searched = []string{}, plan.Info.Nodes
		about.NotReduced(about.Left())
		return nil
	}
	about.Reduced(plan.Info.Nodes)
	return plan
}

// switchesOf are the switches of kernels/reduce for what a request allows.
func switchesOf(r kernels.Reducing) reduce.Switches {
	return reduce.Switches{NoTrees: !r.Trees, NoBlocks: !r.Blocks, NoChains: !r.Chains, NoBundles: !r.Twins}
}

func taken(i reduce.Info) []string {
	found := []int64{i.Folded, i.Bridges + i.Cycles + max(i.Cores-1, 0), i.Inner, i.Bundled + i.Merged}
	names := kernels.Reductions()
	return slices.DeleteFunc(kernels.Reductions(), func(name string) bool { return found[slices.Index(names, name)] == 0 })
}
