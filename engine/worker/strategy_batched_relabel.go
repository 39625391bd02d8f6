package worker

import (
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

// reordered is a run on a graph whose nodes are in the order of batches.
type reordered struct {
	traverse
	// order gives the old number of each new node, place the reverse. turns are the old nodes in the order of batches.
	order, place, turns []int32
	out, in             relabelled
	// profile is what the kernels of a profile count in, or 0; profiled what they counted.
	profile  gpu.Ptr
	profiled *profile.Profile
}

// relabelled is a graph in the new order.
type relabelled struct {
	offsets, targets, edges gpu.Ptr
	// begins are the offsets in host memory.
	begins []uint32
	// long says that some node has more arcs than hubDegree.
	long bool
}

// hub is the number of arcs over which a block handles a row together: hubDegree, or more where more than mostHubs rows are longer.
func (r relabelled) hub() int64 {
	var long []uint32
	for i, begin := range r.begins[:len(r.begins)-1] {
		if degree := r.begins[i+1] - begin; degree > hubDegree {
			long = append(long, degree)
		}
	}
	if len(long) <= mostHubs {
		return hubDegree
	}
	slices.Sort(long)
	return int64(long[len(long)-1-mostHubs])
}

// relabel puts the graph into the order of batches of so many lanes, on the device; bothEdges keeps the edges of arcs backwards too.
func (r *reordered) relabel(lanes int64, bothEdges bool) {
	r.order, r.turns = order.ByHops(r.job.Host, r.job.Sources, r.job.depthOfHost(), lanes)
	r.relabelInOrder(bothEdges)
}

// relabelInOrder is relabel by the order that the run has.
func (r *reordered) relabelInOrder(bothEdges bool) {
	r.place = make([]int32, len(r.order))
	for i, v := range r.order {
		r.place[v] = int32(i)
	}
	from, to := uploaded(&r.traverse, r.order), uploaded(&r.traverse, r.place)
	g := r.job.Graph
	r.out = r.relabelRows(r.job.Host, g, from, to, r.job.Edges != nil)
	r.in = r.out
	if g.In != g {
		r.in = r.relabelRows(r.job.Host.Transpose(), g.In, from, to, bothEdges && r.job.Edges != nil)
	}
	r.free(to)
	r.free(from)
}

func (r *reordered) relabelRows(host *export.Graph, g *Graph, from, to gpu.Ptr, withEdges bool) relabelled {
	out := relabelled{begins: make([]uint32, g.N+1)}
	for i, v := range r.order {
		degree := uint32(host.Degree(v))
		out.begins[i+1] = out.begins[i] + degree
		out.long = out.long || degree > hubDegree
	}
	out.offsets, out.targets = uploaded(&r.traverse, out.begins), r.alloc(4*g.Arcs)
	if withEdges {
		out.edges = r.alloc(4 * g.Arcs)
	}
	if r.err == nil {
		r.err = r.device.Launch(kernelRelabelRows, forEach(32*r.job.Graph.N),
			uint32(g.N), g.Offsets, g.Targets, g.Edges, from, to, out.offsets, out.targets, out.edges)
	}
	return out
}

// takeSums makes room for slots of sums, and has the masses on the device.
func (r *reordered) takeSums(slots int) {
	if r.job.Masses != nil {
		masses := make([]float64, len(r.order))
		for i, v := range r.order {
			masses[i] = r.job.Masses[v]
		}
		r.masses = uploaded(&r.traverse, masses)
	}
	if r.job.Nodes != nil {
		r.nodes = r.zeros(8 * r.job.Graph.N * int64(slots))
	}
	if r.job.Edges != nil {
		r.edges = r.zeros(8 * r.job.Graph.Arcs * int64(slots))
	}
}

// places are the new numbers of the job's sources, in the order of batches.
func (r *reordered) places() []int32 {
	out := order.Arrange(r.job.Sources, r.turns, r.job.Host.N())
	for i, v := range out {
		out[i] = r.place[v]
	}
	return out
}

// teamTotals adds up the teams' totals.
func (r *reordered) teamTotals(teams int) kernels.Totals {
	var out kernels.Totals
	totals := make([]int64, 2*teams)
	if r.err == nil {
		r.err = gpu.Download(r.device, totals, r.totals)
	}
	for i := 0; r.err == nil && i < len(totals); i += 2 {
		out.Pairs += totals[i]
		out.Distance += float64(totals[i+1])
	}
	return out
}

// orderedScores fills the scores of betweenness.
func (r *reordered) orderedScores() {
	r.orderedSums(kernels.BetweennessFactors(r.job.Host, r.job.Request))
}

// orderedSums fills the scores with factors times the teams' sums, in the old order.
func (r *reordered) orderedSums(nodes, edges float64) {
	if r.err == nil && r.job.Nodes != nil {
		for i, x := range r.join(kernelSumBlocks, r.nodes, r.job.Graph.N) {
			r.job.Nodes[r.order[i]] = x * nodes
		}
	}
	if r.job.Edges == nil {
		return
	}
	g := *r.job.Graph
	g.Edges = r.out.edges
	r.sumEdges(&g, edges)
}

// inOrder puts values of nodes back into the old order.
func (r *reordered) inOrder(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, x := range values {
		out[r.order[i]] = x
	}
	return out
}
