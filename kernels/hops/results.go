package hops

import (
	"math"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// results adds what the teams found to what the job wants.
func (r *run) results() {
	if r.shape.kind != weights {
		batches.AddTotals(r.calls, r.job.Partial, r.arrays.totals, r.shape.team.teams)
	}
	if r.calls.Err != nil {
		return
	}
	if r.arrays.plot != 0 {
		r.addPlot()
		return
	}
	var j joined
	r.shape.results(r.job.Want, &j).Take(r.calls)
	r.join(kernelHopJoinNodes, r.job.Graph.N, r.arrays.nodes, 0, j.nodes, j.nodeCounts)
	if r.job.Edges {
		r.joinEdges(j)
		r.addEdges(j)
	}
	r.addNodes(j)
}

// join launches a kernel that joins the teams' sums of count nodes, or arcs with their edges.
func (r *run) join(kernel gpu.Kernel, count int64, of sums, edges, out, outCounts gpu.Ptr) {
	args := device.Put(r.calls, hopJoinedArguments{
		fold:      int64(r.shape.numbers.fold),
		teams:     int64(r.shape.team.teams),
		count:     count,
		sums:      of.sums,
		over:      of.over,
		counts:    of.counts,
		edges:     edges,
		out:       out,
		outCounts: outCounts,
	})
	r.calls.Launch(kernel, device.ForEach(count), args)
	r.calls.Free(args)
}

// joinEdges folds at the edges: what arcs have, and what the ends of edges have.
func (r *run) joinEdges(j joined) {
	a, k, along := r.arrays, r.shape.kind, r.job.Graph.Arcs
	if k == gaps || k == arcs {
		r.join(kernelHopJoinArcs, along, a.out, r.out.rows.Edges, j.edges, j.edgeCounts)
	}
	if k == arcs {
		r.join(kernelHopJoinArcs, along, a.in, r.in.rows.Edges, j.edges, j.edgeCounts)
		return
	}
	isSource := make([]uint32, r.job.Graph.N)
	for _, v := range r.sources {
		isSource[v] = 1
	}
	r.calls.Do(func() error { return r.calls.Device.CopyIn(j.isSource, gpu.Bytes(isSource)) })
	args := device.Put(r.calls, hopEdgesArguments{
		fold:      int64(r.shape.numbers.fold),
		teams:     int64(r.shape.team.teams),
		pairCount: a.pairs.count,
		pairs:     a.pairs.ends,
		pairEdges: a.pairs.edges,
		pairFolds: a.pairs.folds,
		nodes:     j.nodes,
		counts:    j.nodeCounts,
		isSource:  j.isSource,
		one:       r.one(),
		out:       j.edges,
		outCounts: j.edgeCounts,
	})
	r.calls.Launch(kernelHopEdges, device.ForEach(a.pairs.count), args)
	r.calls.Free(args)
}

// words makes exact sums of count joined ones, and returns where they are.
func (r *run) words(sums gpu.Ptr, count int64) gpu.Ptr {
	s, words := r.job.Partial.Scale(), r.calls.Alloc(device.WordBytes*count)
	r.calls.Launch(kernelHopWords, device.ForEach(count), sums, count,
		int64(r.point()), int64(math.Ilogb(s.Unit)), int64(math.Ilogb(s.Fine)), words)
	return words
}

// addNodes adds the folds of nodes, or their volumes, to the partial result.
func (r *run) addNodes(j joined) {
	p, c, n := r.job.Partial, r.calls, r.job.Graph.N
	if r.shape.numbers.fold == kernels.FoldGreatest {
		sums := make([]uint64, 2*n)
		device.Download(c, sums, j.nodes)
		for i, v := range r.graph.Nodes {
			p.MostNodes[v] = max(p.MostNodes[v], float64(sums[2*i]))
		}
	} else {
		room := r.job.Room(nil)
		if r.shape.kind == weights { // addOwn adds to them
			room = device.Values{}
		}
		r.graph.AddNodes(p.Nodes, r.words(j.nodes, n), room.Nodes)
	}
	if r.shape.kind == weights {
		r.addOwn()
		return
	}
	counts := make([]uint32, n)
	device.Download(c, counts, j.nodeCounts)
	for i, v := range r.graph.Nodes {
		p.NodeCounts[v] += int64(counts[i])
	}
}

// addOwn adds the degree of each node to its volume, once in all shards: no search finds its own source.
func (r *run) addOwn() {
	if r.calls.Err != nil || r.job.Shard.Index > 0 {
		return
	}
	for v := range int32(r.job.Host.N()) {
		r.job.Partial.Nodes.Add(int(v), float64(r.job.Host.Degree(v)))
	}
}

// addEdges adds the folds of edges to the partial result.
func (r *run) addEdges(j joined) {
	p, c := r.job.Partial, r.calls
	m := len(p.EdgeCounts)
	counts := make([]uint32, m)
	device.Download(c, counts, j.edgeCounts)
	if r.shape.numbers.fold == kernels.FoldGreatest {
		most := make([]uint32, m)
		device.Download(c, most, j.edges)
		inparts.Do(m, func(first, last int) {
			for e := first; e < last; e++ {
				p.MostEdges[e] = max(p.MostEdges[e], float64(most[e]))
				p.EdgeCounts[e] += int64(counts[e])
			}
		})
		return
	}
	c.AddExact(p.Edges, m, r.words(j.edges, int64(m)), 0, r.job.Room(nil).Edges)
	inparts.Do(m, func(first, last int) {
		for e := first; e < last; e++ {
			p.EdgeCounts[e] += int64(counts[e])
		}
	})
}

// addPlot adds what the teams found at each level to the summary of distances.
func (r *run) addPlot() {
	plot := r.calls.Join(device.KernelSumBlocks, r.arrays.plot, r.job.Graph.N, r.shape.team.teams)
	if r.calls.Err != nil {
		return
	}
	for h, pairs := range plot {
		if r.job.Hops[h] += pairs; pairs > 0 {
			r.job.Farthest[0] = max(r.job.Farthest[0], float64(h))
		}
	}
}
