package worker

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Strategies lists every strategy, for auto the best first.
func Strategies() []Strategy {
	all := []Strategy{
		batched{},
		traversal{name: "work-efficient", method: workEfficient, kernel: "node", lanes: 1, weighted: true},
		traversal{name: "hybrid", method: hybrid, kernel: "arcs", lanes: 1},
		traversal{name: "sampling", method: workEfficient, kernel: "arcs", lanes: 1, probe: true},
		traversal{name: "vertex-parallel", method: vertexParallel, kernel: "node", lanes: 1, weighted: true},
		traversal{name: "edge-parallel", method: edgeParallel, kernel: "arcs", lanes: 1},
		traversal{name: "vertex-pull", method: vertexPull, kernel: "pull", lanes: 1},
	}
	for _, lanes := range []int64{4, 8, 16, 32} {
		all = append(all,
			traversal{name: fmt.Sprintf("work-efficient-warp-%d", lanes), method: workEfficient, kernel: "warp", lanes: lanes, weighted: true},
			traversal{name: fmt.Sprintf("vertex-warp-%d", lanes), method: vertexParallel, kernel: "warp", lanes: lanes, weighted: true},
		)
	}
	return append(all, volumeBitmap{}, volumeLists{})
}

// batchedByWeights says whether auto takes batches by weights whatever fits into shared memory: on small graphs there are too few to keep a device busy.
func (w Want) batchedByWeights() bool {
	return w.Weighted && w.Size.Nodes > tinyGraph && (w.kind() == kernels.Dependencies || w.folds())
}

// smallByWeights says whether auto takes batched for its searches in shared memory.
func (w Want) smallByWeights(d gpu.Info) bool {
	return w.Weighted && fitSmall(w.Size, w, d).blocks > 0
}

// oneByOne says whether betweenness by hops is wanted from so few of all sources that putting nodes in order for batches, on
// the host, would take longer than a search from each.
func (w Want) oneByOne() bool {
	return !w.Weighted && w.kind() == kernels.Dependencies && w.Sources < batchedSample && int64(w.Sources) < w.Size.Nodes
}

// best names the strategy that was fastest on graphs like this one, and says why. Betweenness and the closeness
// family by hops are batched, where graph and sources suit it. Other searches by hops are one of McLaughlin & Bader's on every
// graph measured: with bitmaps in shared memory, looking at all arcs of a level never paid, and more threads a node leave
// fewer nodes at a time. By weights frontiers are small, so that threads are free to share a node's
// arcs. See bench/results.
func best(w Want, d gpu.Info) (name, why string) {
	if w.kind() == kernels.Balls && radius(w) <= nearRadius {
		return "volume-bitmap", "volume-bitmap, faster than volume-lists on every graph measured"
	}
	if w.oneByOne() {
		if w.Sources <= fewSearches && arcs(w.Size) >= fewSearchesDegree*w.Size.Nodes {
			return "work-efficient-warp-4", "4 threads a node, because few sources leave most of the device free"
		}
		return "work-efficient", "work-efficient, because ordering nodes for batches takes longer than searching from so few sources"
	}
	if !w.Weighted && w.kind() != kernels.PathCounts {
		return "batched", "batched, the fastest by hops on every graph that it suits"
	}
	if !w.Weighted {
		return "work-efficient", "work-efficient, the fastest by hops on every graph measured"
	}
	if w.smallByWeights(d) {
		return "batched", "batched, a source a block in shared memory, the fastest by weights on every graph measured of some thousand nodes"
	}
	if w.batchedByWeights() {
		return "batched", "batched, the fastest by weights on every graph measured of over 10,000 nodes"
	}
	degree := float64(arcs(w.Size)) / float64(max(w.Size.Nodes, 1))
	lanes := 4
	if degree >= wideDegree {
		lanes = 8
	}
	return fmt.Sprintf("work-efficient-warp-%d", lanes),
		fmt.Sprintf("%d threads a node, because weighted frontiers are small and the mean degree is %.1f", lanes, degree)
}
