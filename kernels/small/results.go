package small

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// addResults adds what the sources add up to, and reports an arc that does not lengthen a path.
func (r *run) addResults() {
	p, into := r.places, r.job.Partial
	all := make([]int64, p.parts/8)
	if device.Download(r.calls, all, r.arrays.sums); r.calls.Err != nil {
		return
	}
	if lost := all[p.lost/8]; lost != 0 {
		r.calls.Err = r.metric.Lost(r.job, lost-1)
		return
	}
	for b := range int64(r.blocks) {
		into.Totals.Pairs += all[p.pairs/8+b]
		into.Totals.Distance += math.Float64frombits(uint64(all[p.lengths/8+b]))
	}
	addSums(into.Nodes, into.MostNodes, all[p.nodes/8:])
	addCounts(into.NodeCounts, all[p.nodeCounts/8:])
	if r.job.Edges {
		addSums(into.Edges, into.MostEdges, all[p.edges/8:])
		addCounts(into.EdgeCounts, all[p.edgeCounts/8:])
	}
}

// addSums adds exact sums, or keeps the greatest.
func addSums(into *exact.Sums, most []float64, from []int64) {
	if into != nil {
		for i := range into.Words {
			into.Words[i].Add(exact.Word{High: from[2*i], Low: from[2*i+1]})
		}
	}
	for i, x := range most {
		most[i] = max(x, math.Float64frombits(uint64(from[i])))
	}
}

func addCounts(into, from []int64) {
	for i := range into {
		into[i] += from[i]
	}
}
