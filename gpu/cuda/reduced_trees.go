package cuda

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// treed is a job of the closeness family whose graph has its trees folded; see "Other measures" in docs/chains.md.
type treed struct {
	whole Job // as it was ordered
	trees *reduce.Trees
	// mul and div convert a length of the trees to one of the whole.
	mul, div float64
}

// foldTrees puts what folding trees leaves in the place of the job's graph, where this is asked for and possible, or pays.
func (w *work) foldTrees() {
	g, r := w.graph, w.job.Request
	taken, asked := kernels.TakesTrees(r.Reduce)
	fold, ok := kernels.TreeFold(w.job.Measure)
	if !taken || !ok || !asked && !treesPay(&w.job) {
		return
	}
	start := time.Now()
	w.reduction = &kernels.Reduction{Taken: []string{}, Searched: int64(len(w.job.Sources))}
	keep := func(why string) { w.reduction.Reason = "not reduced: " + why }
	batches := w.order.Strategy == "batched" || w.order.Strategy == "auto" && w.job.batchedByWeights()
	_, equal := equalWeights(g)
	switch {
	case g.Directed:
		keep("the graph is directed")
		return
	case r.Edges:
		keep("edge scores need all distances")
		return
	case r.Sources != nil:
		keep("not all nodes are sources")
		return
	case !r.Weighted || equal:
		keep("searches by hops on a GPU are of the whole graph")
		return
	case !batches:
		keep("on a GPU batched searches alone have nodes stand for others")
		return
	}
	ticks, mul, div, whole := kernels.WholeTicks(g)
	lengths := make([]float64, len(ticks))
	for i, t := range ticks {
		lengths[i] = float64(t)
	}
	if !whole || len(ticks) > 0 && slices.Max(ticks) > 1<<53 {
		keep("the weights share no tick that 62 bits hold, or are longer than 2^53 ticks")
		return
	}
	trees := reduce.FoldTrees(g, lengths, fold)
	h := trees.Graph
	if all := float64(g.N()) * float64(g.M()); all > 0 {
		w.reduction.WorkRatio = float64(h.N()) * float64(h.M()) / all
	}
	w.reduction.Seconds = time.Since(start).Seconds()
	left := fmt.Sprintf("%.3g %% of the work is left", 100*w.reduction.WorkRatio)
	if trees.Folded() == 0 || !asked && w.reduction.WorkRatio > reducedShare {
		keep(left)
		return
	}
	w.reduction.Taken, w.reduction.Searched = []string{"trees"}, int64(h.N())
	w.reduction.Reason = fmt.Sprintf("reduced by trees: %s, searched from %d of %d nodes", left, h.N(), g.N())
	w.treed = &treed{whole: w.job, trees: trees, mul: mul, div: div}
	w.graph, w.job = h, w.treed.job()
}

// treesPay says whether there are nodes of degree 1, and folding them is reckoned to take less of the host than it saves of the device where
// reducedShare of the work is left.
func treesPay(j *Job) bool {
	g := j.Host
	if g.Directed || j.Edges != nil || !j.Weighted || j.Request.Sources != nil || !j.batchedByWeights() {
		return false
	}
	if _, equal := equalWeights(g); equal {
		return false
	}
	leaves := 0
	for v := range int32(g.N()) {
		if g.Degree(v) == 1 {
			leaves++
		}
	}
	n, m := float64(g.N()), float64(g.M())
	return float64(leaves) > leastLeaves*n && (1-reducedShare)*n*m/foldArcs > treeTime*(n+m)
}

// job asks for folds on the graph that is left.
func (t *treed) job() Job {
	g, job := t.trees.Graph, t.whole
	job.Host, job.Masses, job.Insides, job.Folded = g, t.trees.Omega, t.trees.Inside, true
	job.Sources = allNodes(g)
	job.Want.Sources = len(job.Sources)
	job.Nodes, job.Counts = make([]float64, g.N()), make([]float64, g.N())
	job.Request = kernels.Request{Params: t.whole.Request.Params, Nodes: true}
	return job
}

// scores fills the scores of the whole graph from those of the job on what was left.
func (t *treed) scores(job *Job) (kernels.Totals, error) {
	folds, reached := t.trees.Unfold(job.Nodes, job.Counts)
	totals := kernels.Totals{}
	for v, x := range folds {
		folds[v] = x * t.mul / t.div
		if math.IsInf(folds[v], 0) {
			return kernels.Totals{}, notOnGPU("a sum of distances passes float64")
		}
		totals.Distance += folds[v]
		totals.Pairs += int64(reached[v])
	}
	if totals.NoDistance = t.trees.Fold() != reduce.Sum; totals.NoDistance {
		totals.Distance = 0
	}
	sums := kernels.Folds{Nodes: folds, NodeCounts: reached}
	return totals, sums.Scores(t.whole.Measure, t.whole.Host, t.whole.Request, t.whole.Nodes, nil)
}
