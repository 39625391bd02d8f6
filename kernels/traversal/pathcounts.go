package traversal

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// pathCounts are the counts of paths of one atom: in float64 of nodes and edges, or wide ones of nodes and arcs.
type pathCounts struct {
	nodes, edges        []float64
	wideNodes, wideArcs []kernels.Count
}

// pathCounts joins what so many blocks counted within one range. Ranges are numbered from 0.
func (r *run) pathCounts(w width, blocks, number int) (out pathCounts) {
	a, g := r.arrays, r.job.Graph
	if w == wide {
		out.wideNodes = r.joinWide(a.nodes, a.joinedNodes, g.N, blocks)
		out.wideArcs = r.joinWide(a.edges, a.joinedEdges, g.Arcs, blocks)
		return out
	}
	before := 8 * int64(number*blocks)
	if a.nodes != 0 {
		out.nodes = make([]float64, g.N)
		r.calls.Launch(device.KernelSumBlocks, device.ForSums(g.N), a.nodes.At(g.N*before), g.N, int64(blocks), a.joinedNodes)
		device.Download(r.calls, out.nodes, a.joinedNodes)
	}
	if m := r.job.Host.M(); a.edges != 0 {
		out.edges = make([]float64, m)
		r.calls.Clear(a.joinedEdges, 8*int64(m))
		r.calls.Launch(device.KernelSumArcs, device.ForSums(g.Arcs), a.edges.At(g.Arcs*before), g.Arcs, int64(blocks),
			g.Edges, a.joinedEdges)
		device.Download(r.calls, out.edges, a.joinedEdges)
	}
	return out
}

// joinWide returns the sums of count wide numbers over the blocks.
func (r *run) joinWide(parts, into gpu.Ptr, count int64, blocks int) []kernels.Count {
	if parts == 0 {
		return nil
	}
	r.calls.Launch(device.KernelSumBlocksWide, device.ForSums(count), parts, count, int64(blocks), into)
	values := make([]kernels.Count, count)
	device.DownloadBytes(r.calls, values, into)
	return values
}

// overflow reports whether some count is not finite.
func (p pathCounts) overflow() bool {
	for _, counts := range [][]float64{p.nodes, p.edges} {
		for _, x := range counts {
			if math.IsInf(x, 0) || math.IsNaN(x) {
				return true
			}
		}
	}
	return false
}

// add adds the counts to a partial result for the graph.
func (p pathCounts) add(into *kernels.Partial, g *export.Graph) {
	addFloats(into.WideNodes, p.nodes)
	addFloats(into.WideEdges, p.edges)
	for v, x := range p.wideNodes {
		into.WideNodes[v].Add(x.Mantissa, x.Exponent)
	}
	for i, x := range p.wideArcs {
		into.WideEdges[g.Edge(int64(i))].Add(x.Mantissa, x.Exponent)
	}
}

// addFloats adds counts one by one. The device waits meanwhile.
func addFloats(into []exact.Wide, counts []float64) {
	inparts.Do(len(counts), func(first, last int) {
		for i, x := range counts[first:last] {
			into[first+i].AddFloat(x)
		}
	})
}
