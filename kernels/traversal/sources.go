package traversal

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// summer is the adaptive.Summer of a device; see moments.cu. Sums of edges are those of arcs until the host asks: of the two arcs of
// an edge, at most one is on shortest paths from a source.
type summer struct{ run *run }

// sources has a sample of sources drawn by the device.
func (r *run) sources() {
	r.ready()
	if r.calls.Err != nil {
		return
	}
	if err := r.job.SampleSources(&summer{r}); r.calls.Err == nil {
		r.calls.Err = err
	}
	r.addTotals()
}

// momentBuffers lists what a sample of sources takes besides searches.
func (l layout) momentBuffers(a *arrays) device.Buffers {
	n, arcs, b := l.want.Size.Nodes, device.Arcs(l.want.Size), int64(l.shape.blocks)
	var list device.Buffers
	if l.want.Nodes {
		list = append(list, device.Buffers{
			{Name: "dependencies of nodes", Bytes: 8 * n * b, Zero: true, Into: &a.nodes},
			{Name: "sums of nodes", Bytes: 8 * n, Zero: true, Into: &a.joinedNodes},
			{Name: "squares of nodes", Bytes: 8 * n, Zero: true, Into: &a.nodeSquares},
		}...)
	}
	if l.want.Edges {
		list = append(list, device.Buffers{
			{Name: "dependencies of arcs", Bytes: 8 * arcs * b, Zero: true, Into: &a.edges},
			{Name: "sums of arcs", Bytes: 8 * arcs, Zero: true, Into: &a.joinedEdges},
			{Name: "squares of arcs", Bytes: 8 * arcs, Zero: true, Into: &a.arcSquares},
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
	a, g := s.run.arrays, s.run.job.Graph
	for _, x := range []struct {
		n                   int64
		rows, sums, squares gpu.Ptr
	}{{g.N, a.nodes, a.joinedNodes, a.nodeSquares}, {g.Arcs, a.edges, a.joinedEdges, a.arcSquares}} {
		if x.rows != 0 {
			s.run.calls.Launch(kernelMomentsAdd, device.ForEach(x.n), x.rows.At(8*x.n*int64(block)), x.n, int64(count), x.sums, x.squares)
		}
	}
	return true
}

// Moments implements adaptive.Summer.
func (s *summer) Moments() (nodes, edges adaptive.Moments, err error) {
	a, g, c := s.run.arrays, s.run.job.Host, s.run.calls
	download := func(from gpu.Ptr, n int) []float64 {
		if from == 0 {
			return nil
		}
		out := make([]float64, n)
		device.Download(c, out, from)
		return out
	}
	byEdge := func(arcs []float64) []float64 {
		if arcs == nil {
			return nil
		}
		out := make([]float64, g.M())
		for k, x := range arcs {
			out[g.Edge(int64(k))] += x
		}
		return out
	}
	nodes = adaptive.Moments{Sums: download(a.joinedNodes, g.N()), Squares: download(a.nodeSquares, g.N())}
	edges = adaptive.Moments{
		Sums: byEdge(download(a.joinedEdges, len(g.Targets))), Squares: byEdge(download(a.arcSquares, len(g.Targets))),
	}
	return nodes, edges, c.Err
}
