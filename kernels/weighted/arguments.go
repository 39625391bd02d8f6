package weighted

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// arguments fills BatchedWeighted of weighted.cuh.
func (r *run) arguments(sources, failed, control gpu.Ptr) gpu.Ptr {
	m, g, l := r.metric, r.graph, r.layout
	scale, totals := r.scale(), r.totalScale()
	hub := int64(0)
	if l.hubs > 0 {
		hub = blockRow
	}
	patience := shallowPatience
	if r.job.Deep() {
		patience = deepPatience
	}
	farthest, _ := m.Farthest(r.job.Within, r.job.Graph.N)
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
		arrays:     r.arrays,
		failed:     failed,
		unit:       scale.Unit,
		fine:       scale.Fine,
		totalUnit:  totals.Unit,
		totalFine:  totals.Fine,
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
		order:      r.oldNumbers,
		farthest:   farthest,
		control:    control,
		profile:    r.counters,
	})
}
