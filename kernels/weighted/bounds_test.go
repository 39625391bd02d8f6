package weighted

import (
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// TestWidthOfBuckets: by what the graph is like, what is computed and from how many nodes.
func TestWidthOfBuckets(t *testing.T) {
	road, even, hubs := graphtest.Band(t, 5000, 3), graphtest.Ring(t, 5000, 20000), graphtest.Stars(t, 5000)
	for _, c := range []struct {
		name    string
		graph   *export.Graph
		measure string
		sources int
		bounded bool
		want    float64
	}{
		{"counts on a road", road, "betweenness", 5000, false, deepBucketArcs / 6},
		{"distances on a road", road, "closeness", 5000, false, bucketArcs},
		{"counts among rows alike", even, "betweenness", 5000, false, evenBucketArcs},
		{"distances among rows alike", even, "closeness", 5000, false, levelsBucketArcs},
		{"counts among hubs", hubs, "betweenness", 5000, false, bucketArcs},
		{"counts with bounds", hubs, "betweenness", 5000, true, boundedBucketArcs},
		{"counts with bounds from a sample", hubs, "betweenness", 500, true, bucketArcs},
		{"distances with bounds from a sample", hubs, "closeness", 500, true, boundedBucketArcs},
	} {
		r := &run{layout: layout{bounded: c.bounded}, job: &device.Job{
			Want: device.Want{Measure: c.measure}, Host: c.graph, Sources: order.All(c.graph)[:c.sources],
			Graph: &device.Graph{N: int64(c.graph.N()), Arcs: int64(c.graph.Arcs())},
		}}
		if got := r.bucketWidth(); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
		if r.job.Bucket = 3; r.bucketWidth() != 3 {
			t.Errorf("%s: not the width that was asked for", c.name)
		}
	}
}
