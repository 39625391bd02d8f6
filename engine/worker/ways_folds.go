package worker

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/chains"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/weighted"
)

// folded is a task of the closeness family whose graph has its trees folded, and perhaps its chains contracted; see
// docs/design/reductions.md.
type folded struct {
	task    *task
	device  gpu.Info
	middles *closeness.Subdivided // nil unless edge scores are wanted
	trees   *closeness.Trees
	// mul and div convert a length of the trees to one of the whole.
	mul, div float64
	about    *kernels.Reduction
}

// foldsTried are the reductions that are tried; forest is trees that leave nothing.
type foldsTried struct {
	fold                  closeness.Fold
	asked                 bool // for, by the request
	trees, chains, forest bool
}

// foldsToTry are those that are asked for and possible, or may pay.
func (t *task) foldsToTry(d gpu.Info) foldsTried {
	r, j, chained := t.request(), &t.job, t.taking().OfChains()
	g := j.Host
	taken, asked := kernels.TakesTrees(r.Reduce)
	fold, ok := reductions.TreeFold(j.Measure)
	if !taken || !ok || j.Seeks() || !asked && !(j.All && t.taking().OfBatches()) {
		return foldsTried{}
	}
	byChains := chained && (asked || t.pays(d, choice.ByChains))
	return foldsTried{
		fold: fold, asked: asked,
		trees:  asked || t.pays(d, choice.ByBatches),
		chains: byChains && kernels.TakesChains(r.Reduce),
		forest: byChains && g.M() < g.N(),
	}
}

// foldedWays are those for the closeness family on what folding trees and contracting chains leave, where this is asked
// for and possible, or pays. about says what came of it; more is false when nobody wants more ways.
func (t *task) foldedWays(
	_ context.Context, d gpu.Info, yield func(*way, error) bool,
) (about *kernels.Reduction, more bool) {
	tried := t.foldsToTry(d)
	if !tried.trees && !tried.chains && !tried.forest {
		return nil, true
	}
	start := time.Now()
	all := len(t.job.Sources)
	f := &folded{task: t, device: d, about: &kernels.Reduction{Taken: []string{}, Searched: int64(all)}}
	e, why := f.engine(tried)
	f.about.Seconds = time.Since(start).Seconds()
	if e == nil {
		f.about.NotReduced(why)
		return f.about, true
	}
	return f.about, yield(f.way(e, all), nil)
}

// way is the one by an engine on what is left.
func (f *folded) way(e device.Engine, all int) *way {
	w := &way{engine: e, job: f.job(), reduction: f.about, finish: f.finish}
	if f.trees.Folded() > 0 {
		f.about.Taken = append(f.about.Taken, "trees")
	}
	if sourced, ok := e.(interface{ Sources() int }); ok {
		f.about.Taken = append(f.about.Taken, "chains")
		w.job.Want.Sources = sourced.Sources()
	}
	f.about.Searched = int64(w.job.Want.Sources)
	f.about.Reduced(int64(all))
	if w.why = f.task.asked(f.about); f.task.job.Weighted {
		w.ties = "exact" // also where nothing was left to search
	}
	return w
}

// engine makes what is left and the engine for it, or returns why there is none.
func (f *folded) engine(tried foldsTried) (e device.Engine, why string) {
	t := f.task
	notByTrees := t.notByTrees()
	switch {
	case t.job.Host.Directed:
		return nil, "the graph is directed"
	case t.job.Request.Sources != nil:
		return nil, "not all nodes are sources"
	case notByTrees != "" && !tried.chains && !tried.forest:
		return nil, notByTrees
	}
	lengths, whole := f.lengths()
	if !whole || !f.foldTrees(lengths, tried.fold) {
		return nil, "the weights share no tick that 62 bits hold, or are longer than 2^53 ticks"
	}
	if f.trees.Graph.N() == 0 && t.taking().OfChains() {
		return treesAlone{}, ""
	}
	if tried.chains {
		if core := f.contract(tried.asked); core != nil {
			return chains.NewFolds(core, f.trees.Fold(), f.trees.Omega, f.trees.Inside), ""
		}
	}
	return f.onTrees(tried, notByTrees)
}

// onTrees is the engine for what trees alone leave.
func (f *folded) onTrees(tried foldsTried, notByTrees string) (e device.Engine, why string) {
	switch {
	case tried.chains && notByTrees != "":
		return nil, "its chains are too few, or too long; " + notByTrees
	case notByTrees != "":
		return nil, notByTrees
	case tried.chains && !tried.trees:
		return nil, "its chains are too few, or too long"
	}
	g, h := f.task.job.Host, f.trees.Graph
	if all := float64(g.N()) * float64(g.M()); all > 0 {
		f.about.WorkRatio = float64(h.N()) * float64(h.M()) / all
	}
	if f.trees.Folded() == 0 || !tried.asked && !f.treesPay() {
		if tried.chains {
			return nil, "its chains are too few, or too long; " + f.about.Left()
		}
		return nil, f.about.Left()
	}
	return weighted.Engine{}, ""
}

// notByTrees says why the task cannot be done by folding trees alone, or "".
func (t *task) notByTrees() string {
	batches := t.taking().Takes((weighted.Engine{}).Name())
	switch {
	case t.job.Edges:
		return "edge scores need all distances"
	case !t.job.Weighted || allEqual(t.job.Host):
		return "searches by hops on a GPU are of the whole graph"
	case !batches:
		return "on a GPU batched searches alone have nodes stand for others"
	}
	return ""
}

// lengths are those of the arcs of the whole graph, whole numbers; false where there are none such.
func (f *folded) lengths() ([]float64, bool) {
	t := f.task
	g := t.job.Host
	lengths := make([]float64, g.Arcs())
	if !t.job.Weighted {
		for i := range lengths {
			lengths[i] = 1
		}
		f.mul, f.div = 1, 1
		return lengths, true
	}
	ticks, mul, div, ok := t.wholeTicks(g)
	if !ok || len(ticks) > 0 && slices.Max(ticks) > 1<<53 {
		return nil, false
	}
	for i, x := range ticks {
		lengths[i] = float64(x)
	}
	f.mul, f.div = mul, div
	return lengths, true
}

// foldTrees folds the trees of the graph, with middles where edge scores are wanted, and reports whether the numbers
// fit.
func (f *folded) foldTrees(lengths []float64, fold closeness.Fold) bool {
	f.middles, f.trees = closeness.FoldTrees(f.task.job.Host, lengths, fold, f.task.job.Edges)
	return f.trees != nil && (f.middles == nil || f.middles.Exact(f.trees, 0))
}

// job asks for folds on the graph that is left.
func (f *folded) job() device.Job {
	g, job := f.trees.Graph, f.task.job
	job.Host, job.Masses, job.Insides, job.Folded = g, f.trees.Omega, f.trees.Inside, true
	job.Sources, job.All = order.All(g), true
	job.Want.Sources = len(job.Sources)
	job.Want.Edges, job.Want.Nodes = false, true
	job.Size = device.SizeOf(g)
	job.Request = kernels.Request{Params: job.Request.Params, Nodes: true}
	job.Partial = kernels.NewPartial(f.task.measure, g.N(), g.M(), job.Request, f.bounds())
	return job
}

// bounds are those of the graph as it is, by lengths of the trees, of which an edge may have two.
func (f *folded) bounds() kernels.Bounds {
	b := f.task.bounds()
	b.Longest, b.Shortest = 2*b.Longest/f.mul*f.div, b.Shortest/f.mul*f.div/2
	return b
}

// finish fills the scores of the whole graph from folds on what was left.
func (f *folded) finish(p *kernels.Partial) (kernels.Totals, error) {
	t, folds := f.task, p.Folds()
	length := func(ticks float64) float64 { return ticks * f.mul / f.div }
	sums, totals := reductions.UnfoldTrees(f.trees, f.middles, folds.Nodes, folds.NodeCounts, length)
	tooLong := func(length float64) bool { return math.IsInf(length, 0) }
	if slices.ContainsFunc(sums.Nodes, tooLong) || slices.ContainsFunc(sums.Edges, tooLong) {
		return kernels.Totals{}, notOnGPU("a sum of distances passes float64")
	}
	return totals, sums.Scores(t.measure.Name, t.job.Host, t.job.Request, t.nodes, t.edges)
}

// treesPay reports whether the search of what trees leave is ranked before those of the whole graph.
func (f *folded) treesPay() bool {
	t := f.task
	c := t.choiceOf(&t.job, f.device)
	left := c.Left()
	left.Trees = f.about.WorkRatio
	c.Know(left)
	return c.ReducedFirst(t.taking(), choice.ByBatches)
}

// chainsPay reports whether the search between branch nodes is ranked before all others.
func (f *folded) chainsPay(branch, arcs int64) bool {
	t, g, h := f.task, f.task.job.Host, f.trees.Graph
	all, n := float64(g.N())*float64(g.M()), float64(branch)
	chains := min(float64(arcs)/2, float64(h.N())-n)
	c := t.choiceOf(&t.job, f.device)
	left := c.Left()
	left.Search, left.Demand = n*float64(arcs)/2/all, chains*(chains+n)/all
	if f.middles == nil {
		left.Trees = float64(h.N()) * float64(h.M()) / all
	}
	c.Know(left)
	return c.ChainsFirst(t.taking())
}

// contract is the contracted graph, where that is asked for or reckoned to pay, there are chains, and numbers fit; or
// nil.
func (f *folded) contract(asked bool) *closeness.Contracted {
	h, g := f.trees.Graph, f.task.job.Host
	branch, arcs := closeness.CountBranches(h)
	if branch == int64(f.trees.Standing()) || !asked && !f.chainsPay(branch, arcs) {
		return nil
	}
	core := closeness.Contract(h)
	if core == nil || !f.fits(core) {
		return nil
	}
	f.about.WorkRatio = core.WorkRatio(g.N(), g.M())
	return core
}

// fits reports whether distances fit 30 bits, and sums of what nodes stand for 53, so that all numbers are exact.
func (f *folded) fits(core *closeness.Contracted) bool {
	const most = 1 << 30
	sum, greatest, longest := 0.0, 0.0, 0.0
	for _, x := range f.trees.Inside {
		sum, greatest = sum+x, max(greatest, x)
	}
	for _, w := range core.Graph.Weights {
		longest = max(longest, w)
	}
	if f.trees.Fold() == closeness.Greatest {
		sum = 0
	} else {
		greatest = 0
	}
	if greatest >= most || sum > 1<<53 {
		return false
	}
	if longest*float64(len(core.Branch)) >= most && search.LongestTicks(core.Graph, core.Ticks()) >= most {
		return false
	}
	return f.middles == nil || f.middles.Exact(f.trees, most+2*(closeness.MostContracted+1))
}

// allEqual reports whether all weights are the same.
func allEqual(g *export.Graph) bool {
	_, equal := equalWeights(g)
	return equal
}

// equalWeights returns the weight that all arcs have.
func equalWeights(g *export.Graph) (weight float64, ok bool) {
	if len(g.Weights) == 0 || g.Rests != nil {
		return 0, false
	}
	for _, w := range g.Weights {
		if w != g.Weights[0] {
			return 0, false
		}
	}
	return g.Weights[0], true
}
