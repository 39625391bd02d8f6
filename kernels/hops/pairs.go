package hops

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// pairs are the edges of an undirected graph, except those from a node to itself, as hop_pairs of hops.cu lists them.
// folds are what the teams keep of each.
type pairs struct {
	ends, edges, folds gpu.Ptr
	count              int64
}

// listPairs fills the list of pairs: it counts those of each section and segment of rows, adds up where those of each
// begin, and writes them.
func (r *run) listPairs() {
	c, n := r.calls, r.job.Graph.N
	section := r.shape.section()
	sections := n/section + 1
	segments := min(mostSegments, n/4+1, max(leastSegment, pairCursors/sections))
	starts := make([]uint32, sections*segments)
	cursors := c.Zeros(4 * int64(len(starts)))
	r.launchPairs(segments, section, cursors, 0, 0)
	device.Download(c, starts, cursors)
	var count uint32
	for i, pairs := range starts {
		starts[i], count = count, count+pairs
	}
	p := &r.arrays.pairs
	p.count = int64(count)
	c.Do(func() error { return c.Device.CopyIn(cursors, gpu.Bytes(starts)) })
	r.launchPairs(segments, section, cursors, p.ends, p.edges)
	c.Free(cursors)
}

// launchPairs counts the pairs, or writes them to ends and edges unless these are 0.
func (r *run) launchPairs(segments, section int64, cursors, ends, edges gpu.Ptr) {
	g := r.out.rows
	args := device.Put(r.calls, hopPairsArguments{
		n:         r.job.Graph.N,
		arcs:      r.job.Graph.Arcs,
		segments:  segments,
		section:   section,
		offsets:   g.Offsets,
		targets:   g.Targets,
		edges:     g.Edges,
		cursors:   cursors,
		pairs:     ends,
		pairEdges: edges,
	})
	r.calls.Launch(kernelHopPairs, device.ForEach(32*segments), args)
	r.calls.Free(args)
}

// section is the number of nodes of a section of the list.
func (s shape) section() int64 { return max(1, pairSection/(s.team.lanes/8*max(1, s.kind.marks()))) }

// cursorBytes bounds the device memory of listPairs besides the lists.
func (s shape) cursorBytes(n int64) int64 {
	return 4 * max(pairCursors, leastSegment*(n/s.section()+1))
}
