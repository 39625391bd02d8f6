package search

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/heap"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// bucketSearch is Dijkstra's algorithm with a ring of buckets, and a binary heap of the few nodes that are in the
// current one, unless a bucket is a tick wide.
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
	l.once.Do(func() { l.chooseWidth(g, nodesPerBucket, stop) })
	return newRingSearch(g, l, keep, stop)
}

func newRingSearch[D length](g *export.Graph, l *arcLengths[D], keep bool, stop *stopper.Stopper) *bucketSearch[D] {
	d := &bucketSearch[D]{
		Paths: newPaths(g, keep), lengths: l, g: g, stop: stop, dist: make([]D, g.N()), ring: heap.NewRing(l.ring),
	}
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

func (d *bucketSearch[D]) distances(into []float64) {
	for i, v := range d.Order {
		into[i] = d.lengths.unit.Of(float64(d.dist[v]))
	}
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
		if err := d.keepArcs(); err != nil {
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
		if w, to := targets[k], from+a; to < dist[w] && to <= d.lengths.limit {
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
	if err := d.lengthens(u); err != nil {
		return err
	}
	l, dist, from := d.lengths, d.dist, d.dist[u]
	targets, arcs := d.row(u)
	for k, a := range arcs {
		w, to := targets[k], from+a
		if old := dist[w]; to < old && to <= l.limit {
			d.lower(w, old, to)
		}
	}
	return nil
}

// lower sets the distance of w, which was old.
func (d *bucketSearch[D]) lower(w int32, old, to D) {
	d.dist[w] = to
	switch b := d.lengths.bucket(to); {
	case b == d.at:
		d.heap.Push(heap.Entry[D]{Key: to, At: w})
	case old == d.lengths.far || b != d.lengths.bucket(old):
		d.ring.Push(w, b)
	}
}

// lengthens reports an arc of u that does not lengthen a path: none where the least and the longest of all do.
func (d *bucketSearch[D]) lengthens(u int32) error {
	l, from := d.lengths, d.dist[u]
	if from+l.least > from && from+l.longest < l.far {
		return nil
	}
	targets, arcs := d.row(u)
	for k, a := range arcs {
		if to := from + a; !(to > from && to < l.far) && targets[k] != u {
			return lengths.LostWeight(d.g, d.g.Offsets[u]+int64(k))
		}
	}
	return nil
}

// keepArcs lists the arcs of shortest paths, and counts these. They lead from smaller to greater distances only, so
// that there are no cycles.
func (d *bucketSearch[D]) keepArcs() error {
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

// keepWithin is keepArcs for the arcs of u where lengths within the tolerance of one another tie.
func (d *bucketSearch[D]) keepWithin(u int32) {
	dist, from, slack, x := d.dist, d.dist[u], 1+d.lengths.tolerance, d.Sigma[u]
	targets, lengths := d.row(u)
	for k, a := range lengths {
		w := targets[k]
		if to := dist[w]; to != d.lengths.far && from < to && float64(from+a) <= float64(to)*slack {
			d.Arcs = append(d.Arcs, uint32(k))
			d.Sigma[w] += x
		}
	}
}

// keepExact is keepArcs for the arcs of u where lengths are exact.
func (d *bucketSearch[D]) keepExact(u int32) {
	dist, from, x, kept := d.dist, d.dist[u], d.Sigma[u], d.Arcs
	targets, lengths := d.row(u)
	for k, a := range lengths {
		if w := targets[k]; from+a == dist[w] {
			kept = append(kept, uint32(k))
			d.Sigma[w] += x
		}
	}
	d.Arcs = kept
}

// keepMasked is keepExact without a branch.
func (d *bucketSearch[D]) keepMasked(u int32) {
	dist, sigma, from, x := d.dist, d.Sigma, d.dist[u], math.Float64bits(d.Sigma[u])
	arcs, kept := d.Arcs[:cap(d.Arcs)], len(d.Arcs)
	targets, lengths := d.row(u)
	for k, a := range lengths {
		w, is := targets[k], 0
		if from+a == dist[w] {
			is = 1
		}
		arcs[kept] = uint32(k)
		kept += is
		sigma[w] += math.Float64frombits(x & uint64(-is))
	}
	d.Arcs = arcs[:kept]
}
