package chains

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// arguments fills Chains of chains.cuh.
func (r *run) arguments() gpu.Ptr {
	a, l := &r.arrays, r.layout
	return device.Put(r.calls, chainsArguments{
		search:      r.searchArguments(),
		coreOf:      a.coreOf,
		firstNode:   a.firstNode,
		firstChain:  a.firstChain,
		mults:       a.mults,
		omega:       a.omega,
		rowAt:       a.rowAt,
		slotOf:      a.slotOf,
		dist:        a.dist,
		counts:      a.counts,
		order:       a.order,
		demands:     a.demands,
		own:         a.own,
		stride:      l.stride,
		shares:      a.shares,
		chains:      a.chains,
		twice:       a.twice,
		ratio:       a.ratio,
		weight:      a.weight,
		firstHalf:   a.firstHalf,
		halves:      a.halves,
		scratch:     a.scratch,
		chainStride: l.chainStride,
		hist:        a.hist,
		peers:       a.peers,
		round:       a.round,
		binUnit:     r.sums.Bins.Scale.Unit,
	})
}

// searchArguments fills Weighted of kernels/device/weighted_search.cuh.
func (r *run) searchArguments() device.WeightedArguments {
	a, l := &r.arrays, r.layout
	return device.WeightedArguments{
		N:             l.nodes,
		Arcs:          l.arcs,
		OutOffsets:    a.offsets,
		OutTargets:    a.targets,
		OutWeights:    a.lengths,
		InOffsets:     a.offsets,
		InTargets:     a.targets,
		InWeights:     a.lengths,
		Lightest:      a.lightest,
		LightestIn:    a.lightest,
		Sources:       a.sources,
		Distances:     0,
		Counts:        0,
		Stack:         a.stack,
		Open:          a.open,
		Ends:          a.ends,
		Bits:          0,
		Nodes:         a.nodes,
		Edges:         a.edges,
		Failed:        a.failed,
		Lost:          0,
		Pairs:         0,
		Totals:        0,
		Tolerance:     0,
		Mul:           1,
		Div:           1,
		Unique:        0,
		Endpoints:     0,
		Width:         r.width,
		Listed:        1,
		Lanes:         searchLanes,
		SharedBitmaps: 0,
		LongRow:       longRow,
		LongRows:      a.longRows,
		LongRowsEach:  l.longRowsEach,
		SourceMasses:  0,
		TargetMasses:  0,
		Farthest:      -1,
		Whole:         0,
		Chosen:        device.AllPairs,
		Demands:       0,
		TripOffsets:   0,
		TripTargets:   0,
		Amounts:       0,
		TripMasses:    0,
		TripSources:   0,
		Limits:        0,
		Wholes:        0,
		Ranges:        1,
		SharesOfRange: 0,
	}
}
