package search

import (
	"math"
	"sync"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// length is what 64 bits hold of the length of a path: whole ticks, or a sum of weights.
type length interface{ int64 | float64 }

// arcLengths measures paths in 64 bits.
type arcLengths[D length] struct {
	arc []D
	// far stands for no path; it is longer than any.
	far D
	// limit is the length of the longest path to follow.
	limit D
	// tolerance is that of ties, relative; 0 where lengths are exact.
	tolerance float64
	unit      lengths.Unit

	once sync.Once
	// perBucket is how many buckets a length of 1 makes, ring how many buckets the longest arc reaches over.
	perBucket float64
	ring      uint64
	// whole says that a bucket is one tick wide: its nodes are all as far, and final when a search comes to it.
	whole bool
	// least and longest are the lengths of arcs.
	least, longest D
}

func inTicks(t *lengths.Ticks) *arcLengths[int64] {
	return &arcLengths[int64]{arc: t.Arc, far: math.MaxInt64, limit: math.MaxInt64, unit: t.Unit}
}

func inReals(r *lengths.Reals) *arcLengths[float64] {
	one := lengths.Unit{Mul: 1, Div: 1, Div2: 1}
	return &arcLengths[float64]{arc: r.Arc, far: math.Inf(1), limit: math.Inf(1), tolerance: r.Tolerance, unit: one}
}

// bucketMaker makes searches with buckets.
func bucketMaker[D length](g *export.Graph, l *arcLengths[D]) Maker {
	return func(keep bool, stop *stopper.Stopper) Search { return newBucketSearch(g, l, keep, stop) }
}

const (
	// nodesPerBucket is how many nodes are to be in a bucket that a search comes to.
	nodesPerBucket = 2
	// maxBuckets bounds how many the longest arc reaches over, and with it the memory of a search.
	maxBuckets = 1 << 14
	// firstBuckets is as many in a search that nothing is known of.
	firstBuckets = 1 << 10
)

// ringBytes bounds the memory of a ring but for what it has of nodes.
const ringBytes = 5 * 2 * maxBuckets

// chooseWidth makes buckets a tick wide, where they are not too many then, or so wide that a search from the node of
// the highest degree has about so many nodes in each that it comes to.
func (l *arcLengths[D]) chooseWidth(g *export.Graph, nodes float64, stop *stopper.Stopper) {
	l.firstWidth()
	if _, ticks := any(l.longest).(int64); ticks && l.longest <= maxBuckets {
		l.setWidth(l.longest, 1)
		l.whole = true
		return
	}
	if g.N() == 0 {
		return
	}
	probe := newRingSearch(g, l, false, stop)
	if probe.From(g.Widest()) != nil || len(probe.Order) == 1 {
		return
	}
	last := probe.Order[len(probe.Order)-1]
	l.setWidth(l.longest, nodes*float64(probe.dist[last])/float64(len(probe.Order)))
}

// firstWidth sets the width for a search that nothing is known of.
func (l *arcLengths[D]) firstWidth() {
	l.least = l.far
	for _, a := range l.arc {
		l.least, l.longest = min(l.least, a), max(l.longest, a)
	}
	l.setWidth(l.longest, float64(l.longest)/firstBuckets)
}

// setWidth sets how far a bucket reaches: no less than a tick, nor than maxBuckets allows.
func (l *arcLengths[D]) setWidth(longest D, width float64) {
	width = max(width, float64(longest)/maxBuckets)
	if l.tolerance == 0 {
		width = max(width, 1)
	}
	l.perBucket = min(1/width, math.MaxFloat64)
	l.ring = uint64(float64(longest)*l.perBucket) + 3
}

// bucket is the number of the bucket of a length: none of a lesser length has a greater one.
func (l *arcLengths[D]) bucket(d D) uint64 { return uint64(int64(float64(d) * l.perBucket)) }
