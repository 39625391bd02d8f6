package traversal

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// Searches of large meshes read from memory what other searches have pushed out of the cache. Nodes are numbered in the order of
// one search first, by renumber.cu, so that each read brings what the neighbours need.

// Searches describes the searches of a run by hops. Renumbered goes by it.
type Searches struct {
	Nodes, Arcs, Sources int64
	// Blocks is how many searches run at a time.
	Blocks int64
	// Greatest returns the most arcs of a node. It is asked last.
	Greatest func() int64
}

// Renumbered reports whether nodes get other numbers where searches count the shortest paths of dependencies. On a mesh the order
// takes as long as some dozens of sources, and on a graph of small levels as long as some rounds of them. A thread numbers the
// neighbours of a node, so there must be no hubs.
func (s Searches) Renumbered() bool { return s.renumberedFrom(renumbersFrom) }

// renumberedFrom is Renumbered from so many nodes on; never from 0.
func (s Searches) renumberedFrom(nodes int64) bool {
	pays := s.Sources >= renumberRounds*s.Blocks || s.Sources >= renumberSources && s.Arcs >= denserDegree*s.Nodes
	return nodes > 0 && s.Nodes >= nodes && pays && s.Greatest() <= renumberDegree
}

// renumbers reports whether the nodes of a job get other numbers.
func (l layout) renumbers(g *export.Graph) bool {
	w := l.want
	if w.Weighted || w.Kind() != kernels.Dependencies || l.masses {
		return false
	}
	return Searches{
		Nodes: w.Size.Nodes, Arcs: device.Arcs(w.Size), Sources: int64(w.Sources), Blocks: int64(l.shape.blocks),
		Greatest: func() int64 { return g.Degree(g.Widest()) },
	}.renumberedFrom(l.engine.renumbersFrom)
}

// rows are the rows of a graph in its new numbers.
type rows struct{ offsets, targets, edges gpu.Ptr }

// renumberBuffers lists the new numbers, and the graph in them.
func (l layout) renumberBuffers(a *arrays) device.Buffers {
	if !l.renumbered {
		return nil
	}
	n, arcs := l.want.Size.Nodes, device.Arcs(l.want.Size)
	list := device.Buffers{
		{Name: "old numbers", Bytes: 4 * n, Into: &a.from},
		{Name: "new numbers", Bytes: 4 * n, Into: &a.to},
		{Name: "offsets of rows", Bytes: 8 * (n + 1), Into: &a.out.offsets},
		{Name: "targets of rows", Bytes: 4 * arcs, Into: &a.out.targets},
	}
	if l.want.Edges {
		list = append(list, device.Buffer{Name: "edges of rows", Bytes: 4 * arcs, Into: &a.out.edges})
	}
	if !l.want.Size.Directed {
		return list
	}
	return append(list, device.Buffers{
		{Name: "offsets of rows in", Bytes: 8 * (n + 1), Into: &a.in.offsets},
		{Name: "targets of rows in", Bytes: 4 * arcs, Into: &a.in.targets},
	}...)
}

// renumber gives nodes the numbers in which a search from the widest of them finds them.
func (r *run) renumber() {
	c, a, g := r.calls, &r.arrays, r.job.Graph
	if !r.layout.renumbered {
		return
	}
	one := gpu.Shape{Grid: 1, Block: renumberThreads}
	c.Launch(kernelRenumberSearch, one, g.Offsets, g.Targets, g.N, int64(r.job.Host.Widest()), a.from, a.to)
	r.graph = r.inOrder(g, &a.out)
	r.graph.In = r.graph
	if g.In != g {
		r.graph.In = r.inOrder(g.In, &a.in)
	}
}

// inOrder returns the graph with its rows in the new order.
func (r *run) inOrder(g *device.Graph, into *rows) *device.Graph {
	c, a := r.calls, &r.arrays
	c.Launch(kernelRenumberOffsets, gpu.Shape{Grid: 1, Block: renumberThreads}, g.Offsets, g.N, a.from, into.offsets)
	c.Launch(kernelRenumberRows, device.ForEach(g.N), g.Offsets, g.Targets, g.Edges, g.N, a.from, a.to, into.offsets,
		into.targets, into.edges)
	return &device.Graph{N: g.N, Arcs: g.Arcs, Offsets: into.offsets, Targets: into.targets, Edges: into.edges}
}

// numbered uploads nodes by the numbers by which searches know them.
func (r *run) numbered(nodes []int32) gpu.Ptr {
	if r.layout.renumbered {
		return batches.UploadPlaces(r.calls, nodes, r.arrays.to)
	}
	return device.Upload(r.calls, nodes)
}
