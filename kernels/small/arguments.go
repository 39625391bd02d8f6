package small

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// arguments fills BatchedSmall of small.cuh.
func (r *run) arguments(sources, failed, control gpu.Ptr) gpu.Ptr {
	m, a, p := r.metric, r.arrays, r.places
	edges, nodeCounts := int64(0), gpu.Ptr(0)
	if r.job.Folds() {
		edges, nodeCounts = int64(r.job.Host.M()), a.sums.At(p.partCounts)
	}
	return device.Put(r.calls, batchedSmallArguments{
		n:          r.job.Graph.N,
		arcs:       r.job.Graph.Arcs,
		rows:       r.rows,
		outArcs:    a.arcs,
		sources:    sources,
		nodes:      a.sums.At(p.parts),
		edges:      a.edges,
		nodeCounts: nodeCounts,
		edgeCounts: a.edgeCounts,
		heads:      r.heads,
		tails:      r.tails,
		m:          edges,
		ends:       a.sums.At(p.ends),
		failed:     failed,
		lost:       a.sums.At(p.lost),
		pairs:      a.sums.At(p.pairs),
		totals:     a.sums.At(p.lengths),
		masses:     r.masses,
		tolerance:  m.Tol,
		mul:        m.Mul,
		div:        m.Div,
		unique:     m.Certain,
		endpoints:  device.One(r.job.Endpoints),
		width:      r.width,
		longRow:    int64(warpRow),
		sweep:      max(1, r.job.Graph.Arcs/sweepShare),
		room:       int64(r.shape.room),
		fold:       int64(r.fold),
		control:    control,
	})
}

// join adds what so many blocks have to the results, in one launch.
func (r *run) join(blocks int) {
	j, a, p, s := r.job, r.arrays, r.places, r.job.Partial.Scale()
	edges, edgeOf := j.Graph.Arcs, j.Graph.Edges
	args := smallSumsArguments{
		n:        j.Graph.N,
		edges:    0,
		blocks:   int64(blocks),
		nodes:    a.sums.At(p.parts),
		edgeSums: a.edges,
		allNodes: a.sums.At(p.nodes),
		allEdges: a.sums.At(p.edges),
		unit:     s.Unit,
		fine:     s.Fine,
		fold:     int64(r.fold),
	}
	if j.Folds() {
		edges, edgeOf = int64(j.Host.M()), 0
		args.nodeCounts, args.edgeCounts = a.sums.At(p.partCounts), a.edgeCounts
		args.allNodeCounts, args.allEdgeCounts = a.sums.At(p.nodeCounts), a.sums.At(p.edgeCounts)
	}
	if a.edges != 0 {
		args.edges, args.edgeOf = edges, edgeOf
	}
	at := a.sums.At(p.arguments)
	r.calls.Do(func() error { return r.calls.Device.CopyIn(at, device.BytesOf([]smallSumsArguments{args})) })
	r.calls.Launch(kernelSmallJoin, device.ForSums(max(args.n, args.edges)), at)
}

// clearParts makes the blocks' sums zeros again.
func (r *run) clearParts() {
	c, g, b := r.calls, r.job.Graph, int64(r.blocks)
	c.Clear(r.arrays.sums.At(r.places.parts), 8*g.N*b)
	if r.arrays.edges != 0 {
		c.Clear(r.arrays.edges, 8*g.Arcs*b)
	}
}
