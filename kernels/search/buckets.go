package search

import (
	"math"
	"sync"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/heap"
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
	// tolerance is that of ties, relative; 0 where lengths are exact.
	tolerance float64
	unit      lengths.Unit
	// unique says that a source is to be searched from in some other way where two paths tie: all arcs that could lead to ties are kept.
	unique bool

	once sync.Once
	// perBucket is how many buckets a length of 1 makes, ring how many buckets the longest arc reaches over.
	perBucket float64
	ring      uint64
	// whole says that a bucket is one tick wide: its nodes are all as far, and final when a search comes to it.
	whole bool
}

func inTicks(t *lengths.Ticks) *arcLengths[int64] {
	return &arcLengths[int64]{arc: t.Arc, far: math.MaxInt64, unit: t.Unit}
}

func inReals(r *lengths.Reals) *arcLengths[float64] {
	return &arcLengths[float64]{arc: r.Arc, far: math.Inf(1), tolerance: r.Tolerance, unit: lengths.Unit{Mul: 1, Div: 1, Div2: 1}}
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

// chooseWidth makes buckets a tick wide, where they are not too many then, or as wide as nodesPerBucket needs in a search from the node of the highest degree.
func (l *arcLengths[D]) chooseWidth(g *export.Graph, stop *stopper.Stopper) {
	longest := l.firstWidth()
	if _, ticks := any(longest).(int64); ticks && longest <= maxBuckets {
		l.setWidth(longest, 1)
		l.whole = true
		return
	}
	if g.N() == 0 {
		return
	}
	probe := newRingSearch(g, l, false, stop)
	if probe.From(widest(g)) != nil || len(probe.Order) == 1 {
		return
	}
	last := probe.Order[len(probe.Order)-1]
	l.setWidth(longest, nodesPerBucket*float64(probe.dist[last])/float64(len(probe.Order)))
}

// firstWidth sets the width for a search that nothing is known of, and returns the length of the longest arc.
func (l *arcLengths[D]) firstWidth() D {
	var longest D
	for _, a := range l.arc {
		longest = max(longest, a)
	}
	l.setWidth(longest, float64(longest)/firstBuckets)
	return longest
}

// widest returns a node of the highest degree.
func widest(g *export.Graph) int32 {
	widest := int32(0)
	for v := range int32(g.N()) {
		if g.Degree(v) > g.Degree(widest) {
			widest = v
		}
	}
	return widest
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
func (l *arcLengths[D]) bucket(d D) uint64 { return uint64(float64(d) * l.perBucket) }

// bucketSearch is Dijkstra's algorithm with a ring of buckets, and a binary heap of the few nodes that are in the current one, unless a bucket is a tick wide.
type bucketSearch[D length] struct {
	Paths
	lengths *arcLengths[D]
	g       *export.Graph
	stop    *stopper.Stopper
	dist    []D
	ring    *heap.Ring
	at      uint64       // the current bucket
	heap    heap.Heap[D] // a node may be in it more than once
	halted  bool         // the last search came to no end
}

func newBucketSearch[D length](g *export.Graph, l *arcLengths[D], keep bool, stop *stopper.Stopper) *bucketSearch[D] {
	l.once.Do(func() { l.chooseWidth(g, stop) })
	return newRingSearch(g, l, keep, stop)
}

func newRingSearch[D length](g *export.Graph, l *arcLengths[D], keep bool, stop *stopper.Stopper) *bucketSearch[D] {
	d := &bucketSearch[D]{Paths: newPaths(g, keep), lengths: l, g: g, stop: stop, dist: make([]D, g.N()), ring: heap.NewRing(l.ring)}
	for v := range d.dist {
		d.dist[v] = l.far
	}
	return d
}

func (d *bucketSearch[D]) Found() *Paths { return &d.Paths }

func (d *bucketSearch[D]) Reached(v int32) bool { return d.dist[v] != d.lengths.far }

func (d *bucketSearch[D]) Distance(v int32) float64 {
	if !d.Reached(v) {
		return 0
	}
	return d.lengths.unit.Of(float64(d.dist[v]))
}

func (d *bucketSearch[D]) From(s int32) error {
	d.begin(s)
	settle := d.byHeap
	if d.lengths.whole {
		settle = d.byTicks
	}
	if err := settle(); err != nil {
		return err
	}
	d.Levels = append(d.Levels, len(d.Order))
	if d.keep {
		if err := d.keepTight(); err != nil {
			return err
		}
	}
	d.halted = false
	return nil
}

// byHeap settles the nodes of a bucket in the order of a heap, to which those come that it lowers into the same bucket.
func (d *bucketSearch[D]) byHeap() error {
	for more := true; more; d.at, more = d.ring.Next(d.at) {
		for e := d.ring.Take(d.at); e >= 0; {
			var v int32
			if v, e = d.ring.Entry(e); d.lengths.bucket(d.dist[v]) == d.at {
				d.heap.Push(heap.Entry[D]{Key: d.dist[v], At: v})
			}
		}
		for len(d.heap) > 0 {
			e := d.heap.Pop()
			if e.Key != d.dist[e.At] {
				continue
			}
			if len(d.Order)%stopper.Every == 0 {
				if err := d.stop.Err(); err != nil {
					return err
				}
			}
			d.Order = append(d.Order, e.At)
			if err := d.relax(e.At); err != nil {
				return err
			}
		}
	}
	return nil
}

// byTicks settles the nodes of a bucket as they come: all are as far.
func (d *bucketSearch[D]) byTicks() error {
	for more := true; more; d.at, more = d.ring.Next(d.at) {
		for e := d.ring.Take(d.at); e >= 0; {
			var v int32
			if v, e = d.ring.Entry(e); uint64(d.dist[v]) != d.at {
				continue
			}
			if len(d.Order)%stopper.Every == 0 {
				if err := d.stop.Err(); err != nil {
					return err
				}
			}
			d.Order = append(d.Order, v)
			d.relaxTicks(v)
		}
	}
	return nil
}

// relaxTicks is relax for byTicks. Ticks do not overflow, and lengthen every path.
func (d *bucketSearch[D]) relaxTicks(u int32) {
	dist, from := d.dist, d.dist[u]
	targets, lengths := d.row(u)
	for k, a := range lengths {
		if w, to := targets[k], from+a; to < dist[w] {
			dist[w] = to
			d.ring.Push(w, uint64(to))
		}
	}
}

// begin puts back what the last search left.
func (d *bucketSearch[D]) begin(s int32) {
	if d.halted {
		for v := range d.dist {
			d.dist[v] = d.lengths.far
		}
		d.ring.Reset()
	} else {
		for _, v := range d.Order {
			d.dist[v] = d.lengths.far
		}
	}
	d.reset(s)
	d.Order, d.heap, d.at, d.halted = d.Order[:0], d.heap[:0], 0, true
	d.dist[s] = 0
	d.ring.Push(s, 0)
}

func (d *bucketSearch[D]) relax(u int32) error {
	l, dist, from := d.lengths, d.dist, d.dist[u]
	targets, arcs := d.row(u)
	for k, a := range arcs {
		w, to := targets[k], from+a
		if !(to > from && to < l.far) && w != u {
			return lengths.LostWeight(d.g, d.g.Offsets[u]+int64(k))
		}
		old := dist[w]
		if to >= old {
			continue
		}
		dist[w] = to
		switch b := l.bucket(to); {
		case b == d.at:
			d.heap.Push(heap.Entry[D]{Key: to, At: w})
		case old == l.far || b != l.bucket(old):
			d.ring.Push(w, b)
		}
	}
	return nil
}

// oneEach says that one arc leads to each node but the source, so that there are no ties.
func (d *bucketSearch[D]) oneEach() bool { return len(d.Arcs) == len(d.Order)-1 }

// keepTight lists the arcs of shortest paths, and counts these. They lead from smaller to greater distances only, so that there are no cycles.
func (d *bucketSearch[D]) keepTight() error {
	masked := masked(d.g)
	for i, u := range d.Order {
		if i%stopper.Every == 0 {
			if err := d.stop.Err(); err != nil {
				return err
			}
		}
		d.Start = append(d.Start, int64(len(d.Arcs)))
		switch {
		case d.lengths.tolerance > 0:
			d.keepWithin(u)
		case masked:
			d.keepMasked(u)
		default:
			d.keepExact(u)
		}
	}
	d.Start = append(d.Start, int64(len(d.Arcs)))
	d.countedAll(d.Order)
	return nil
}

// row returns where the arcs of u lead, and their lengths.
func (d *bucketSearch[D]) row(u int32) (targets []int32, lengths []D) {
	lo, hi := d.g.Offsets[u], d.g.Offsets[u+1]
	return d.g.Targets[lo:hi], d.lengths.arc[lo:hi]
}

// keepWithin is keepTight for the arcs of u where lengths within the tolerance of one another tie.
func (d *bucketSearch[D]) keepWithin(u int32) {
	dist, from, slack, x := d.dist, d.dist[u], 1+d.lengths.tolerance, d.Sigma[u]
	targets, lengths := d.row(u)
	for k, a := range lengths {
		w := targets[k]
		if to := dist[w]; (from < to || d.lengths.unique && w != u) && float64(from+a) <= float64(to)*slack {
			d.Arcs = append(d.Arcs, uint32(k))
			d.Sigma[w] += x
		}
	}
}

// keepExact is keepTight for the arcs of u where lengths are exact.
func (d *bucketSearch[D]) keepExact(u int32) {
	dist, from, x, tight := d.dist, d.dist[u], d.Sigma[u], d.Arcs
	targets, lengths := d.row(u)
	for k, a := range lengths {
		if w := targets[k]; from+a == dist[w] {
			tight = append(tight, uint32(k))
			d.Sigma[w] += x
		}
	}
	d.Arcs = tight
}

// keepMasked is keepExact without a branch.
func (d *bucketSearch[D]) keepMasked(u int32) {
	dist, sigma, from, arcs, tight, x := d.dist, d.Sigma, d.dist[u], d.Arcs[:cap(d.Arcs)], len(d.Arcs), math.Float64bits(d.Sigma[u])
	targets, lengths := d.row(u)
	for k, a := range lengths {
		w, is := targets[k], 0
		if from+a == dist[w] {
			is = 1
		}
		arcs[tight] = uint32(k)
		tight += is
		sigma[w] += math.Float64frombits(x & uint64(-is))
	}
	d.Arcs = arcs[:tight]
}
