package chains

import (
	"math"

	"github.com/linchpin-graph/linchpin/gpu"
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

// scoreRounds scores the pairs within each chain that starts at one of some nodes, and returns what they demand.
func (r *run) scoreRounds(starts, around []int32, paths []reduce.Paths) []float64 {
	f, s, round := r.flat, r.sums, make([]float64, len(around))
	flows := f.Flows()
	edgeWithin, nodeWithin := within(f, s)
	for _, v := range starts {
		first, _ := f.Core(v)
		core := f.CoreOf[v]
		for _, half := range f.Halves[f.FirstHalf[v]:f.FirstHalf[v+1]] {
			t := half / 2
			if half%2 == 1 {
				continue
			}
			round[t] = f.Round(flows, t, around[t], paths[t])
			own, bin := &flows[core].Chains[t-f.FirstChain[core]], binOf(f, t)
			copy(edgeWithin[bin:], own.EdgeWithin)
			copy(nodeWithin[bin:], own.NodeWithin)
			if c := &f.Chains[t]; c.U != c.V {
				s.Nodes.Add(int(first+c.V), round[t])
			}
		}
	}
	return round
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
