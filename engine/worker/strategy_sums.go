package worker

import (
	"unsafe"

	"github.com/linchpin-graph/linchpin/gpu"
)

// forEach is the shape of a launch that gives count things a thread each.
func forEach(count int64) gpu.Shape {
	return gpu.Shape{Grid: int(max(1, min(sumBlocks, (count+sumThreads-1)/sumThreads))), Block: sumThreads}
}

// forSums is the shape of a launch that joins the blocks' parts of count values; see kernels/device/sums.cu.
func forSums(count int64) gpu.Shape { return forEach(count * sumThreads / 32) }

// joined launches a kernel that joins the blocks' parts of count values, and returns where they are.
func (r *traverse) joined(kernel gpu.Kernel, parts gpu.Ptr, count, bytes int64) gpu.Ptr {
	out := r.alloc(count * bytes)
	if r.err == nil {
		r.err = r.device.Launch(kernel, forSums(count), parts, count, int64(r.blocks), out)
	}
	return out
}

// join returns the joined values of the blocks.
func (r *traverse) join(kernel gpu.Kernel, parts gpu.Ptr, count int64) []float64 {
	out := r.joined(kernel, parts, count, 8)
	values := make([]float64, count)
	if r.err == nil {
		r.err = gpu.Download(r.device, values, out)
	}
	r.free(out)
	return values
}

func (r *traverse) free(p gpu.Ptr) {
	if r.err == nil {
		r.err = r.device.Free(p)
	}
}

// nodeSums fills the scores of nodes with factor times their sums.
func (r *traverse) nodeSums(factor float64) {
	if r.err != nil || r.job.Nodes == nil {
		return
	}
	for v, x := range r.join(kernelSumBlocks, r.nodes, r.job.Graph.N) {
		r.job.Nodes[v] = x * factor
	}
}

// edgeSums fills the scores of edges with factor times the sums of their arcs.
func (r *traverse) edgeSums(factor float64) {
	if r.job.Edges != nil {
		r.sumEdges(r.job.Graph, factor)
	}
}

// sumEdges is edgeSums for sums in the order of the arcs of g.
func (r *traverse) sumEdges(g *Graph, factor float64) {
	if r.err != nil {
		return
	}
	out := r.zeros(8 * int64(len(r.job.Edges)))
	if r.err == nil {
		r.err = r.device.Launch(kernelSumArcs, forSums(g.Arcs), r.edges, g.Arcs, int64(r.blocks), g.Edges, out)
	}
	if r.err == nil {
		r.err = gpu.Download(r.device, r.job.Edges, out)
	}
	for e := range r.job.Edges {
		r.job.Edges[e] *= factor
	}
	r.free(out)
}

// bytesOf returns the memory of a slice of structs, shared.
func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}
