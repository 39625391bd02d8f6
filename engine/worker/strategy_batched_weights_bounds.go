package worker

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// maybeBounded says whether searches of a graph of that size may keep bounds, as far as memory is concerned.
func maybeBounded(size kernels.Size) bool { return arcs(size) >= boundedDegree*size.Nodes }

// keepsBounds says whether the run's searches do.
func (r *weightedRun) keepsBounds() bool {
	return r.metric.name == "reals" && maybeBounded(sizeOf(r.job.Host)) && hasRowOver(r.job.Host, boundedHub)
}

// hasRowOver says whether more than so many arcs leave some node.
func hasRowOver(g *export.Graph, degree int64) bool {
	for v := range g.N() {
		if g.Offsets[v+1]-g.Offsets[v] > degree {
			return true
		}
	}
	return false
}

// countingKernel is the run's kernel that counts paths in the given numbers.
func (r *weightedRun) countingKernel(number string, profile bool) gpu.Kernel {
	return batchedWeightedKernel(weightedForm{metric: r.metric.name, bounded: r.bounded, number: number, profile: profile})
}

// keysOfNode are how many keys a team has for a node besides its row: see BatchedWeighted in kernels/weighted/weighted.cuh.
func keysOfNode(bounded bool) (keys, when int64) {
	if bounded {
		return 2, 4
	}
	return 1, 1
}
