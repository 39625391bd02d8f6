package worker

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/deep"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/small"
)

// byRules returns the engines that accept a job in the order in which auto takes them, and why the first.
func byRules(j *device.Job, all []device.Engine, d gpu.Info) (engines []device.Engine, why string) {
	name, why := best(j, d)
	first := func(e device.Engine) bool {
		if name == batched {
			return isBatched(e.Name()) && suits(e, j, d)
		}
		return e.Name() == name
	}
	for _, e := range all {
		if first(e) {
			engines = append(engines, e)
		}
	}
	if len(engines) == 0 && len(all) > 0 {
		why = fmt.Sprintf("the first that computes %s", j.Want)
	}
	for _, e := range all {
		if !first(e) && (!isBatched(e.Name()) || name == batched && suits(e, j, d)) {
			engines = append(engines, e)
		}
	}
	return engines, "auto: " + why
}

// best names the strategy that was fastest on graphs like this one, and says why. See bench/results.
func best(j *device.Job, d gpu.Info) (name, why string) {
	w := j.Want
	switch {
	case w.Kind() == kernels.Balls && (w.Radius() <= 2 || !hasLargeBalls(j.Host, w.Radius())):
		return "volume-bitmap", "volume-bitmap, faster than volume-lists on every graph measured"
	case oneByOneByHops(j) && w.Sources <= fewSearches && device.Arcs(w.Size) >= fewSearchesDegree*w.Size.Nodes:
		return "work-efficient-warp-4", "4 threads per node, because few sources leave most of the device free"
	case oneByOneByHops(j):
		return "work-efficient", "work-efficient, because ordering nodes for batches takes longer than searching from so few sources"
	case !w.Weighted && w.Kind() != kernels.PathCounts && batchesSuit(j, d):
		return batched, "batches, the fastest by hops on every graph that they suit"
	case !w.Weighted:
		return "work-efficient", "work-efficient, the fastest by hops on every graph that does not suit batches"
	case (small.Engine{}).Accepts(w, j.Host.Directed) && (small.Engine{}).Suits(j, d):
		return batched, "a source per block in shared memory, the fastest by weights on graphs of some thousand nodes"
	case byWeights(j):
		return batched, "batches, the fastest by weights on graphs of over 10,000 nodes"
	}
	degree := float64(device.Arcs(w.Size)) / float64(max(w.Size.Nodes, 1))
	lanes := 4
	if degree >= wideDegree {
		lanes = 8
	}
	return fmt.Sprintf("work-efficient-warp-%d", lanes),
		fmt.Sprintf("%d threads per node, because weighted frontiers are small and the mean degree is %.1f", lanes, degree)
}

// byWeights reports whether auto takes batches by weights, whatever fits into shared memory: on small graphs there are too few to
// keep a device busy.
func byWeights(j *device.Job) bool {
	return j.Weighted && j.Size.Nodes > tinyGraph && (j.Kind() == kernels.Dependencies || j.Folds())
}

// oneByOneByHops reports whether betweenness by hops is wanted from so few of all sources that ordering nodes for batches, on the
// host, would take longer than a search from each.
func oneByOneByHops(j *device.Job) bool {
	return !j.Weighted && j.Kind() == kernels.Dependencies && j.Want.Sources < batchedSample && int64(j.Want.Sources) < j.Size.Nodes
}

// batchesSuit reports whether batches by hops suit the graph and the sources. On deep graphs they pay where the sources of a batch
// are near each other, so that their lanes reach a node at few levels, and where there are batches enough, of levels that are large
// enough.
func batchesSuit(j *device.Job, d gpu.Info) bool {
	few := j.Kind() == kernels.Dependencies && j.Host.N() <= smallBatches
	if few && int64(len(j.Sources))*int64(j.Host.M()) < smallWork {
		return false
	}
	return !j.Deep() || !isSparse(j.Host, j.Sources) && !hasFewBatches(j, d) && !hasThinLevels(j)
}

// hasThinLevels reports whether levels of a sample of sources are too small to keep a team of blocks busy.
func hasThinLevels(j *device.Job) bool {
	sample := !j.Weighted && j.MasksOnly() && len(j.Sources) < j.Host.N() && j.Deep()
	return sample && int64(j.Host.Arcs()) < thinLevel*int64(j.Depth().Levels)
}

// hasFewBatches reports whether a sample of sources makes so few batches of a deep graph that most of the device would be idle.
func hasFewBatches(j *device.Job, d gpu.Info) bool {
	if j.Weighted || j.Kind() != kernels.Dependencies || len(j.Sources) == j.Host.N() || !(deep.Engine{}).Suits(j) {
		return false
	}
	lanes := 64
	if j.Single {
		lanes = order.SingleLanes
	}
	count := (len(j.Sources) + lanes - 1) / lanes
	return float64(count)*float64(j.Host.Arcs()) < busyBatches*float64(d.SMs)*float64(j.Host.N())
}

// hasLargeBalls reports whether searches of radius hops read over 1/ballShare of all arcs, in the mean of a few.
func hasLargeBalls(g *export.Graph, radius int64) bool {
	if g.N() == 0 {
		return false
	}
	read, enough := int64(0), ballProbes*int64(g.Arcs())/ballShare
	seen := make([]int32, g.N()) // by which probe
	for probe := range int32(ballProbes) {
		start := int32(int64(probe) * int64(g.N()) / ballProbes)
		seen[start] = probe + 1
		front := []int32{start}
		for hop := int64(0); hop < radius && len(front) > 0 && read <= enough; hop++ {
			var next []int32
			for _, v := range front {
				read += g.Degree(v)
				for _, w := range g.Row(v) {
					if seen[w] != probe+1 {
						seen[w] = probe + 1
						next = append(next, w)
					}
				}
			}
			front = next
		}
	}
	return read > enough
}

// isSparse reports whether fewer than one in sparseSample of the arcs that leave sources end at one; in sparseRoadSample on
// road-like graphs.
func isSparse(g *export.Graph, sources []int32) bool {
	if len(sources) == g.N() {
		return false
	}
	share := int64(sparseSample)
	if int64(g.Arcs()) < sparseRoad*int64(g.N()) {
		share = sparseRoadSample
	}
	near, all := order.ArcsAmong(g, sources)
	return near*share < all
}
