package traversal

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// folds computes a measure of the closeness family. Each block folds its sources into folds of its own.
func (r *run) folds() {
	c, a := r.calls, &r.arrays
	fold, _ := kernels.FoldOf(r.job.Measure)
	args := r.foldArguments(fold)
	l := r.list(r.sequence())
	r.ready()
	sums := r.foldSums(fold == kernels.FoldGreatest)
	if r.job.Demand {
		sums.join = r.joinDemandedFolds
	}
	s := r.search(l, sums, r.foldKernel(), r.layout.shape.blocks, args)
	if err := r.job.Resolves(); err != nil {
		// An arc that does not lengthen a path leaves no result. The first sources show whether there is one.
		s.from(0, min(s.blocks, s.cut.count))
		if r.lostArc(); c.Err == nil {
			c.Err = err
		}
		return
	}
	s.bySamples()
	n, m := r.job.Graph.N, int64(r.job.Host.M())
	if !r.job.Demand { // otherwise each atom adds its own
		r.addTotals()
	}
	for i, of := range r.job.Each() {
		into, before := of.Partial, int64(i*r.layout.shape.blocks)
		r.addCounts(into.NodeCounts, a.nodeCounts.At(4*n*before), n)
		r.addCounts(into.EdgeCounts, a.edgeCounts.At(4*m*before), m)
		if fold == kernels.FoldGreatest {
			r.joinGreatest(into.MostNodes, a.nodes, n)
			r.joinGreatest(into.MostEdges, a.edges, m)
			continue
		}
		values := of.Room(nil)
		r.calls.AddExact(into.Nodes, int(n), a.joinedNodes.At(device.WordBytes*n*int64(i)), 0, values.Nodes)
		r.calls.AddExact(into.Edges, int(m), a.joinedEdges.At(device.WordBytes*m*int64(i)), 0, values.Edges)
	}
	c.Free(args)
	r.freeList(l)
}

// foldArguments fills Folds of folds.cuh.
func (r *run) foldArguments(fold kernels.Fold) gpu.Ptr {
	a, g := r.arrays, r.job.Graph
	return device.Put(r.calls, foldsArguments{
		fold:        int64(fold),
		nodes:       a.nodes,
		nodeCounts:  a.nodeCounts,
		edges:       a.edges,
		edgeCounts:  a.edgeCounts,
		outEdges:    g.Edges,
		inEdges:     g.In.Edges,
		m:           int64(r.job.Host.M()),
		hops:        a.hops,
		nodeDemands: a.nodeDemands,
		edgeDemands: a.edgeDemands,
	})
}

// foldSums joins sums to exact sums. The greatest distances are the same in any parts, and so are counts: those are
// joined once, at the end.
func (r *run) foldSums(greatest bool) *blockSums {
	a, c, n, m := &r.arrays, r.calls, r.job.Graph.N, int64(r.job.Host.M())
	blocks := r.layout.shape.blocks
	clearAll := func(nodes, edges gpu.Ptr, bytes int64) {
		all := bytes * int64(blocks*r.layout.ranges)
		c.Clear(nodes, n*all)
		if edges != 0 {
			c.Clear(edges, m*all)
		}
	}
	sums := &blockSums{
		join: func(int, int) {
			for i, of := range r.job.Each() {
				before, words := 8*int64(i*blocks), device.WordBytes*int64(i)
				c.AddBlocks(a.nodes.At(n*before), n, blocks, of.Partial.Scale(), a.joinedNodes.At(n*words))
				if a.edges != 0 {
					c.AddBlocks(a.edges.At(m*before), m, blocks, of.Partial.Scale(), a.joinedEdges.At(m*words))
				}
			}
		},
		clear: func() {
			clearAll(a.nodes, a.edges, 8)
			if a.nodeDemands != 0 {
				clearAll(a.nodeDemands, a.edgeDemands, 8)
			}
		},
		discard: func() {
			clearAll(a.nodes, a.edges, 8)
			if a.nodeDemands != 0 {
				clearAll(a.nodeDemands, a.edgeDemands, 8)
			}
			clearAll(a.nodeCounts, a.edgeCounts, 4)
			r.clearTotals()
		},
	}
	if greatest {
		sums.join, sums.clear = func(int, int) {}, func() {}
	}
	return sums
}

// addCounts adds the counts of the blocks.
func (r *run) addCounts(into []int64, parts gpu.Ptr, count int64) {
	if len(into) == 0 || r.calls.Err != nil {
		return
	}
	for i, x := range r.calls.Join(device.KernelSumBlockCounts, parts, count, r.layout.shape.blocks) {
		into[i] += int64(x)
	}
}

// joinGreatest takes the greatest distances of the blocks.
func (r *run) joinGreatest(into []float64, parts gpu.Ptr, count int64) {
	if len(into) == 0 || r.calls.Err != nil {
		return
	}
	for i, x := range r.calls.Join(device.KernelMaxBlocks, parts, count, r.layout.shape.blocks) {
		into[i] = max(into[i], x)
	}
}
