package traversal

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
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
	r.ready()
	if r.job.Edges {
		r.arrays.arcsOfEdges = device.Upload(r.calls, device.ArcsOfEdges(r.job.Host))
	}
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
			{Name: "dependencies of arcs", Bytes: 8 * device.Arcs(l.want.Size) * b, Zero: true, Into: &a.edges},
			{Name: "sums of edges", Bytes: 8 * m, Zero: true, Into: &a.joinedEdges},
			{Name: "differences of edges", Bytes: 8 * m, Zero: true, Into: &a.edgeDifferences},
			{Name: "edges of the first of two", Bytes: 8 * m, Into: &a.edgesHeld},
		}...)
	}
	return list
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
func (s *summer) add(block, count int) bool {
	a, l, waits := s.run.arrays, s.run.layout, device.One(s.waits)
	arcs, m := device.Arcs(l.want.Size), l.want.Size.Edges
	for _, x := range []struct {
		rows                    gpu.Ptr
		width                   int64
		places                  gpu.Ptr
		n                       int64
		held, sums, differences gpu.Ptr
	}{
		{a.nodes, l.nodes(), 0, l.nodes(), a.nodesHeld, a.joinedNodes, a.nodeDifferences},
		{a.edges, arcs, a.arcsOfEdges, m, a.edgesHeld, a.joinedEdges, a.edgeDifferences},
	} {
		if x.rows != 0 {
			s.run.calls.Launch(kernelMomentsAdd, device.ForEach(x.n), x.rows.At(8*x.width*int64(block)), x.width,
				int64(count), x.places, x.n, waits, x.held, x.sums, x.differences)
		}
	}
	s.waits = s.waits != (count%2 == 1)
	return true
}

// Moments implements adaptive.Summer.
func (s *summer) Moments() (nodes, edges adaptive.Moments, err error) {
	a, g, c := s.run.arrays, s.run.job.Host, s.run.calls
	download := func(from gpu.Ptr, n int64) []float64 {
		if from == 0 {
			return nil
		}
		out := make([]float64, n)
		device.Download(c, out, from)
		return out
	}
	named := func(numbered []float64) []float64 {
		if numbered == nil || a.to == 0 {
			return numbered
		}
		out, to := make([]float64, g.N()), make([]int32, g.N())
		device.Download(c, to, a.to)
		for v, i := range to {
			out[v] = numbered[i]
		}
		return out
	}
	n, m := s.run.layout.nodes(), int64(g.M())
	nodes = adaptive.Moments{Sums: named(download(a.joinedNodes, n)), Differences: named(download(a.nodeDifferences, n))}
	edges = adaptive.Moments{Sums: download(a.joinedEdges, m), Differences: download(a.edgeDifferences, m)}
	return nodes, edges, c.Err
}
