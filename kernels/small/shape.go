package small

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// shape is how a device is shared out: blocks of so many threads, with so many bytes of shared memory each, of which
// some are room for the targets of so many shortest-path arcs.
type shape struct{ blocks, threads, shared, room int }

// sharedBytes is the shared memory of SmallSearch in small.cuh, with keys and counts of up to so many bytes and, where
// paths are counted, room for the targets of so many shortest-path arcs.
func sharedBytes(n, arcs, number, room int64, counted bool) int64 {
	state := (number*n + 7) / 8 * 8
	bits, words := 4*((arcs+31)/32), 4*((n+31)/32)
	lists, counting := 4*n, bits+bits/2+4*((n+1)/2)+2*n+2*room
	if !counted {
		counting = 0
	}
	return state + 3*words + max(lists, counting)
}

// fit returns the shape with the smallest numbers that may do; no blocks where the graph does not fit with the largest.
func fit(w device.Want, d gpu.Info) shape {
	widest := shapeOf(w, d, 8)
	if widest.blocks == 0 || w.Kind() == kernels.Dependencies && !w.Single {
		return widest
	}
	return shapeOf(w, d, 4)
}

// shapeOf is the shape with numbers of so many bytes.
func shapeOf(w device.Want, d gpu.Info, number int64) shape {
	n, a := w.Size.Nodes, device.Arcs(w.Size)
	if n > mostNodes || a > math.MaxInt32/2 {
		return shape{}
	}
	room := min(a, n+n/tiesShare)
	shared := int(sharedBytes(n, a, number, room, !w.Folds()))
	if shared+static > d.SharedBlock {
		return shape{}
	}
	perSM := min(mostPerSM, (d.SharedBlock+reserved)/(shared+static+reserved))
	s := shape{
		blocks: min(d.SMs*perSM, max(1, w.Sources)), threads: min(sharedThreads, resident/perSM/64*64), shared: shared,
	}
	if spare := (d.SharedBlock+reserved)/perSM - static - reserved - shared; !w.Folds() {
		more := min(a, room+int64(spare/2), math.MaxUint16, max(room, n*mostTies)) - room
		s.room, s.shared = int(room+more), shared+int(2*more)
	}
	return s
}

// arrays are the arrays of a run; see BatchedSmall in small.cuh.
type arrays struct {
	rows, arcs                                    gpu.Ptr
	lost, pairs, lengths, nodes, ends, nodeCounts gpu.Ptr
	edges, edgeCounts, tails, heads, masses       gpu.Ptr
	joinedNodes, joinedEdges                      gpu.Ptr
}

// keyBytes is the size of a weight in the packed arcs.
func keyBytes(metric string) int64 {
	if metric == "ticks32" {
		return 4
	}
	return 8
}

// buffers lists the arrays of a run. Those that start as zeros lie in one allocation, because an allocation takes
// longer than the search of a source.
func (s shape) buffers(w device.Want, metric string, sums, all *gpu.Ptr, a *arrays) device.Buffers {
	n, arcs, m, b := w.Size.Nodes, device.Arcs(w.Size), w.Size.Edges, int64(s.blocks)
	list := device.Buffers{
		{Name: "arcs and rows", Bytes: 2*keyBytes(metric)*arcs + 4*(n+1), Into: all},
		{Name: "sums of blocks", Bytes: s.sumBytes(w), Zero: true, Into: sums},
	}
	if !w.Edges {
		return list
	}
	if w.Folds() {
		return append(list, device.Buffers{
			{Name: "folds of edges", Bytes: 8 * m * b, Zero: true, Into: &a.edges},
			{Name: "counts of edges", Bytes: 4 * m * b, Zero: true, Into: &a.edgeCounts},
			{Name: "sums of edges", Bytes: device.WordBytes * m, Zero: true, Into: &a.joinedEdges},
		}...)
	}
	return append(list, device.Buffers{
		{Name: "sums of arcs", Bytes: 8 * arcs * b, Zero: true, Into: &a.edges},
		{Name: "sums of edges", Bytes: device.WordBytes * m, Zero: true, Into: &a.joinedEdges},
	}...)
}

// sumBytes is the size of what lies in one allocation of zeros; see split.
func (s shape) sumBytes(w device.Want) int64 {
	n, b := w.Size.Nodes, int64(s.blocks)
	bytes := 8 + 16*b + 8*n*b + 4*(n+2)*b + device.WordBytes*n + 8
	if w.Folds() {
		bytes += 4 * n * b
	}
	return bytes
}

// split finds the arrays in the allocation of zeros.
func (s shape) split(w device.Want, sums gpu.Ptr, a *arrays) {
	n, b := w.Size.Nodes, int64(s.blocks)
	a.lost, a.pairs, a.lengths = sums, sums.At(8), sums.At(8+8*b)
	a.nodes = sums.At(8 + 16*b)
	a.joinedNodes = a.nodes.At(8 * n * b)
	a.ends = a.joinedNodes.At(device.WordBytes * n)
	if w.Folds() {
		a.nodeCounts = a.ends.At(4 * (n + 2) * b)
	}
}

// bytes bounds the device memory of the run: its arrays, packed and narrow arcs, joined sums, masses, and lists of
// sources.
func (s shape) bytes(w device.Want) int64 {
	var sums, all gpu.Ptr
	n, arcs := w.Size.Nodes, device.Arcs(w.Size)
	once := 8*arcs + 32*n + 20*int64(w.Sources) + 1<<17
	if w.Edges {
		once += 16 * w.Size.Edges
	}
	return s.buffers(w, "ticks64", &sums, &all, &arrays{}).Bytes() + once
}

// mostArcsIn bounds the number of arcs that enter a node.
func mostArcsIn(g *export.Graph) int64 {
	if g.Arcs() <= math.MaxUint16 {
		return int64(g.Arcs())
	}
	most := int64(0)
	if !g.Directed {
		for v := range int32(g.N()) {
			most = max(most, g.Degree(v))
		}
		return most
	}
	in := make([]int64, g.N())
	for _, v := range g.Targets {
		in[v]++
		most = max(most, in[v])
	}
	return most
}
