package traversal

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// arrays are the arrays of a run: see Paths in paths.cuh, Weighted in kernels/device/weighted_search.cuh, Folds in
// folds.cuh and Rows in distances.cuh.
type arrays struct {
	// What searches need. totals are the pairs of blocks, and their distances by hops; lengths those by weights.
	counts, stack, places, leads, ends, levels, predecessors, shares gpu.Ptr
	bits, distances, open, longRows, totals, lengths, lost           gpu.Ptr
	// What pairs of blocks count by masses, and that times their distances.
	demands gpu.Ptr
	// Of lists of pairs, the masses of targets of the sources at hand, and which sources these are.
	tripMasses, tripSources gpu.Ptr
	// The nodes in other numbers: from has the old number of each new one, to the new number of each old one.
	from, to gpu.Ptr
	out, in  batches.Rows
	// Where the arcs of every node begin and end; inRanges is 0 in an undirected graph.
	outRanges, inRanges gpu.Ptr
	// Counts by node, where rows are in cells; or places, and leads after them.
	countsOfNodes gpu.Ptr
	// The last levels of several ranges, or by weights their greatest distances and what distances are added up as
	// multiples of; and the shares of one. 0 where there are not several.
	limits, wholes, sharesOfRange gpu.Ptr
	// Sums of blocks, what they are joined to (exact sums, or the sums of an atom), and counts of what was folded.
	nodes, edges, joinedNodes, joinedEdges gpu.Ptr
	nodeCounts, edgeCounts, hops           gpu.Ptr
	// Of folds by demand, what pairs count.
	nodeDemands, edgeDemands gpu.Ptr
	// Rows and summaries of distances.
	rows, hopPlots, farthest gpu.Ptr
	// Adaptive samples.
	taken, stops gpu.Ptr
	// Samples of sources: see moments.cu. Sums are joinedNodes and joinedEdges.
	nodeDifferences, edgeDifferences, nodesHeld, edgesHeld gpu.Ptr
	// Of edges by weights, their arcs; by hops, the halves of nodes, those in wide numbers once a source needs them, the
	// ends of edges in order, and the place of each edge in it.
	arcsOfEdges, halves, wideHalves, edgeEnds, edgePlaces gpu.Ptr
	// Samples of pairs; see Pairs in pairs.cu. Searches take counts, stack and levels.
	drawn, classes gpu.Ptr
}

// buffers lists the arrays of a run.
func (l layout) buffers(a *arrays) device.Buffers {
	if l.want.Measure == device.Pairs {
		return l.pairBuffers(a)
	}
	list := append(l.searchBuffers(a), l.rangeBuffers(a)...)
	switch w := l.want; {
	case w.Measure == device.Distances:
		return append(list, l.distanceBuffers(a)...)
	case w.Measure == device.Adaptive:
		return append(list, l.adaptiveBuffers(a)...)
	case w.Measure == device.Sources:
		return append(list, l.momentBuffers(a)...)
	case w.Folds():
		return append(list, l.foldBuffers(a)...)
	}
	return append(list, l.sumBuffers(f64, a)...)
}

// searchBuffers lists what searches need.
func (l layout) searchBuffers(a *arrays) device.Buffers {
	n, arcs, b := l.nodes(), device.Arcs(l.want.Size), int64(l.shape.blocks)
	list := device.Buffers{
		{Name: "counts of paths", Bytes: l.countBytes(), Into: &a.counts},
		{Name: "stacks", Bytes: 4 * n * b, Into: &a.stack},
		{Name: "ends of levels", Bytes: 4 * (n + 2) * b, Into: &a.ends},
		{Name: "totals", Bytes: 16 * b * int64(l.ranges), Zero: true, Into: &a.totals},
		{Name: "sums of distances by weights", Bytes: 8 * b * int64(l.ranges), Zero: true, Into: &a.lengths},
		{Name: "lost arc", Bytes: 8, Zero: true, Into: &a.lost},
	}
	if l.want.Demand {
		list = append(list, device.Buffer{Name: "demands of pairs", Bytes: 16 * b, Zero: true, Into: &a.demands})
	}
	if l.want.Trips > 0 {
		list = append(list, device.Buffers{
			{Name: "masses of listed targets", Bytes: 8 * n * b, Zero: true, Into: &a.tripMasses},
			{Name: "sources of listed pairs", Bytes: 4 * b, Zero: true, Into: &a.tripSources},
		}...)
	}
	if l.want.Weighted {
		return append(list, device.Buffers{
			{Name: "bitmaps", Bytes: 2 * bitmapBytes(n) * b, Into: &a.bits},
			{Name: "distances", Bytes: 8 * n * b, Into: &a.distances},
			{Name: "open nodes", Bytes: 16 * n * b, Into: &a.open},
			{Name: "long rows", Bytes: 4 * l.engine.longRowsEach(arcs) * b, Into: &a.longRows},
		}...)
	}
	return append(list, l.hopBuffers(a)...)
}

// hopBuffers lists what searches by hops need besides.
func (l layout) hopBuffers(a *arrays) device.Buffers {
	n, b := l.nodes(), int64(l.shape.blocks)
	list := device.Buffers{
		{Name: "levels", Bytes: 4 * (n + 2) * b, Into: &a.levels},
		{Name: "ranges of arcs", Bytes: 8 * n, Into: &a.outRanges},
	}
	if l.want.Size.Directed {
		list = append(list, device.Buffer{Name: "ranges of arcs in", Bytes: 8 * n, Into: &a.inRanges})
	}
	list = append(list, l.renumberBuffers(a)...)
	if l.want.LevelsOnly() {
		return append(list, device.Buffer{Name: "places of nodes", Bytes: 4 * n * b, Into: &a.places})
	}
	if l.cells.quads > 0 {
		// Searches of rows in cells have no places and leads. Those that count again in wide numbers have no counts of nodes.
		list = append(list, device.Buffer{Name: "counts of nodes, or places and arcs that lead on", Bytes: 8 * n * b,
			Into: &a.countsOfNodes})
		if l.cells.bits == 1 {
			list = append(list, device.Buffer{Name: "arcs that lead on", Bytes: 8 * n * b, Into: &a.leads})
		}
		return list
	}
	list = append(list, device.Buffers{
		{Name: "places of nodes", Bytes: 4 * n * b, Into: &a.places},
		{Name: "arcs that lead on", Bytes: 4 * n * b, Into: &a.leads},
	}...)
	if l.engine.sharing != "pull" {
		return list
	}
	// One block must have room for shares in float64.
	shares := max(l.widths()[0].bytes*b, f64.bytes) * l.want.Size.Edges
	return append(list, device.Buffers{
		{Name: "arcs from predecessors", Bytes: bitmapBytes(device.Arcs(l.want.Size)) * b, Into: &a.predecessors},
		{Name: "shares of edges", Bytes: shares, Into: &a.shares},
	}...)
}

// sumBuffers lists the sums of dependencies in float64, or of counts of paths in numbers of one width. What these are
// joined to are exact sums for dependencies, and the sums of an atom for counts.
func (l layout) sumBuffers(w width, a *arrays) device.Buffers {
	n, size, arcs, b := l.nodes(), l.want.Size, device.Arcs(l.want.Size), int64(l.ranges*l.sumGrid(w))
	joined, joinedEdges := device.WordBytes*int64(l.ranges), size.Edges
	if l.want.Kind() == kernels.PathCounts {
		joined = w.bytes
		if w == wide {
			joinedEdges = arcs
		}
	}
	var list device.Buffers
	if l.want.Nodes {
		list = append(list, device.Buffers{
			{Name: "sums of nodes", Bytes: w.bytes * n * b, Zero: true, Into: &a.nodes},
			{Name: "joined sums of nodes", Bytes: joined * n, Zero: true, Into: &a.joinedNodes},
		}...)
	}
	if l.want.Edges {
		list = append(list, device.Buffers{
			{Name: "sums of arcs", Bytes: w.bytes * arcs * b, Zero: true, Into: &a.edges},
			{Name: "joined sums of edges", Bytes: joined * joinedEdges, Zero: true, Into: &a.joinedEdges},
		}...)
	}
	return list
}

// sumGrid is the number of blocks that have sums of their own: those of wide counts take as much memory as twice as
// many in float64.
func (l layout) sumGrid(w width) int {
	if w == wide {
		return max(1, l.shape.blocks/2)
	}
	return l.shape.blocks
}

// foldBuffers lists folds.
func (l layout) foldBuffers(a *arrays) device.Buffers {
	n, m, ranges := l.want.Size.Nodes, l.want.Size.Edges, int64(l.ranges)
	b := ranges * int64(l.shape.blocks)
	list := device.Buffers{
		{Name: "folds of nodes", Bytes: 8 * n * b, Zero: true, Into: &a.nodes},
		{Name: "counts of nodes", Bytes: 4 * n * b, Zero: true, Into: &a.nodeCounts},
		{Name: "joined folds of nodes", Bytes: device.WordBytes * n * ranges, Zero: true, Into: &a.joinedNodes},
	}
	if l.want.Demand {
		list = append(list, device.Buffer{Name: "demands of nodes", Bytes: 8 * n * b, Zero: true, Into: &a.nodeDemands})
	}
	if !l.want.Edges {
		return list
	}
	if l.want.Demand {
		list = append(list, device.Buffer{Name: "demands of edges", Bytes: 8 * m * b, Zero: true, Into: &a.edgeDemands})
	}
	list = append(list, device.Buffers{
		{Name: "folds of edges", Bytes: 8 * m * b, Zero: true, Into: &a.edges},
		{Name: "counts of edges", Bytes: 4 * m * b, Zero: true, Into: &a.edgeCounts},
		{Name: "joined folds of edges", Bytes: device.WordBytes * m * ranges, Zero: true, Into: &a.joinedEdges},
	}...)
	if !l.want.Weighted {
		list = append(list, device.Buffer{Name: "hops of nodes", Bytes: 4 * n * int64(l.shape.blocks), Into: &a.hops})
	}
	return list
}

// distanceBuffers lists rows of distances, or what their summary is made of.
func (l layout) distanceBuffers(a *arrays) device.Buffers {
	n, b := l.want.Size.Nodes, int64(l.shape.blocks)
	if !l.want.Summary {
		return device.Buffers{{Name: "rows of distances", Bytes: 8 * n * b, Into: &a.rows}}
	}
	return device.Buffers{
		{Name: "hop plots", Bytes: 8 * n * b, Zero: true, Into: &a.hopPlots},
		{Name: "greatest distances", Bytes: 8 * b, Zero: true, Into: &a.farthest},
	}
}

// adaptiveBuffers lists what an adaptive sample takes.
func (l layout) adaptiveBuffers(a *arrays) device.Buffers {
	n := l.want.Size.Nodes
	return device.Buffers{
		{Name: "dependencies of nodes", Bytes: 8 * n * int64(l.shape.blocks), Zero: true, Into: &a.nodes},
		{Name: "sums of nodes", Bytes: 8 * n, Zero: true, Into: &a.joinedNodes},
		{Name: "sources taken", Bytes: 4 * n, Zero: true, Into: &a.taken},
		{Name: "nodes that stop", Bytes: 8, Into: &a.stops},
	}
}

// besides lists what is taken in between, or by others: it is only counted.
func (l layout) besides() device.Buffers {
	w, n, m := l.want, l.want.Size.Nodes, l.want.Size.Edges
	list := device.Buffers{
		{Name: "sources", Bytes: 16 * int64(w.Sources)},
		{Name: "arguments", Bytes: 1 << 16},
		{Name: "joined counts, nodes of interest", Bytes: 8 * n},
		{Name: "moved sums of nodes, or their values", Bytes: device.WordBytes * n},
	}
	if w.Edges {
		list = append(list, device.Buffer{Name: "values of the sums of edges", Bytes: 8 * m})
	}
	if l.masses {
		list = append(list, device.Buffer{Name: "masses", Bytes: 16 * n})
	}
	if w.Trips > 0 {
		list = append(list, device.Buffer{Name: "listed pairs", Bytes: 8*(n+1) + 12*w.Trips + 256})
	}
	switch {
	case l.halved():
		bytes := 2 * wide.bytes * int64(l.grid(wide)) * l.nodes()
		list = append(list, device.Buffer{Name: "halves of nodes in wide numbers", Bytes: bytes})
	case w.Measure == device.Sources && w.Edges:
		list = append(list, device.Buffer{Name: "arcs of edges", Bytes: 8 * m})
	}
	if w.Folds() && w.Edges {
		list = append(list, device.Buffer{Name: "joined counts of edges", Bytes: 8 * m})
	}
	if w.Weighted {
		list = append(list, device.Buffers{
			{Name: "lightest arcs", Bytes: 16 * n},
			{Name: "weights in 32 bits", Bytes: 8 * device.Arcs(w.Size)},
		}...)
	}
	return list
}
