package small

import (
	"math"
	"unsafe"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// shape is how a device is shared out among searches: blocks of so many threads, with so many bytes of shared memory
// each, of which some are room for the targets of so many shortest-path arcs.
type shape struct{ blocks, threads, shared, room int }

// mostPending is how many shortest-path arcs into a node the kernel can count.
const mostPending = math.MaxUint16

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

// fit returns the shape with the smallest numbers that may do; no blocks where a search does not fit with the largest.
func fit(w device.Want, d gpu.Info) shape {
	widest := fitNumbers(w, d, 8)
	if widest.blocks == 0 || !w.Folds() && !w.Single {
		return widest
	}
	return fitNumbers(w, d, 4)
}

// fitNumbers is the shape with numbers of so many bytes.
func fitNumbers(w device.Want, d gpu.Info, number int64) shape {
	n, a := w.Size.Nodes, device.Arcs(w.Size)
	if n > mostNodes || a > math.MaxInt32/2 {
		return shape{}
	}
	room := min(a, n+n/spareArcs)
	shared := int(sharedBytes(n, a, number, room, !w.Folds()))
	if shared+staticShared > d.SharedBlock {
		return shape{}
	}
	perSM := min(mostBlocks, (d.SharedBlock+driverShared)/(shared+staticShared+driverShared))
	s := shape{
		blocks: min(d.SMs*perSM, max(1, w.Sources)), threads: min(sharedThreads, residentThreads/perSM/64*64), shared: shared,
	}
	if spare := (d.SharedBlock+driverShared)/perSM - staticShared - driverShared - shared; !w.Folds() {
		more := min(a, room+int64(spare/2), math.MaxUint16, max(room, n*mostArcs)) - room
		s.room, s.shared = int(room+more), shared+int(2*more)
	}
	return s
}

// bytes bounds the device memory of a run.
func (s shape) bytes(w device.Want) int64 {
	n, a := w.Size.Nodes, device.Arcs(w.Size)
	once := 8*n + 12*int64(w.Sources) + 4*a + 1<<16 // masses, lists of sources, narrow ticks
	if w.Size.Directed {
		once += 4 * a
	}
	if w.Edges && w.Folds() {
		once += 8 * w.Size.Edges // the ends of edges
	}
	return s.buffers(w, 8, &arrays{}).Bytes() + once
}

// mostArcsIn bounds the number of arcs that enter a node.
func mostArcsIn(g *export.Graph) int64 {
	if g.Arcs() <= mostPending {
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

// arrays are the arrays of a run; see BatchedSmall in small.cuh and SmallSums in join.cuh.
type arrays struct {
	arcs, sums, edges, edgeCounts gpu.Ptr
}

// buffers lists the arrays of a run, for keys of so many bytes. Small ones are one allocation, since that takes longer
// than the search of a source.
func (s shape) buffers(w device.Want, key int64, a *arrays) device.Buffers {
	n, arcs, m, b := w.Size.Nodes, device.Arcs(w.Size), w.Size.Edges, int64(s.blocks)
	list := device.Buffers{
		{Name: "arcs and rows", Bytes: 2*key*arcs + 4*(n+1), Into: &a.arcs},
		{Name: "sums", Bytes: s.places(w).end, Zero: true, Into: &a.sums},
	}
	switch {
	case !w.Edges:
	case w.Folds():
		list = append(list, device.Buffer{Name: "folds of edges", Bytes: 8 * m * b, Zero: true, Into: &a.edges},
			device.Buffer{Name: "sources of edges", Bytes: 4 * m * b, Zero: true, Into: &a.edgeCounts})
	default:
		list = append(list, device.Buffer{Name: "sums of arcs", Bytes: 8 * arcs * b, Zero: true, Into: &a.edges})
	}
	return list
}

// places is where things are in the memory of sums. Those before parts are results, which are downloaded together:
// exact sums or greatest distances of nodes and edges, an arc that is lost, pairs and distances of the blocks, and of
// how many sources folds are. Parts are the blocks' sums of nodes and, of folds, their counts; ends are where levels
// end, and arguments those of join.
type places struct {
	nodes, edges, lost, pairs, lengths, nodeCounts, edgeCounts int64
	parts, partCounts, ends, arguments, end                    int64
}

// places lays out the memory of sums.
func (s shape) places(w device.Want) (p places) {
	n, m, b := w.Size.Nodes, w.Size.Edges, int64(s.blocks)
	at := int64(0)
	take := func(wanted bool, bytes int64) int64 {
		begin := at
		if wanted {
			at += (bytes + 7) / 8 * 8
		}
		return begin
	}
	p.nodes = take(true, device.WordBytes*n)
	p.edges = take(w.Edges, device.WordBytes*m)
	p.lost = take(true, 8)
	p.pairs, p.lengths = take(true, 8*b), take(true, 8*b)
	p.nodeCounts = take(w.Folds(), 8*n)
	p.edgeCounts = take(w.Folds() && w.Edges, 8*m)
	p.parts = take(true, 8*n*b)
	p.partCounts = take(w.Folds(), 4*n*b)
	p.ends = take(true, 4*(n+2)*b)
	p.arguments = take(true, int64(unsafe.Sizeof(smallSumsArguments{})))
	p.end = at
	return p
}
