package deep

import "github.com/linchpin-graph/linchpin/kernels/order"

// noSource is in the place of a source where a batch has fewer than lanes: kNoSource of deep.cuh.
const noSource = -1

// findSources splits the sources into parts that lie close together, and lists those to search from by their new
// numbers, part by part. Both follow from all sources of the job, whatever its shard.
func (r *run) findSources() {
	parts, apart := order.CloseSources(r.job.Host, r.job.Sources, r.graph.Nodes)
	wanted := func(int32) bool { return true }
	if r.job.Only != nil {
		only := make([]bool, r.job.Host.N())
		for _, v := range r.job.Only {
			only[v] = true
		}
		wanted = func(v int32) bool { return only[v] }
	}
	r.part = make([]int32, r.job.Host.N())
	for i, part := range parts {
		for _, v := range part {
			place := r.graph.Place[v]
			if r.part[place] = int32(i); wanted(v) {
				r.sources = append(r.sources, place)
			}
		}
	}
	if r.job.Shard.Index > 0 {
		return
	}
	for _, v := range apart {
		if wanted(v) {
			r.apart = append(r.apart, v)
		}
	}
}

// padded fills the batches of nodes so that each holds sources of one part, and returns whole batches.
func (r *run) padded(nodes []int32, lanes int) []int32 {
	var out []int32
	pad := func() {
		for len(out)%lanes != 0 {
			out = append(out, noSource)
		}
	}
	for i, v := range nodes {
		if i > 0 && r.part[v] != r.part[nodes[i-1]] {
			pad()
		}
		out = append(out, v)
	}
	pad()
	return out
}

// shard is the job's share of padded sources, in whole batches.
func (r *run) shard(padded []int32, lanes int) []int32 {
	first, last := r.job.Shard.Part(len(padded) / lanes)
	return padded[first*lanes : last*lanes]
}

// countSources is the number of sources among padded ones.
func countSources(padded []int32) (count int) {
	for _, v := range padded {
		if v != noSource {
			count++
		}
	}
	return count
}
