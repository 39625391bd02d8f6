package chains

import (
	"iter"
	"math"
	"runtime"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// rounds has the host score the pairs within each chain, which it does in more than double precision, and uploads what
// they demand. The chains are those that start at sources of groups that fit.
func (r *run) rounds(b *batch, fit []bool) {
	c, a, chains := r.calls, &r.arrays, int(r.layout.chains)
	if chains == 0 || !isEnd(r.flat, b.nodes[0]) {
		return
	}
	shape := gpu.Shape{Grid: device.SumBlocks, Block: device.SumThreads}
	c.Launch(r.number.across, shape, r.args, int64(b.sources), a.around, a.paths)
	around := make([]int32, chains)
	device.Download(c, around, a.around)
	paths := r.downloadPaths(chains)
	if c.Err != nil {
		return
	}
	var starts []int32
	for i, v := range b.nodes[:b.sources] {
		if fit[i/b.group] {
			starts = append(starts, v)
		}
	}
	round := r.scoreRounds(starts, around, paths)
	c.Do(func() error { return c.Device.CopyIn(a.round, gpu.Bytes(round)) })
}

// roundPart is from how many nodes on a thread of the host scores chains at a time: there are long ones among them.
const roundPart = 32

// scoreRounds scores the pairs within each chain that starts at one of some nodes, on all processors, and returns what
// they demand.
func (r *run) scoreRounds(starts, around []int32, paths []reduce.Paths) []float64 {
	f, s, round := r.flat, r.sums, make([]float64, len(around))
	flows, threads := f.Flows(), runtime.GOMAXPROCS(0)
	edgeWithin, nodeWithin := within(f, s)
	free := make([]reduce.Scratch, threads)
	inparts.On(threads, roundPart, len(starts), func(thread, first, last int) {
		for _, v := range starts[first:last] {
			core := f.CoreOf[v]
			for t := range chainsFrom(f, v) {
				round[t] = f.Round(flows, t, around[t], paths[t], &free[thread])
				own, bin := &flows[core].Chains[t-f.FirstChain[core]], binOf(f, t)
				copy(edgeWithin[bin:], own.EdgeWithin)
				copy(nodeWithin[bin:], own.NodeWithin)
			}
		}
	})
	for _, v := range starts {
		first, _ := f.Core(v)
		for t := range chainsFrom(f, v) {
			if c := &f.Chains[t]; c.U != c.V {
				s.Nodes.Add(int(first+c.V), round[t])
			}
		}
	}
	return round
}

// chainsFrom has the chains whose U is a node.
func chainsFrom(f *reduce.Flat, v int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, half := range f.Halves[f.FirstHalf[v]:f.FirstHalf[v+1]] {
			if half%2 == 0 && !yield(half/2) {
				return
			}
		}
	}
}

// downloadPaths returns the numbers of paths between the ends of chains.
func (r *run) downloadPaths(chains int) []reduce.Paths {
	out, words := make([]reduce.Paths, chains), int(r.number.bytes/8)
	raw := make([]int64, words*chains) // float64, or Wide of kernels/device/number.cuh
	device.Download(r.calls, raw, r.arrays.paths)
	for t := range out {
		out[t].Mantissa = math.Float64frombits(uint64(raw[words*t]))
		if words > 1 {
			out[t].Exponent = int32(raw[words*t+1])
		}
	}
	return out
}
