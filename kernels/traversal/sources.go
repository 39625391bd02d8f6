package traversal

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// summer is the adaptive.Summer of a device; see moments.cu. waits says that the last source searched from was the
// first of two.
type summer struct {
	run   *run
	waits bool
}

// sources has a sample of sources drawn by the device.
func (r *run) sources() {
	switch {
	case r.layout.halved():
		r.orderEdges()
	case r.job.Edges:
		r.arrays.arcsOfEdges = device.Upload(r.calls, device.ArcsOfEdges(r.job.Host))
	}
	r.ready()
	if r.calls.Err != nil {
		return
	}
	if err := r.job.SampleSources(&summer{run: r}); r.calls.Err == nil {
		r.calls.Err = err
	}
	r.addTotals()
}

// momentBuffers lists what a sample of sources takes besides searches.
func (l layout) momentBuffers(a *arrays) device.Buffers {
	n, m, b := l.nodes(), l.want.Size.Edges, int64(l.shape.blocks)
	var list device.Buffers
	if l.want.Nodes {
		list = append(list, device.Buffers{
			{Name: "dependencies of nodes", Bytes: 8 * n * b, Zero: true, Into: &a.nodes},
			{Name: "sums of nodes", Bytes: 8 * n, Zero: true, Into: &a.joinedNodes},
			{Name: "differences of nodes", Bytes: 8 * n, Zero: true, Into: &a.nodeDifferences},
			{Name: "nodes of the first of two", Bytes: 8 * n, Into: &a.nodesHeld},
		}...)
	}
	if l.want.Edges {
		list = append(list, device.Buffers{
			{Name: "sums of edges", Bytes: 8 * m, Zero: true, Into: &a.joinedEdges},
			{Name: "differences of edges", Bytes: 8 * m, Zero: true, Into: &a.edgeDifferences},
			{Name: "edges of the first of two", Bytes: 8 * m, Into: &a.edgesHeld},
		}...)
	}
	switch {
	case l.halved():
		list = append(list, device.Buffers{
			{Name: "halves of nodes", Bytes: 2 * f64.bytes * n * b, Into: &a.halves},
			{Name: "ends of edges", Bytes: 8 * m, Zero: true, Into: &a.edgeEnds},
			{Name: "places of edges", Bytes: 4 * m, Into: &a.edgePlaces},
		}...)
	case l.want.Edges:
		list = append(list, device.Buffer{
			Name: "dependencies of arcs", Bytes: 8 * device.Arcs(l.want.Size) * b, Zero: true, Into: &a.edges,
		})
	}
	return list
}

// halved reports whether searches leave halves of nodes, from which edges get their dependencies; see halves.cuh.
func (l layout) halved() bool {
	w := l.want
	return w.Measure == device.Sources && w.Edges && !w.Weighted && !w.Size.Directed
}

// halvesIn is where searches leave halves in numbers of a width; 0 where they do not.
func (r *run) halvesIn(w width) gpu.Ptr {
	a := &r.arrays
	if w != wide || !r.layout.halved() {
		return a.halves
	}
	if a.wideHalves == 0 {
		a.wideHalves = r.calls.Alloc(2 * wide.bytes * int64(r.layout.grid(wide)) * r.layout.nodes())
	}
	return a.wideHalves
}

// orderEdges lists the edges in the order of the nodes, as the device numbers these.
func (r *run) orderEdges() {
	c, a, g, shape := r.calls, r.arrays, r.job.Graph, batches.RelabelShape(r.job.Graph.N)
	n, sums := uint32(g.N), c.Alloc(4*int64(shape.Grid))
	c.Launch(kernelEdgeSums, shape, n, g.Offsets, g.Targets, a.from, a.to, sums)
	c.Launch(kernelEdgeEnds, shape, n, g.Offsets, g.Targets, g.Edges, a.from, a.to, sums, a.edgeEnds, a.edgePlaces)
	c.Free(sums)
}

// Search implements adaptive.Summer. It looks at the context of the run.
func (s *summer) Search(_ context.Context, sources []int32, progress func(done int)) error {
	l := s.run.list(sources)
	defer s.run.freeList(l)
	s.run.eachInOrder(l, s.add).over(progress)
	s.run.lostArc()
	return s.run.calls.Err
}

// add adds the rows of count blocks.
func (s *summer) add(w width, block, count int) bool {
	r, a, l, waits := s.run, s.run.arrays, s.run.layout, device.One(s.waits)
	n, m, blocks := l.nodes(), l.want.Size.Edges, int64(count)
	if l.want.Nodes {
		r.calls.Launch(kernelMomentsAdd, device.ForEach(n), a.nodes.At(8*n*int64(block)), n, blocks, gpu.Ptr(0), n, waits,
			a.nodesHeld, a.joinedNodes, a.nodeDifferences)
	}
	switch arcs := device.Arcs(l.want.Size); {
	case l.halved():
		kernel := map[width]gpu.Kernel{f64: kernelMomentsHalvesF64, wide: kernelMomentsHalvesWide}[w]
		r.calls.Launch(kernel, device.ForEach(m), r.halvesIn(w).At(2*w.bytes*n*int64(block)), n, blocks, a.edgeEnds, m,
			waits, a.edgesHeld, a.joinedEdges, a.edgeDifferences)
	case l.want.Edges:
		r.calls.Launch(kernelMomentsAdd, device.ForEach(m), a.edges.At(8*arcs*int64(block)), arcs, blocks, a.arcsOfEdges,
			m, waits, a.edgesHeld, a.joinedEdges, a.edgeDifferences)
	}
	s.waits = s.waits != (count%2 == 1)
	return true
}

// Moments implements adaptive.Summer.
func (s *summer) Moments() (nodes, edges adaptive.Moments, err error) {
	a, size := s.run.arrays, s.run.layout.want.Size
	nodes = adaptive.Moments{
		Sums: s.named(a.joinedNodes, a.to, size.Nodes), Differences: s.named(a.nodeDifferences, a.to, size.Nodes),
	}
	edges = adaptive.Moments{
		Sums:        s.named(a.joinedEdges, a.edgePlaces, size.Edges),
		Differences: s.named(a.edgeDifferences, a.edgePlaces, size.Edges),
	}
	return nodes, edges, s.run.calls.Err
}

// Clear implements adaptive.Summer.
func (s *summer) Clear() {
	r, a, l := s.run, s.run.arrays, s.run.layout
	if l.want.Nodes {
		r.calls.Clear(a.joinedNodes, 8*l.nodes())
		r.calls.Clear(a.nodeDifferences, 8*l.nodes())
	}
	if m := l.want.Size.Edges; l.want.Edges {
		r.calls.Clear(a.joinedEdges, 8*m)
		r.calls.Clear(a.edgeDifferences, 8*m)
	}
	s.waits = false
	r.clearTotals()
}

// named downloads count numbers in the order of nodes, or of edges, which have places unless these are 0.
func (s *summer) named(values, places gpu.Ptr, count int64) []float64 {
	if values == 0 {
		return nil
	}
	c, out := s.run.calls, make([]float64, count)
	if places == 0 {
		device.Download(c, out, values)
		return out
	}
	inOrder := c.Alloc(8 * count)
	c.Launch(kernelMomentsNamed, device.ForEach(count), values, places, count, inOrder)
	device.Download(c, out, inOrder)
	c.Free(inOrder)
	return out
}
