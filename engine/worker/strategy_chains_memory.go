package worker

import (
	"errors"
	"math"

	"github.com/linchpin-graph/linchpin/gpu"
)

// chainArrays is device memory of a chainRun; see Chains in kernels/chains/chains.cuh.
type chainArrays struct {
	offsets, targets, lengths, links, lightest, mult, omega, coreOf, firstNode, firstChain gpu.Ptr
	chains, twice, ratio, weight, firstHalf, halves, round                                 gpu.Ptr
	stack, ends, open, longRows, shares, demands, own, scratch                             gpu.Ptr
	dist, counts, order                                                                    gpu.Ptr
	// Of a batch:
	sources, failed, rowAt, slotOf gpu.Ptr
}

func (r *chainRun) takeMemory() {
	f, a, s, b := r.flat, &r.arrays, r.sizes, int64(r.blocks)
	a.offsets, a.targets, a.lengths, a.links = uploaded(&r.traverse, f.Offsets), uploaded(&r.traverse, f.Targets), uploaded(&r.traverse, f.Lengths), uploaded(&r.traverse, f.Links)
	a.lightest = uploaded(&r.traverse, lightestArcs(f.Offsets, f.Lengths))
	r.width = nearWidth(sumOf(f.Lengths), int64(len(f.Lengths)), s.nodes)
	a.omega, a.coreOf = uploaded(&r.traverse, f.Omega), uploaded(&r.traverse, f.CoreOf)
	a.firstNode, a.firstChain = uploaded(&r.traverse, f.FirstNode), uploaded(&r.traverse, f.FirstChain)
	if f.Mult != nil {
		a.mult = uploaded(&r.traverse, f.Mult)
	}
	a.chains = r.alloc(int64(len(bytesOf(f.Chains))))
	if r.err == nil {
		r.err = r.device.CopyIn(a.chains, bytesOf(f.Chains))
	}
	a.twice, a.weight = uploaded(&r.traverse, f.Twice), uploaded(&r.traverse, f.Weight)
	if f.Ratio != nil {
		a.ratio = uploaded(&r.traverse, f.Ratio)
	}
	a.firstHalf, a.halves = uploaded(&r.traverse, f.FirstHalf), uploaded(&r.traverse, f.Halves)
	a.round = r.zeros(8 * int64(len(f.Chains)))
	r.hist, r.peers = r.zeros(16*int64(f.Bins())), r.zeros(16*int64(f.Bins()))
	a.stack, a.open, a.ends, a.longRows = r.alloc(4*s.stride*b), r.alloc(16*s.stride*b), r.alloc(4*(s.stride+2)*b), r.alloc(4*s.longRows*b)
	a.demands, a.own, a.scratch = r.alloc(8*s.stride*demandRows*b), r.zeros(8*s.nodes), r.alloc(24*s.chainStride*b)
	r.nodes, r.edges = r.zeros(8*s.nodes*b), r.zeros(8*s.arcs*b)
	a.dist, a.order = r.alloc(4*s.rows), r.alloc(4*s.rows)
	r.takeCounts()
}

func (r *chainRun) takeCounts() {
	a := &r.arrays
	a.counts, a.shares = r.alloc(r.number.bytes*r.sizes.rows), r.alloc(r.number.bytes*r.sizes.stride*int64(r.blocks))
}

// widen has paths counted in numbers of any size from now on.
func (r *chainRun) widen() {
	r.free(r.arrays.counts)
	r.free(r.arrays.shares)
	r.number = width{"wide", 16}
	r.takeCounts()
	if errors.Is(r.err, gpu.ErrMemory) {
		r.err = &gpu.TooLarge{What: "chains with wide counts of paths", Need: r.job.Plan.DeviceBytes + 8*r.sizes.rows, Free: r.device.Info().Free}
	}
}

// lightestArcs returns the least length of an arc of each node; all ones when there is none.
func lightestArcs(offsets []int64, lengths []int32) []uint32 {
	out := make([]uint32, len(offsets)-1)
	for v := range out {
		out[v] = math.MaxUint32
		for _, l := range lengths[offsets[v]:offsets[v+1]] {
			out[v] = min(out[v], uint32(l))
		}
	}
	return out
}

// chainArgs fills Chains of kernels/chains/chains.cuh, whose first member is a Weighted.
func (r *chainRun) chainArgs() gpu.Ptr {
	a, s := r.arrays, r.sizes
	return putArguments(&r.traverse, chainsArguments{
		search: weightedArguments{
			n:             s.nodes,
			arcs:          s.arcs,
			outOffsets:    a.offsets,
			outTargets:    a.targets,
			outWeights:    a.lengths,
			inOffsets:     a.offsets,
			inTargets:     a.targets,
			inWeights:     a.lengths,
			lightest:      a.lightest,
			lightestIn:    a.lightest,
			sources:       a.sources,
			distances:     0,
			counts:        0,
			stack:         a.stack,
			open:          a.open,
			ends:          a.ends,
			bits:          0,
			nodes:         r.nodes,
			edges:         r.edges,
			failed:        a.failed,
			lost:          0,
			pairs:         0,
			totals:        0,
			tolerance:     0,
			mul:           1,
			div:           1,
			unique:        0,
			endpoints:     0,
			width:         r.width,
			listed:        1,
			lanes:         r.lanes,
			sharedBitmaps: 0,
			longRow:       r.longRow(),
			longRows:      a.longRows,
			longRowsEach:  s.longRows,
			masses:        0,
		},
		coreOf:      a.coreOf,
		firstNode:   a.firstNode,
		firstChain:  a.firstChain,
		mults:       a.mult,
		omega:       a.omega,
		rowAt:       a.rowAt,
		slotOf:      a.slotOf,
		dist:        a.dist,
		counts:      a.counts,
		order:       a.order,
		demands:     a.demands,
		own:         a.own,
		stride:      s.stride,
		shares:      a.shares,
		chains:      a.chains,
		twice:       a.twice,
		ratio:       a.ratio,
		weight:      a.weight,
		firstHalf:   a.firstHalf,
		halves:      a.halves,
		scratch:     a.scratch,
		chainStride: s.chainStride,
		hist:        r.hist,
		peers:       r.peers,
		round:       a.round,
		fixed:       r.unit(),
	})
}
