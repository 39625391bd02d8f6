package traversal

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// Searches of large meshes read from memory what other searches have pushed out of the cache. Nodes are numbered in the
// order of one search first, by renumber.cu, so that each read brings what the neighbours need.

// Searches describes the searches of a run by hops. Renumbered goes by it.
type Searches struct {
	Nodes, Arcs, Sources int64
	// Blocks is how many searches run at a time.
	Blocks int64
	// Greatest returns the most arcs of a node. It is asked last.
	Greatest func() int64
}

// Renumbered reports whether nodes get other numbers where searches count the shortest paths of dependencies. On a mesh
// the order takes as long as some dozens of sources, on a road network as long as a round of them, and where most nodes
// lie on chains, so that levels are small, as long as some rounds. A thread numbers the neighbours of a node, so there
// must be no hubs.
func (s Searches) Renumbered() bool { return s.renumberedFrom(renumbersFrom) }

// CellBits returns how many bits shared memory of so many bytes has for each node where rows go into cells, and 0 where
// they do not. It takes rows to be of similar length.
func (s Searches) CellBits(sharedBytes float64) int {
	degree, each := float64(s.Arcs)/float64(max(1, s.Nodes)), 8*sharedBytes/(cellsPerNode*float64(max(1, s.Nodes)))
	switch {
	case degree < denserDegree || degree > cellsMostDegree || s.Sources < cellSources || each < 1:
		return 0
	case each < 2:
		return 1
	}
	return 2
}

// renumberedFrom is Renumbered from so many nodes on; never from 0.
func (s Searches) renumberedFrom(nodes int64) bool {
	rounds, degree := s.Sources/max(1, s.Blocks), float64(s.Arcs)/float64(max(1, s.Nodes))
	pays := rounds >= renumberRounds || rounds >= roadRounds && degree >= roadDegree ||
		s.Sources >= renumberSources && degree >= denserDegree
	return nodes > 0 && s.Nodes >= nodes && pays && s.Greatest() <= renumberDegree
}

// renumberBuffers lists the new numbers, and the graph in them.
func (l layout) renumberBuffers(a *arrays) device.Buffers {
	n, arcs := l.want.Size.Nodes, device.Arcs(l.want.Size)
	var list device.Buffers
	if l.renumbered {
		list = device.Buffers{{Name: "old numbers", Bytes: 4 * n, Into: &a.from}}
	}
	if l.cells.quads > 0 {
		return append(list, device.Buffers{
			{Name: "new numbers", Bytes: 4 * n, Into: &a.to},
			{Name: "rows in cells", Bytes: 4 * l.cells.targets(), Into: &a.out.Targets},
		}...)
	}
	if !l.renumbered {
		return nil
	}
	list = append(list, device.Buffers{
		{Name: "new numbers", Bytes: 4 * n, Into: &a.to},
		{Name: "offsets of rows", Bytes: 4 * (n + 1), Into: &a.out.Offsets},
		{Name: "targets of rows", Bytes: 4 * arcs, Into: &a.out.Targets},
	}...)
	if l.want.Edges && !l.halved() {
		list = append(list, device.Buffer{Name: "edges of rows", Bytes: 4 * arcs, Into: &a.out.Edges})
	}
	if !l.want.Size.Directed {
		return list
	}
	return append(list, device.Buffers{
		{Name: "offsets of rows in", Bytes: 4 * (n + 1), Into: &a.in.Offsets},
		{Name: "targets of rows in", Bytes: 4 * arcs, Into: &a.in.Targets},
	}...)
}

// renumber gives nodes the numbers in which a search from the widest of them finds them, where that pays, and puts rows
// in the form in which searches read them.
func (r *run) renumber() {
	c, a, g := r.calls, &r.arrays, r.job.Graph
	if r.layout.renumbered {
		one, reached := gpu.Shape{Grid: 1, Block: renumberThreads, Shared: int(bitmapBytes(g.N))}, gpu.Ptr(0)
		if one.Shared+device.StaticShared > c.Device.Info().SharedBlock {
			one.Shared, reached = 0, c.Alloc(bitmapBytes(g.N))
		}
		c.Launch(kernelRenumberSearch, one, g.Offsets, g.Targets, uint32(g.N), uint32(r.job.Host.Widest()), a.from,
			a.to, reached)
		c.Free(reached)
	}
	switch {
	case r.layout.cells.quads > 0:
		r.intoCells()
		return
	case !r.layout.renumbered:
		r.writeRanges()
		return
	}
	r.graph = r.inOrder(g, a.out, a.outRanges)
	r.graph.In = r.graph
	if g.In != g {
		r.graph.In = r.inOrder(g.In, a.in, a.inRanges)
	}
}

// inOrder returns the graph with its rows in the new order, and writes their ranges.
func (r *run) inOrder(g *device.Graph, rows batches.Rows, ranges gpu.Ptr) *device.Graph {
	rows.Relabel(r.calls, g, r.arrays.from, r.arrays.to)
	r.calls.Launch(kernelRenumberRanges, device.ForEach(g.N), rows.Offsets, g.N, ranges)
	return &device.Graph{N: g.N, Arcs: g.Arcs, Targets: rows.Targets, Edges: rows.Edges}
}

// numbered uploads nodes by the numbers by which searches know them.
func (r *run) numbered(nodes []int32) gpu.Ptr {
	if r.arrays.to != 0 {
		return batches.UploadPlaces(r.calls, nodes, r.arrays.to)
	}
	return device.Upload(r.calls, nodes)
}
