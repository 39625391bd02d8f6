package worker

import (
	"slices"

	"github.com/linchpin-graph/linchpin/gpu"
)

// distanceRows finds the distances of as many batches at a time as there are teams, and copies them to the rows of their
// sources.
func (r *weightedRun) distanceRows() {
	row := make([]int, r.job.Graph.N) // of each source, by its new number
	for i, v := range r.job.Sources {
		row[r.place[v]] = i
	}
	n := int(r.job.Graph.N)
	found, done := make([]float64, r.team.teams*weightedLanes*n), 0
	for part := range slices.Chunk(r.places(), r.team.teams*weightedLanes) {
		if r.pass(batchedFoldKernel(r.metric.name, r.bounded), part, done); r.err != nil {
			return
		}
		if r.err = gpu.Download(r.device, found[:len(part)*n], r.rows); r.err != nil {
			return
		}
		for i, v := range part {
			copy(r.job.Rows[row[v]*n:], found[i*n:(i+1)*n])
		}
		done += len(part)
	}
}

// farthest fills the summary of distances: the greatest that any node has. There are no hops.
func (r *weightedRun) farthest() error {
	clear(r.job.Hops)
	r.job.Farthest[0] = 0
	if greatest := r.join(kernelMaxBlocks, r.nodes, r.job.Graph.N); r.err == nil {
		r.job.Farthest[0] = slices.Max(greatest)
	}
	return r.err
}
