package traversal

import (
	"cmp"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// list is sources on the device, with a flag for each that failed, and the depth of its search.
type list struct {
	nodes                   []int32
	sources, failed, depths gpu.Ptr
}

func (r *run) list(nodes []int32) list {
	bytes := 4 * int64(len(nodes))
	return list{nodes, r.numbered(nodes), r.calls.Zeros(bytes), r.calls.Zeros(bytes)}
}

func (r *run) freeList(l list) {
	for _, p := range []gpu.Ptr{l.sources, l.failed, l.depths} {
		r.calls.Free(p)
	}
}

// failures returns the numbers of the sources that failed, of those numbered first to last.
func (r *run) failures(l list, first, last int) []int32 {
	which := r.calls.Failures(l.failed.At(4*int64(first)), last-first)
	for i := range which {
		which[i] += int32(first)
	}
	return which
}

// arguments are those of the kernel.
func (s search) arguments(policy int64) gpu.Ptr {
	if s.run.job.Weighted {
		return s.run.weightedArguments(s.list)
	}
	return s.run.pathArguments(policy, s.list, s.run.halvesIn(s.width))
}

// pathArguments fills Paths of paths.cuh.
func (r *run) pathArguments(policy int64, l list, halves gpu.Ptr) gpu.Ptr {
	g, a := r.graph, r.arrays
	in := g.In
	return device.Put(r.calls, pathsArguments{
		n:             g.N,
		arcs:          g.Arcs,
		outOffsets:    g.Offsets,
		outTargets:    g.Targets,
		outRows:       g.Tails,
		inOffsets:     in.Offsets,
		inTargets:     in.Targets,
		inRows:        in.Tails,
		outRanges:     a.outRanges,
		inRanges:      cmp.Or(a.inRanges, a.outRanges),
		sources:       l.sources,
		counts:        a.counts,
		stack:         a.stack,
		places:        a.places,
		leads:         a.leads,
		ends:          a.ends,
		levels:        a.levels,
		nodes:         a.nodes,
		edges:         a.edges,
		failed:        l.failed,
		depths:        l.depths,
		totals:        a.totals,
		policy:        policy,
		alpha:         int64(hybridChange),
		beta:          int64(hybridFrontier),
		endpoints:     device.One(r.job.Endpoints),
		lanes:         r.layout.engine.lanes,
		outEdges:      g.Edges,
		inEdges:       in.Edges,
		predecessors:  a.predecessors,
		shares:        a.shares,
		m:             int64(r.job.Host.M()),
		sourceMasses:  r.sourceMasses,
		targetMasses:  r.targetMasses,
		farthest:      r.job.Levels(),
		quads:         r.layout.cells.quads,
		countsOfNodes: a.countsOfNodes,
		chosen:        r.chosen(),
		demands:       a.demands,
		tripOffsets:   r.trips.offsets,
		tripTargets:   r.trips.targets,
		amounts:       r.trips.amounts,
		tripMasses:    a.tripMasses,
		tripSources:   a.tripSources,
		limits:        a.limits,
		ranges:        int64(r.layout.ranges),
		sharesOfRange: a.sharesOfRange,
		halves:        halves,
	})
}

// weightedArguments fills Weighted of kernels/device/weighted_search.cuh.
func (r *run) weightedArguments(l list) gpu.Ptr {
	g, a, m, e := r.job.Graph, r.arrays, r.metric, r.layout.engine
	farthest, whole := m.Farthest(r.job.Within, g.N)
	return device.Put(r.calls, device.WeightedArguments{
		N:             g.N,
		Arcs:          g.Arcs,
		OutOffsets:    g.Offsets,
		OutTargets:    g.Targets,
		OutWeights:    m.Out,
		InOffsets:     g.In.Offsets,
		InTargets:     g.In.Targets,
		InWeights:     m.In,
		Lightest:      r.lightest,
		LightestIn:    r.lightestIn,
		Sources:       l.sources,
		Distances:     a.distances,
		Counts:        a.counts,
		Stack:         a.stack,
		Open:          a.open,
		Ends:          a.ends,
		Bits:          a.bits,
		Nodes:         a.nodes,
		Edges:         a.edges,
		Failed:        l.failed,
		Lost:          a.lost,
		Pairs:         a.totals,
		Totals:        a.lengths,
		Tolerance:     m.Tol,
		Mul:           m.Mul,
		Div:           m.Div,
		Unique:        m.Certain,
		Endpoints:     device.One(r.job.Endpoints),
		Width:         m.Width,
		Listed:        device.One(e.policy == workEfficient),
		Lanes:         e.lanes,
		SharedBitmaps: int64(r.layout.shape.sharedPerBlock) / bitmapBytes(g.N),
		LongRow:       e.longRow(),
		LongRows:      a.longRows,
		LongRowsEach:  e.longRowsEach(g.Arcs),
		SourceMasses:  r.sourceMasses,
		TargetMasses:  r.targetMasses,
		Farthest:      farthest,
		Whole:         whole,
		Chosen:        r.chosen(),
		Demands:       a.demands,
		TripOffsets:   r.trips.offsets,
		TripTargets:   r.trips.targets,
		Amounts:       r.trips.amounts,
		TripMasses:    a.tripMasses,
		TripSources:   a.tripSources,
		Limits:        a.limits,
		Wholes:        a.wholes,
		Ranges:        int64(r.layout.ranges),
		SharesOfRange: a.sharesOfRange,
	})
}
