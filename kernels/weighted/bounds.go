package weighted

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// maybeBounded reports whether searches of a graph of that size may keep bounds, as far as memory is concerned.
func maybeBounded(size kernels.Size) bool { return device.Arcs(size) >= boundedDegree*size.Nodes }

// keepsBounds reports whether the run's searches do.
func (r *run) keepsBounds() bool {
	g := r.job.Host
	return r.metric.Name == "reals" && maybeBounded(device.SizeOf(g)) && hasRowOver(g, boundedHub)
}

// hasRowOver reports whether more than so many arcs leave some node.
func hasRowOver(g *export.Graph, degree int64) bool {
	for v := range g.N() {
		if g.Offsets[v+1]-g.Offsets[v] > degree {
			return true
		}
	}
	return false
}

// bucketWidth is the width of buckets, as so many times the mean weight over the mean degree.
func (r *run) bucketWidth() float64 {
	g := r.job.Host
	degree := float64(r.job.Graph.Arcs) / float64(r.job.Graph.N)
	deep, levelsOnly := r.job.Deep(), r.job.LevelsOnly()
	switch {
	case r.job.Bucket > 0:
		return r.job.Bucket
	case r.layout.bounded && (levelsOnly || order.ByLandmarks(len(r.job.Sources), g.N(), weightedLanes)):
		return boundedBucketArcs
	case levelsOnly && !deep:
		return levelsBucketArcs
	case levelsOnly:
		return bucketArcs
	case deep:
		return deepBucketArcs / max(degree, 1)
	case !hasRowOver(g, int64(evenRow*degree)):
		return evenBucketArcs
	}
	return bucketArcs
}
