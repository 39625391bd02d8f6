package worker

import (
	"math/bits"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// folded joins the teams' sums, in the old order.
func (r *hopRun) folded() kernels.Folds {
	n := r.job.Graph.N
	sums := kernelSumBlocks
	if r.fold == kernels.FoldGreatest {
		sums = kernelMaxBlocks
	}
	nodes, counts := r.joined(sums, r.nodes, n, 8), r.joined(kernelSumBlockCounts, r.counts, n, 8)
	out := kernels.Folds{Nodes: r.inOrder(r.taken(nodes, n)), NodeCounts: r.inOrder(r.taken(counts, n))}
	switch {
	case r.job.Edges == nil:
	case r.kind == hopArcs:
		r.arcFolds(&out)
	default:
		r.endScores(nodes, counts)
		out.NoLoops = r.pairs.count == int64(r.job.Host.M())
	}
	r.free(counts)
	r.free(nodes)
	return out
}

// taken downloads count values.
func (r *hopRun) taken(from gpu.Ptr, count int64) []float64 {
	values := make([]float64, count)
	if r.err == nil {
		r.err = gpu.Download(r.device, values, from)
	}
	return values
}

// arcFolds joins what hopArcs leaves at arcs, and at arcs backwards.
func (r *hopRun) arcFolds(out *kernels.Folds) {
	arcs := kernelSumArcs
	if r.fold == kernels.FoldGreatest {
		arcs = kernelMaxArcs
	}
	m := int64(r.job.Host.M())
	sums, counts := r.zeros(8*m), r.zeros(8*m)
	for _, s := range []hopSide{r.outSide, r.inSide} {
		r.joinArcs(arcs, s.sums, s.graph.edges, sums)
		r.joinArcs(kernelSumArcCounts, s.counts, s.graph.edges, counts)
	}
	out.Edges, out.EdgeCounts = r.taken(sums, m), r.taken(counts, m)
	r.free(counts)
	r.free(sums)
}

// joinArcs adds what the teams have for arcs to their edges.
func (r *hopRun) joinArcs(kernel gpu.Kernel, parts, edges, into gpu.Ptr) {
	if r.err == nil {
		r.err = r.device.Launch(kernel, forSums(r.job.Graph.Arcs), parts, r.job.Graph.Arcs, int64(r.team.teams), edges, into)
	}
}

// endScores fills the scores of edges, but of those from a node to itself, by what was folded at their ends, and what hopEnds, hopTurns
// or hopGaps leaves.
func (r *hopRun) endScores(nodes, nodeCounts gpu.Ptr) {
	isSource := make([]uint32, r.job.Graph.N)
	for _, v := range r.places() {
		isSource[v] = 1
	}
	p := r.pairs
	scores, sources := r.zeros(8*int64(len(r.job.Edges))), uploaded(&r.traverse, isSource)
	if r.kind == hopGaps {
		r.joinArcs(kernelSumArcs, r.outSide.sums, r.outSide.graph.edges, scores)
	}
	form, scale, others := kernels.EdgeFormOf(r.job.Measure, r.job.Host, r.job.Request)
	args := putArguments(&r.traverse, hopEdgesArguments{
		fold:      int64(r.fold),
		teams:     int64(r.team.teams),
		pairCount: p.count,
		pairs:     p.ends,
		pairEdges: p.edges,
		pairFolds: p.folds,
		nodes:     nodes,
		counts:    nodeCounts,
		isSource:  sources,
		scores:    scores,
		form:      int64(form),
		scale:     scale,
		others:    others,
	})
	if r.err == nil {
		r.err = r.device.Launch(kernelHopEdges, forEach(p.count), args)
	}
	if r.err == nil {
		r.err = gpu.Download(r.device, r.job.Edges, scores)
	}
	r.free(args)
	r.free(sources)
	r.free(scores)
}

// plotted fills the summary of distances: what the teams found at each level.
func (r *hopRun) plotted() {
	copy(r.job.Hops, r.join(kernelSumBlocks, r.plot, r.job.Graph.N))
	r.job.Farthest[0] = 0
	for h, pairs := range r.job.Hops {
		if pairs > 0 {
			r.job.Farthest[0] = float64(h)
		}
	}
}

// laneWeights are the degrees of the sources, bit by bit: for each batch and bit, the lanes whose degrees have it. It returns the
// number of bits as well.
func (r *hopRun) laneWeights(nodes []int32) (gpu.Ptr, int64) {
	begins := r.inSide.graph.begins
	var most uint32
	for _, v := range nodes {
		most = max(most, begins[v+1]-begins[v])
	}
	count, lanes := bits.Len32(most), int(r.team.lanes)
	masks := make([]uint32, (len(nodes)+lanes-1)/lanes*count*lanes/32)
	for i, v := range nodes {
		first, lane := i/lanes*count*lanes/32, i%lanes
		for bit, degree := 0, begins[v+1]-begins[v]; degree > 0; bit, degree = bit+1, degree>>1 {
			masks[first+(bit*lanes+lane)/32] |= degree & 1 << (lane % 32)
		}
	}
	return uploaded(&r.traverse, masks), int64(count)
}

// volumes fills the scores: the degrees of what each node reaches, and its own.
func (r *hopRun) volumes() {
	sums := r.join(kernelSumBlocks, r.nodes, r.job.Graph.N)
	for i, v := range r.order {
		r.job.Nodes[v] = sums[i] + float64(r.job.Host.Degree(v))
	}
}
