package chains

import (
	"math"
	"sort"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// layout is how a flat graph and the searches of it lie in device memory.
type layout struct {
	flat                *reduce.Flat
	nodes, arcs, links  int64
	bins, chains        int64
	stride, chainStride int64 // nodes and chains of the largest core
	ends, endRows       int64 // nodes at which chains end, which have rows at the same time; numbers of these rows
	lightest            []uint32
	longRowsEach        int64
	blocks              int
}

func newLayout(f *reduce.Flat) layout {
	l := layout{
		flat: f, nodes: int64(len(f.Omega)), arcs: int64(len(f.Targets)), links: int64(f.LinkCount),
		bins: int64(f.Bins()), chains: int64(len(f.Chains)), lightest: lightestArcs(f.Offsets, f.Lengths),
	}
	l.longRowsEach = 2*(l.arcs/longRow) + 2
	for i := range f.FirstNode[1:] {
		l.stride = max(l.stride, int64(f.FirstNode[i+1]-f.FirstNode[i]))
		l.chainStride = max(l.chainStride, int64(f.FirstChain[i+1]-f.FirstChain[i]))
	}
	for v := range f.CoreOf {
		if isEnd(f, int32(v)) {
			first, end := f.Core(int32(v))
			l.ends++
			l.endRows += int64(end - first)
		}
	}
	return l
}

// isEnd reports whether a chain ends at node v.
func isEnd(f *reduce.Flat, v int32) bool { return f.FirstHalf[v+1] > f.FirstHalf[v] }

// rows is how many numbers the rows have that are held at a time: those of all ends, or of a batch of the other nodes.
func (l *layout) rows() int64 {
	return max(l.endRows, min(l.nodes-l.ends, loneRows*int64(l.blocks))*l.stride)
}

// fit returns how many blocks, up to so many, fit into free bytes of device memory. Where none does, it returns what
// one takes.
func (l layout) fit(blocks int, free int64) (fits int, least int64) {
	taken := func(blocks int) int64 {
		l.blocks = blocks
		return l.bytes()
	}
	fits = sort.Search(blocks, func(i int) bool { return taken(i+1) > free })
	return fits, taken(1)
}

// bytes bounds the device memory of a run.
func (l *layout) bytes() int64 {
	a := &arrays{}
	return l.buffers(a).Bytes() + l.countBuffers(a, numberOf(doublePass)).Bytes() + 1<<20
}

// hostBytes bounds the host memory of a run, with the scores of a graph of the given size.
func (l *layout) hostBytes(whole kernels.Size) int64 {
	return 128*l.nodes + 32*l.arcs + 32*l.links + 192*l.bins + 8*(whole.Nodes+whole.Edges)
}

// arrays is the device memory of a run; see Chains in chains.cuh.
type arrays struct {
	offsets, targets, lengths, links, lightest, mults, omega, coreOf, firstNode, firstChain gpu.Ptr
	chains, twice, ratio, weight, firstHalf, halves, round                                  gpu.Ptr
	stack, open, ends, longRows, demands, scratch                                           gpu.Ptr
	nodes, edges                                                                            gpu.Ptr // sums of blocks
	passes, through, own, hist, peers                                                       gpu.Ptr // sums of all
	dist, order                                                                             gpu.Ptr
	counts, shares                                                                          gpu.Ptr // of paths
	// Of a batch:
	sources, failed, rowAt, slotOf, around, paths gpu.Ptr
}

// buffers lists the arrays of a run except for the counts of paths.
func (l *layout) buffers(a *arrays) device.Buffers {
	return append(append(l.graphBuffers(a), l.blockBuffers(a)...), device.Buffers{
		{Name: "what passes nodes", Bytes: device.WordBytes * l.nodes, Zero: true, Into: &a.passes},
		{Name: "what passes links", Bytes: device.WordBytes * l.links, Zero: true, Into: &a.through},
		{Name: "what passes sources", Bytes: 8 * l.nodes, Zero: true, Into: &a.own},
		{Name: "histograms", Bytes: device.WordBytes * l.bins, Zero: true, Into: &a.hist},
		{Name: "histograms of peers", Bytes: device.WordBytes * l.bins, Zero: true, Into: &a.peers},
		{Name: "demands of rounds", Bytes: 8 * l.chains, Zero: true, Into: &a.round},
		{Name: "distances", Bytes: 4 * l.rows(), Into: &a.dist},
		{Name: "orders", Bytes: 4 * l.rows(), Into: &a.order},
		{Name: "sources", Bytes: 4 * l.nodes, Into: &a.sources},
		{Name: "failures", Bytes: 4 * l.nodes, Into: &a.failed},
		{Name: "places of rows", Bytes: 8 * l.nodes, Into: &a.rowAt},
		{Name: "slots of nodes", Bytes: 4 * l.nodes, Into: &a.slotOf},
		{Name: "lengths of rounds", Bytes: 4 * l.chains, Into: &a.around},
		{Name: "paths of rounds", Bytes: numberOf(widePass).bytes * l.chains, Into: &a.paths},
	}...)
}

// graphBuffers lists the arrays of the flat graph.
func (l *layout) graphBuffers(a *arrays) device.Buffers {
	f := l.flat
	return device.Buffers{
		device.Filled("offsets", f.Offsets, &a.offsets),
		device.Filled("targets", f.Targets, &a.targets),
		device.Filled("lengths", f.Lengths, &a.lengths),
		device.Filled("links", f.Links, &a.links),
		device.Filled("lightest arcs", l.lightest, &a.lightest),
		device.Filled("multiplicities", f.Mult, &a.mults),
		device.Filled("masses", f.Omega, &a.omega),
		device.Filled("cores of nodes", f.CoreOf, &a.coreOf),
		device.Filled("nodes of cores", f.FirstNode, &a.firstNode),
		device.Filled("chains of cores", f.FirstChain, &a.firstChain),
		device.Filled("chains", f.Chains, &a.chains),
		device.Filled("distances in chains", f.Twice, &a.twice),
		device.Filled("ratios of paths", f.Ratio, &a.ratio),
		device.Filled("masses in chains", f.Weight, &a.weight),
		device.Filled("halves of nodes", f.FirstHalf, &a.firstHalf),
		device.Filled("halves", f.Halves, &a.halves),
	}
}

// blockBuffers lists what the blocks need.
func (l *layout) blockBuffers(a *arrays) device.Buffers {
	b := int64(l.blocks)
	return device.Buffers{
		{Name: "stacks", Bytes: 4 * l.stride * b, Into: &a.stack},
		{Name: "open nodes", Bytes: 16 * l.stride * b, Into: &a.open},
		{Name: "ends of rounds", Bytes: 4 * (l.stride + 2) * b, Into: &a.ends},
		{Name: "long rows", Bytes: 4 * l.longRowsEach * b, Into: &a.longRows},
		{Name: "demands", Bytes: 8 * l.stride * demandRows * b, Into: &a.demands},
		{Name: "what chains take", Bytes: 24 * l.chainStride * b, Into: &a.scratch},
		{Name: "sums of nodes", Bytes: 8 * l.nodes * b, Into: &a.nodes},
		{Name: "sums of arcs", Bytes: 8 * l.arcs * b, Into: &a.edges},
	}
}

// countBuffers lists what depends on the number that paths are counted in.
func (l *layout) countBuffers(a *arrays, n number) device.Buffers {
	return device.Buffers{
		{Name: "counts", Bytes: n.bytes * l.rows(), Into: &a.counts},
		{Name: "shares", Bytes: n.bytes * l.stride * int64(l.blocks), Into: &a.shares},
	}
}

// lightestArcs returns the least length of an arc of each node; all ones when there is none.
func lightestArcs(offsets []int64, lengths []int32) []uint32 {
	out := make([]uint32, len(offsets)-1)
	for v := range out {
		out[v] = math.MaxUint32
		for _, l := range lengths[offsets[v]:offsets[v+1]] {
			out[v] = min(out[v], uint32(l))
		}
	}
	return out
}
