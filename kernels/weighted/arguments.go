package weighted

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// arguments fills BatchedWeighted of weighted.cuh.
func (r *run) arguments(sources, failed, control gpu.Ptr) gpu.Ptr {
	a, m, g, l := r.arrays, r.metric, r.graph, r.layout
	scale, totals := r.scale(), r.totalScale()
	hub := int64(0)
	if l.hubs > 0 {
		hub = blockRow
	}
	patience := shallowPatience
	if r.job.Deep() {
		patience = deepPatience
	}
	passes := r.apart
	if passes == 0 {
		passes = passForward | passBackward
	}
	return device.Put(r.calls, batchedWeightedArguments{
		n:          r.job.Graph.N,
		arcs:       r.job.Graph.Arcs,
		outOffsets: g.Out.Offsets,
		outTargets: g.Out.Targets,
		outWeights: r.outWeights,
		inOffsets:  g.In.Offsets,
		inTargets:  g.In.Targets,
		inWeights:  r.inWeights,
		sources:    sources,
		dist:       a.dist,
		counts:     a.counts,
		outPaths:   a.outPaths,
		inPaths:    a.inPaths,
		stackNodes: a.stackNodes,
		stackMasks: a.stackMasks,
		ends:       a.ends,
		rounds:     a.rounds,
		keys:       a.keys,
		when:       a.when,
		state:      a.state,
		lists:      a.lists,
		reached:    a.reached,
		done:       a.done,
		pending:    a.pending,
		laneSums:   a.laneSums,
		hubs:       a.hubs,
		longRows:   a.longRows,
		nodes:      a.nodes,
		edges:      a.edges,
		nodeCounts: a.nodeCounts,
		edgeCounts: a.edgeCounts,
		failed:     failed,
		pairs:      a.pairs,
		totals:     a.total,
		unit:       scale.Unit,
		fine:       scale.Fine,
		totalUnit:  totals.Unit,
		totalFine:  totals.Fine,
		lost:       a.lost,
		teams:      a.shared,
		masses:     r.masses,
		demands:    r.demands,
		insides:    r.insides,
		cap:        r.team.entries,
		roundCap:   r.team.rounds(),
		blocks:     int64(r.team.blocks),
		endpoints:  device.One(r.job.Endpoints),
		hub:        hub,
		hubCap:     l.hubs,
		longCap:    l.segments,
		passes:     passes,
		kept:       device.One(r.apart != 0),
		unique:     m.Certain,
		tolerance:  m.Tol,
		mul:        m.Mul,
		div:        m.Div,
		few:        int64(fewToCount),
		width:      r.width,
		slack:      bucketSlack * r.width,
		patience:   patience * r.width,
		mostPaths:  mostPaths(int64(len(r.job.Sources)), r.job.Graph.N),
		fold:       int64(r.fold),
		stress:     device.One(r.job.Kind() == kernels.PathCounts),
		rows:       a.rows,
		order:      r.oldNumbers,
		control:    control,
		profile:    r.counters,
	})
}
