package worker

import (
	"context"
	"errors"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// reduced is a job whose graph was reduced, exactly: what is left to search, and the way back. Trees and blocks alone
// leave searches from every node; see docs/design/reductions.md.
type reduced struct {
	whole Job // as it was ordered
	plan  *reduce.Reduced
	union *reduce.Union
}

// mayChain reports whether the strategy lets chains be contracted.
func (w *work) mayChain() bool {
	return w.order.Strategy == "auto" || w.order.Strategy == kernels.Chains
}

// reduce puts what reductions leave in the place of the job's graph, where they are asked for and pay: with chains, for
// strategy auto, or else as a union. Strategy chains asks for them.
func (w *work) reduce(ctx context.Context) error {
	if r := &w.job.Request; w.order.Strategy == kernels.Chains && (r.Reduce == "" || r.Reduce == kernels.ReduceAuto) {
		r.Reduce = kernels.ReduceOn
	}
	g, r := w.graph, w.job.Request
	if w.job.folds() {
		w.reduceFolds()
		return nil
	}
	auto := r.Reduce == "" || r.Reduce == kernels.ReduceAuto
	chains := w.mayChain() && !w.tooLarge && w.computes(r.Weighted) && (!auto || mayContract(&w.job))
	batches := w.order.Strategy == "batched" || w.order.Strategy == "auto" && (!r.Weighted || w.job.batchedByWeights())
	union := w.order.Strategy != kernels.Chains && (!auto || batches && mayPay(g))
	if w.job.kind() != kernels.Dependencies || g.Directed && auto || !chains && !union {
		return nil
	}
	need := reduce.Bytes(int64(g.N()), int64(g.M()), reduce.Options{Threads: 1, Memory: 1})
	if err := fitsHost("reducing the graph", need); err != nil {
		if auto {
			return nil
		}
		return err
	}
	plan := &reductions.ChainPlan{}
	if chains {
		var err error
		if plan, err = w.reduceToChains(ctx); err != nil || w.chains != nil {
			return err
		}
	}
	if !union {
		return nil
	}
	notChains := w.reduction
	err := w.reduceToUnion(ctx, plan)
	if w.reduced == nil && notChains != nil {
		w.reduction = notChains
	}
	return err
}

// computes says whether there is a strategy for the job without chains: what does not fit falls back on it.
func (w *work) computes(weighted bool) bool {
	want := Want{Measure: "betweenness", Params: kernels.Params{Weighted: weighted}, Nodes: true}
	return slices.ContainsFunc(w.host.Strategies, func(s Strategy) bool { return s.Fits(want, false) })
}

// reduceToUnion sets w.reduced where trees and blocks leave little enough; with is what came of planning with chains.
func (w *work) reduceToUnion(ctx context.Context, with *reductions.ChainPlan) error {
	plan, about, err := with.Searches(ctx, w.graph, w.job.Request, reducedShare)
	w.reduction = about
	if err != nil || plan == nil {
		return err
	}
	union, err := plan.Union()
	if err != nil {
		return err
	}
	w.reduced = &reduced{whole: w.job, plan: plan, union: union}
	w.graph, w.job = union.Graph, w.reduced.job()
	return nil
}

// reduceToChains sets w.chains where the graph is to be searched from branch nodes alone. It returns the plan in any case.
func (w *work) reduceToChains(ctx context.Context) (*reductions.ChainPlan, error) {
	plan, err := reductions.PlanChains(ctx, w.graph, w.job.Request, func(i reduce.Info) bool {
		return chainsPay(i, &w.job)
	})
	if err != nil {
		return nil, err
	}
	if w.reduction = plan.About; plan.Reduced == nil {
		return plan, nil
	}
	flat, err := plan.Reduced.Flatten(ctx)
	if errors.Is(err, reduce.ErrOptions) {
		plan.About.Taken, plan.About.Searched = []string{}, int64(w.graph.N())
		plan.About.NotReduced(err.Error())
		return plan, nil
	}
	if err != nil {
		return nil, err
	}
	w.chains, w.whole = &chained{plan: plan.Reduced, flat: flat}, w.graph
	w.graph = &export.Graph{Offsets: []int64{0}} // the strategy uploads what it needs
	w.job.Sources = make([]int32, len(flat.Omega))
	w.job.Want.Sources = len(w.job.Sources)
	return plan, nil
}

// withoutChains starts anew, after a plan with chains turned out not to fit the device.
func (w *work) withoutChains(ctx context.Context) error {
	if w.folded != nil {
		w.whole, w.job = w.folded.whole.Host, w.folded.whole
	}
	w.graph, w.chains, w.folded, w.tooLarge, w.reduction = w.whole, nil, nil, true, nil
	w.job.Sources = order.All(w.graph)
	w.job.Want.Sources = len(w.job.Sources)
	return w.reduce(ctx)
}

// mayContract says whether so few nodes have three neighbours or more that it is worth planning with chains. By weights,
// trees are reason enough: without chains they stay.
func mayContract(j *Job) bool {
	g := j.Host
	if g.Directed {
		return false
	}
	share := float64(branching(g)) / float64(g.N())
	switch {
	case j.Weighted:
		return share <= branchingShare || mayPay(g)
	case share > branchingShare:
		return false
	}
	return share <= branchingShare/4 || j.deep()
}

// chainsPay compares the time of the searches and demands that chains leave with that of the best search without them.
func chainsPay(i reduce.Info, j *Job) bool {
	with := i.SearchRatio/chainArcs + i.DemandRatio/chainPairs
	rate := float64(weightedArcs)
	switch {
	case j.Weighted:
	case j.deep():
		rate = deepArcs
	default:
		rate = batchedArcs
	}
	return with <= chainsGain*min(1, i.BlockRatio)/rate
}

// mayPay says whether folding the nodes of degree 1 alone would save more time of the device than planning takes of the
// host.
func mayPay(g *export.Graph) bool {
	if g.Directed {
		return false
	}
	n, m, ends := float64(g.N()), float64(g.M()), float64(leaves(g))
	saved := n*m - (n-ends)*(m-ends)
	return saved/(batchedRate*2*m/n) > planningTime*(n+m)
}

// leaves counts the nodes of degree 1, branching those of over 2.
func leaves(g *export.Graph) int {
	return g.CountNodes(func(degree int64) bool { return degree == 1 })
}
func branching(g *export.Graph) int {
	return g.CountNodes(func(degree int64) bool { return degree > 2 })
}

// job asks for sums over ordered pairs on the graph that is left, halved as those of undirected graphs are.
func (r *reduced) job() Job {
	g, job := r.union.Graph, r.whole
	job.Host, job.Masses, job.Endpoints = g, r.union.Omega, false
	job.Size = sizeOf(g)
	job.Sources = order.All(g)
	job.Want.Sources = len(job.Sources)
	job.Request = kernels.Request{Nodes: job.Want.Nodes, Edges: job.Want.Edges}
	if job.Nodes != nil {
		job.Nodes = make([]float64, g.N())
	}
	if job.Edges != nil {
		job.Edges = make([]float64, g.M())
	}
	return job
}

// scores fills the scores of the whole graph from those of the job on what was left. It spoils them.
func (r *reduced) scores(job *Job) (kernels.Totals, error) {
	nodes, edges := job.Nodes, job.Edges
	if nodes == nil {
		nodes = make([]float64, r.union.Graph.N())
	}
	if edges == nil {
		edges = make([]float64, r.union.Graph.M())
	}
	for _, sums := range [][]float64{nodes, edges} {
		for i := range sums {
			sums[i] *= 2 // over ordered pairs
		}
	}
	nodes, edges, err := r.plan.FromUnion(r.union, nodes, edges)
	if err != nil {
		return kernels.Totals{}, err
	}
	forNodes, forEdges := kernels.BetweennessFactors(r.whole.Host, r.whole.Request)
	for v := range r.whole.Nodes {
		r.whole.Nodes[v] = 2 * forNodes * nodes[v]
	}
	for e := range r.whole.Edges {
		r.whole.Edges[e] = 2 * forEdges * edges[e]
	}
	return kernels.Totals{Pairs: r.plan.Info.Pairs, NoDistance: true}, nil
}
