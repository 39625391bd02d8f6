package worker

import (
	"math"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// leadsBack is the way from what was computed on a reduced graph to the scores of the whole.
type leadsBack interface {
	scores(job *Job) (kernels.Totals, error)
}

// foldedJob is a job of the closeness family whose graph has its trees folded, and its chains contracted; see docs/design/reductions.md.
type foldedJob struct {
	whole   Job                   // as it was ordered
	middles *closeness.Subdivided // nil unless edge scores are wanted
	trees   *closeness.Trees
	// chains is nil where all nodes that trees leave are searched from.
	chains *chainFolds
	// mul and div convert a length of the trees to one of the whole.
	mul, div float64
}

// foldsTried are the reductions that are tried on a job of the closeness family; forest is trees that leave nothing.
type foldsTried struct {
	fold                  closeness.Fold
	asked                 bool // for, by the request
	trees, chains, forest bool
}

// foldsToTry are those that are asked for and possible, or may pay.
func (w *work) foldsToTry() foldsTried {
	g, r, auto := w.graph, w.job.Request, w.mayChain()
	taken, asked := kernels.TakesTrees(r.Reduce)
	fold, ok := reductions.TreeFold(w.job.Measure)
	if !taken || !ok {
		return foldsTried{}
	}
	return foldsTried{
		fold: fold, asked: asked,
		trees:  asked || treesPay(&w.job),
		chains: auto && !w.tooLarge && kernels.TakesChains(r.Reduce) && (asked || mayContractFolds(&w.job)),
		forest: auto && g.M() < g.N() && (asked || g.N() > tinyGraph && !g.Directed && r.Sources == nil),
	}
}

// reduceFolds puts what folding trees and contracting chains leave in the place of the job's graph, where this is asked for and possible, or pays.
func (w *work) reduceFolds() {
	tried := w.foldsToTry()
	if !tried.trees && !tried.chains && !tried.forest {
		return
	}
	start := time.Now()
	all := len(w.job.Sources)
	w.reduction = &kernels.Reduction{Taken: []string{}, Searched: int64(all)}
	f, why := w.fold(tried)
	w.reduction.Seconds = time.Since(start).Seconds()
	if f == nil {
		w.reduction.NotReduced(why)
		return
	}
	if f.trees.Folded() > 0 {
		w.reduction.Taken = append(w.reduction.Taken, "trees")
	}
	w.graph, w.job = f.trees.Graph, f.job()
	if f.chains != nil {
		w.reduction.Taken = append(w.reduction.Taken, "chains")
		w.graph = &export.Graph{Offsets: []int64{0}} // the strategy uploads what it needs
	}
	w.folded, w.reduction.Searched = f, int64(len(w.job.Sources))
	w.reduction.Reduced(int64(all))
}

// fold makes the job on what is left, or returns nil and why there is none.
func (w *work) fold(tried foldsTried) (f *foldedJob, why string) {
	notByTrees := w.notByTrees()
	switch {
	case w.graph.Directed:
		return nil, "the graph is directed"
	case w.job.Request.Sources != nil:
		return nil, "not all nodes are sources"
	case notByTrees != "" && !tried.chains && !tried.forest:
		return nil, notByTrees
	}
	f = &foldedJob{whole: w.job}
	lengths, whole := f.lengths(w)
	if !whole || !f.foldTrees(lengths, tried.fold) {
		return nil, "the weights share no tick that 62 bits hold, or are longer than 2^53 ticks"
	}
	none := f.trees.Graph.N() == 0 && w.mayChain()
	if !none && tried.chains && f.contract(w.reduction, tried.asked) {
		return f, ""
	}
	switch {
	case none:
	case tried.chains && notByTrees != "":
		return nil, "its chains are too few, or too long; " + notByTrees
	case notByTrees != "":
		return nil, notByTrees
	case tried.chains && !tried.trees:
		return nil, "its chains are too few, or too long"
	default:
		if f.left(w.reduction); f.trees.Folded() == 0 || !tried.asked && w.reduction.WorkRatio > reducedShare {
			return nil, w.reduction.Left()
		}
	}
	return f, ""
}

// notByTrees says why the job cannot be done by folding trees alone, or "".
func (w *work) notByTrees() string {
	batches := w.order.Strategy == "batched" || w.order.Strategy == "auto" && w.job.batchedByWeights()
	switch {
	case w.job.Edges != nil:
		return "edge scores need all distances"
	case !w.job.Weighted || equalByWeights(w.graph):
		return "searches by hops on a GPU are of the whole graph"
	case !batches:
		return "on a GPU batched searches alone have nodes stand for others"
	}
	return ""
}

// lengths are those of the arcs of the whole graph, whole numbers; false where there are none such.
func (f *foldedJob) lengths(w *work) ([]float64, bool) {
	g := f.whole.Host
	lengths := make([]float64, g.Arcs())
	if !f.whole.Weighted {
		for i := range lengths {
			lengths[i] = 1
		}
		f.mul, f.div = 1, 1
		return lengths, true
	}
	ticks, mul, div, ok := w.wholeTicks(g)
	if !ok || len(ticks) > 0 && slices.Max(ticks) > 1<<53 {
		return nil, false
	}
	for i, t := range ticks {
		lengths[i] = float64(t)
	}
	f.mul, f.div = mul, div
	return lengths, true
}

// foldTrees folds the trees of the graph, with middles where edge scores are wanted, and says whether the numbers fit.
func (f *foldedJob) foldTrees(lengths []float64, fold closeness.Fold) bool {
	f.middles, f.trees = closeness.FoldTrees(f.whole.Host, lengths, fold, f.whole.Edges != nil)
	return f.trees != nil && (f.middles == nil || f.middles.Exact(f.trees, 0))
}

// left sets the share of the work that trees leave.
func (f *foldedJob) left(about *kernels.Reduction) {
	g, h := f.whole.Host, f.trees.Graph
	if all := float64(g.N()) * float64(g.M()); all > 0 {
		about.WorkRatio = float64(h.N()) * float64(h.M()) / all
	}
}

// treesPay says whether there are nodes of degree 1, and folding them is reckoned to take less of the host than it saves of the device where
// reducedShare of the work is left.
func treesPay(j *Job) bool {
	g := j.Host
	if g.Directed || j.Edges != nil || !j.Weighted || j.Request.Sources != nil || !j.batchedByWeights() {
		return false
	}
	if equalByWeights(g) {
		return false
	}
	n, m := float64(g.N()), float64(g.M())
	return float64(leaves(g)) > leastLeaves*n && (1-reducedShare)*n*m/foldArcs > treeTime*(n+m)
}

// job asks for folds on the graph that is left.
func (f *foldedJob) job() Job {
	g, job := f.trees.Graph, f.whole
	job.Host, job.Masses, job.Insides, job.Folded = g, f.trees.Omega, f.trees.Inside, true
	if job.Sources = order.All(g); f.chains != nil {
		job.Sources = make([]int32, len(f.chains.core.Branch))
	}
	job.Want.Sources = len(job.Sources)
	job.Nodes, job.Counts = make([]float64, g.N()), make([]float64, g.N())
	job.Edges, job.Want.Edges, job.Want.Nodes = nil, false, true
	job.Request = kernels.Request{Params: f.whole.Request.Params, Nodes: true}
	return job
}

// scores fills the scores of the whole graph from those of the job on what was left.
func (f *foldedJob) scores(job *Job) (kernels.Totals, error) {
	sums, totals := reductions.UnfoldTrees(f.trees, f.middles, job.Nodes, job.Counts, func(ticks float64) float64 { return ticks * f.mul / f.div })
	tooLong := func(length float64) bool { return math.IsInf(length, 0) }
	if slices.ContainsFunc(sums.Nodes, tooLong) || slices.ContainsFunc(sums.Edges, tooLong) {
		return kernels.Totals{}, notOnGPU("a sum of distances passes float64")
	}
	return totals, sums.Scores(f.whole.Measure, f.whole.Host, f.whole.Request, f.whole.Nodes, f.whole.Edges)
}

// mayContractFolds says whether so few nodes have three neighbours or more that it is worth looking at chains: by hops on deep graphs alone, whose
// batches are slow.
func mayContractFolds(j *Job) bool {
	g := j.Host
	if g.Directed || j.Request.Sources != nil || g.N() <= tinyGraph {
		return false
	}
	return float64(branching(g)) <= branchingShare*float64(g.N()) && (j.Weighted && !equalByWeights(g) || j.deep())
}

func equalByWeights(g *export.Graph) bool {
	_, equal := equalWeights(g)
	return equal
}

// contract sets f.chains where contracting chains is asked for or reckoned to pay, there are any, and numbers fit. It says whether it did.
func (f *foldedJob) contract(about *kernels.Reduction, asked bool) bool {
	h, g := f.trees.Graph, f.whole.Host
	branch, arcs := closeness.CountBranches(h)
	if branch == int64(f.trees.Standing()) || !asked && !f.chainsPay(branch, arcs) {
		return false
	}
	core := closeness.Contract(h)
	if core == nil || !f.fits(core) {
		return false
	}
	about.WorkRatio = core.WorkRatio(g.N(), g.M())
	f.chains = &chainFolds{core: core, fold: f.trees.Fold()}
	return true
}

// chainsPay compares the time with chains with that of batches on what trees leave, by hops of all.
func (f *foldedJob) chainsPay(branch, arcs int64) bool {
	g, h, n := f.whole.Host, f.trees.Graph, float64(branch)
	chains := min(float64(arcs)/2, float64(h.N())-n)
	with := n*float64(arcs)/2/chainFoldArcs + chains*(chains+n)/chainFoldPairs + chainFoldStart
	without := float64(h.N()) * float64(h.M()) / foldArcs
	switch whole := float64(g.N()) * float64(g.M()); {
	case !f.whole.Weighted || equalByWeights(g):
		without = whole / deepHopArcs
	case f.middles != nil:
		without = whole / foldArcs
	}
	return with <= chainsGain*without
}

// fits says whether distances fit 30 bits, and sums of what nodes stand for 53, so that all numbers are exact.
func (f *foldedJob) fits(core *closeness.Contracted) bool {
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
