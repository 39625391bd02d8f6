package traversal

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// Pairs may be chosen: those with some targets, or by the masses of their nodes. Each node has a mass as a source and
// one as a target, as nodes have that stand for several. Where pairs are listed, the masses of targets are those of the
// source at hand, which each block keeps for itself.

// trips are pairs that are listed, as kernels.Trips has them.
type trips struct{ offsets, targets, amounts gpu.Ptr }

// weigh uploads the masses of nodes.
func (r *run) weigh() {
	c, j := r.calls, r.job
	if j.Masses != nil {
		r.sourceMasses = device.Upload(c, j.Masses)
		r.targetMasses = r.sourceMasses
		return
	}
	if !j.Chooses() {
		return
	}
	p := j.Request.Pairs
	if p.Demand != nil && p.Demand.Trips != nil {
		t := p.Demand.Trips
		r.trips = trips{device.Upload(c, t.Offsets), device.Upload(c, t.Targets), device.Upload(c, t.Amounts)}
		return
	}
	if p.Targets != nil || p.Demand.Targets != nil {
		r.targetMasses = device.Upload(c, p.TargetMasses(j.Host.N()))
	}
	if p.Demand != nil && p.Demand.Sources != nil {
		r.sourceMasses = device.Upload(c, p.Demand.Sources)
	}
}

// chosen is Chosen of kernels/device/pairs.cuh.
func (r *run) chosen() int64 {
	switch {
	case r.job.Demand:
		return device.PairsByMasses
	case r.job.Targets:
		return device.PairsOnce
	}
	return device.AllPairs
}

// addDemands adds what the pairs of the blocks count to the totals of the job.
func (r *run) addDemands() {
	if r.arrays.demands == 0 {
		return
	}
	demands := make([]float64, 2*r.layout.shape.blocks)
	if device.Download(r.calls, demands, r.arrays.demands); r.calls.Err != nil {
		return
	}
	for b := range r.layout.shape.blocks {
		r.job.Partial.AddDemand(demands[2*b], demands[2*b+1])
	}
}

// demandSums joins dependencies by demand, which may be of any size. The sums of an atom, and its totals, are added to
// those of the job as stress adds its counts.
func (r *run) demandSums() *blockSums {
	blocks := r.layout.shape.blocks
	sums := r.pathSums(f64, blocks)
	sums.join = func(int, int) {
		if counts := r.pathCounts(f64, blocks, 0); r.calls.Err == nil {
			counts.add(r.job.Partial, r.job.Host)
		}
		r.addTotals()
		r.clearTotals()
	}
	return sums
}

// joinDemandedFolds adds the folds of an atom by demand, and its totals, to those of the job.
func (r *run) joinDemandedFolds(int, int) {
	a, into, n, m := r.arrays, r.job.Partial, r.job.Graph.N, int64(r.job.Host.M())
	for _, x := range []struct {
		parts gpu.Ptr
		count int64
		into  []exact.Wide
	}{{a.nodes, n, into.WideNodes}, {a.nodeDemands, n, into.NodeDemands}, {a.edges, m, into.WideEdges},
		{a.edgeDemands, m, into.EdgeDemands}} {
		if x.parts == 0 {
			continue
		}
		if sums := r.calls.Join(device.KernelSumBlocks, x.parts, x.count, r.layout.shape.blocks); r.calls.Err == nil {
			addFloats(x.into, sums)
		}
	}
	r.addTotals()
	r.clearTotals()
}
