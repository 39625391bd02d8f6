package worker

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// chainsPay compares the time of the searches and demands that chains leave with that of the best search without them.
func chainsPay(i reduce.Info, j *device.Job) bool {
	with := i.SearchRatio/chainArcs + i.DemandRatio/chainPairs
	rate := float64(weightedArcs)
	switch {
	case j.Weighted:
	case j.Deep():
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

// treesPay says whether there are nodes of degree 1, and folding them is reckoned to take less of the host than it saves of the device where
// reducedShare of the work is left.
func treesPay(j *device.Job) bool {
	g := j.Host
	if g.Directed || j.Edges || !j.Weighted || j.Request.Sources != nil || !byWeights(j) {
		return false
	}
	if allEqual(g) {
		return false
	}
	n, m := float64(g.N()), float64(g.M())
	return float64(leaves(g)) > leastLeaves*n && (1-reducedShare)*n*m/foldArcs > treeTime*(n+m)
}

// mayContractFolds says whether so few nodes have three neighbours or more that it is worth looking at chains: by hops on deep graphs alone, whose
// batches are slow.
func mayContractFolds(j *device.Job) bool {
	g := j.Host
	if g.Directed || j.Request.Sources != nil || g.N() <= tinyGraph {
		return false
	}
	return float64(branching(g)) <= branchingShare*float64(g.N()) && (j.Weighted && !allEqual(g) || j.Deep())
}

// chainsPay compares the time with chains with that of batches on what trees leave, by hops of all.
func (f *folded) chainsPay(branch, arcs int64) bool {
	g, h, n := f.task.job.Host, f.trees.Graph, float64(branch)
	chains := min(float64(arcs)/2, float64(h.N())-n)
	with := n*float64(arcs)/2/chainFoldArcs + chains*(chains+n)/chainFoldPairs + chainFoldStart
	without := float64(h.N()) * float64(h.M()) / foldArcs
	switch whole := float64(g.N()) * float64(g.M()); {
	case !f.task.job.Weighted || allEqual(g):
		without = whole / deepHopArcs
	case f.middles != nil:
		without = whole / foldArcs
	}
	return with <= chainsGain*without
}
