package worker

import (
	"github.com/linchpin-graph/linchpin/gpu"
)

// hopPairs are the edges of an undirected graph, but for those from a node to itself, as hop_pairs of kernels/hops/hops.cu lists
// them. folds are what the teams keep of each.
type hopPairs struct {
	ends, edges, folds gpu.Ptr
	count              int64
}

// listPairs fills r.pairs: it counts the pairs of each section and segment of rows, adds up where those of each begin, and writes them.
func (r *hopRun) listPairs() {
	g, n := r.outSide.graph, r.job.Graph.N
	section := max(1, hopSection/(r.team.lanes/8*max(1, r.kind.marks())))
	sections := n/section + 1
	segments := min(mostPairSegments, n/4+1, max(leastPairSegments, pairCursors/sections))
	starts := make([]uint32, sections*segments)
	cursors := r.zeros(4 * int64(len(starts)))
	launch := func() {
		args := putArguments(&r.traverse, hopPairsArguments{
			n:         n,
			arcs:      r.job.Graph.Arcs,
			segments:  segments,
			section:   section,
			offsets:   g.offsets,
			targets:   g.targets,
			edges:     g.edges,
			cursors:   cursors,
			pairs:     r.pairs.ends,
			pairEdges: r.pairs.edges,
		})
		if r.err == nil {
			r.err = r.device.Launch(kernelHopPairs, forEach(32*segments), args)
		}
		r.free(args)
	}
	launch()
	if r.err == nil {
		r.err = gpu.Download(r.device, starts, cursors)
	}
	var count uint32
	for i, pairs := range starts {
		starts[i], count = count, count+pairs
	}
	r.pairs.count = int64(count)
	r.pairs.ends, r.pairs.edges = r.alloc(8*r.pairs.count), r.alloc(4*r.pairs.count)
	if each := r.kind.pairBytes(); each > 0 {
		r.pairs.folds = r.zeros(each * r.pairs.count * int64(r.team.teams))
	}
	if r.err == nil {
		r.err = r.device.CopyIn(cursors, gpu.Bytes(starts))
	}
	launch()
	r.free(cursors)
}

// pairListBytes bounds the device memory of listPairs but for what pairs keep.
func pairListBytes(nodes, edges, lanes int64) int64 {
	sections := nodes/max(1, hopSection/(lanes/8*2)) + 1
	return 12*edges + 4*max(pairCursors, leastPairSegments*sections)
}
