package weighted

import (
	"slices"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// addResults adds what the sources add up to, with room for values as that of device.Job.
func (r *run) addResults(values device.Values) {
	r.addTotals()
	j := r.job
	switch {
	case r.calls.Err != nil || wantsRows(j.Want):
	case j.Measure == device.Distances:
		r.addFarthest()
	case j.Folds():
		r.addFolds(values)
	case j.Kind() == kernels.PathCounts:
		r.addPathCounts()
	default:
		r.graph.AddNodes(j.Partial.Nodes, r.arrays.nodes, values.Nodes)
		r.graph.AddEdges(j.Partial.Edges, r.arrays.edges, values.Edges)
	}
}

// totalScale is that of the sum of all distances.
func (r *run) totalScale() exact.Scale {
	j := r.job
	if j.Partial != nil && j.Partial.Distance != nil {
		return j.Partial.Distance.Scale
	}
	longest := kernels.BoundsOf(j.Host, kernels.Request{Params: j.Params}, 0).Longest
	return exact.For(float64(len(j.Sources))*float64(j.Graph.N)*longest, 2*batchesOf(len(j.Sources)))
}

// addTotals adds the pairs and distances that were met.
func (r *run) addTotals() {
	var pairs [1]int64
	device.Download(r.calls, pairs[:], r.arrays.pairs)
	total := r.calls.Words(r.arrays.totals, 1)
	switch p := r.job.Partial; {
	case r.calls.Err != nil || p == nil:
	case p.Distance != nil:
		p.AddWord(pairs[0], total[0])
	default:
		p.AddTotals(pairs[:], []float64{r.totalScale().Value(total[0])})
	}
}

// addFarthest fills the summary of distances: the greatest that any node has. There are no hops.
func (r *run) addFarthest() {
	clear(r.job.Hops)
	for _, x := range r.floats(r.arrays.nodes, r.job.Graph.N) {
		r.job.Farthest[0] = max(r.job.Farthest[0], x)
	}
}

// floats returns count numbers.
func (r *run) floats(from gpu.Ptr, count int64) []float64 {
	out := make([]float64, count)
	device.Download(r.calls, out, from)
	return out
}

// addFolds adds folded distances, and from how many sources they are.
func (r *run) addFolds(values device.Values) {
	p, a, c := r.job.Partial, &r.arrays, r.calls
	nodes := r.graph.Nodes
	r.graph.AddNodes(p.Nodes, a.nodes, values.Nodes)
	if p.MostNodes != nil {
		for i, x := range r.floats(a.nodes, int64(len(nodes))) {
			p.MostNodes[nodes[i]] = max(p.MostNodes[nodes[i]], x)
		}
	}
	counts := make([]uint32, len(nodes))
	device.Download(c, counts, a.nodeCounts)
	for i, count := range counts {
		p.NodeCounts[nodes[i]] += int64(count)
	}
	if a.edges == 0 || c.Err != nil {
		return
	}
	g := *r.job.Graph
	g.Edges = r.graph.Out.Edges
	r.graph.AddEdges(p.Edges, a.edges, values.Edges)
	if p.MostEdges != nil {
		for e, x := range c.JoinEdges(device.KernelMaxArcs, a.edges, &g, 1, len(p.MostEdges)) {
			p.MostEdges[e] = max(p.MostEdges[e], x)
		}
	}
	for e, count := range c.JoinEdges(device.KernelSumArcCounts, a.edgeCounts, &g, 1, len(p.EdgeCounts)) {
		p.EdgeCounts[e] += int64(count)
	}
}

// distanceRows finds the distances of as many batches at a time as there are teams, and copies them to the rows of
// their sources.
func (r *run) distanceRows(sources []int32) {
	j, n := r.job, int(r.job.Graph.N)
	row := make([]int, n) // of each source, by its new number
	for i, v := range j.Sources {
		row[r.graph.Place()[v]] = i
	}
	found, done := make([]float64, r.team.teams*weightedLanes*n), 0
	for part := range slices.Chunk(sources, r.team.teams*weightedLanes) {
		r.launch(foldKernel(r.metric.Name, r.layout.bounded), part, done)
		if device.Download(r.calls, found[:len(part)*n], r.arrays.rows); r.calls.Err != nil {
			return
		}
		for i, v := range part {
			copy(j.Rows[row[v]*n:], found[i*n:(i+1)*n])
		}
		done += len(part)
	}
}
