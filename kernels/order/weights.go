package order

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/heap"
)

// halvedApart is how many sources are worth a thread of their own.
const halvedApart = 512

// ByWeights is the order of a graph's nodes by weights, and that in which sources make batches, in the making.
type ByWeights struct {
	g       *export.Graph
	sources []int32
	lanes   int
	// level says that batches are level: no paths are counted.
	level bool
	find  func() Depth
	once  Once
	// Nodes, turns and depth are there when wait returns.
	Nodes, Turns []int32
	Depth        Depth
	making       sync.WaitGroup
}

// BeginByWeights begins to order a graph's nodes and the sources for batches of so many lanes by weights, on threads of
// its own, which read the graph until wait returns. level says that no paths are counted; depth returns how deep the
// graph is.
func BeginByWeights(g *export.Graph, sources []int32, lanes int, level bool, depth func() Depth, once Once) *ByWeights {
	o := &ByWeights{g: g, sources: sources, lanes: lanes, level: level, find: depth, once: once}
	o.making.Go(o.make)
	return o
}

// Wait returns when the orders are made.
func (o *ByWeights) Wait() { o.making.Wait() }

// make makes the orders, or has them from another worker.
func (o *ByWeights) make() {
	o.Depth = o.find()
	lists := o.once.Find(fmt.Sprint("by weights ", o.lanes, o.level, Sum(o.sources)), func() [][]int32 {
		o.order()
		return [][]int32{o.Nodes, o.Turns}
	})
	o.Nodes, o.Turns = lists[0], lists[1]
}

// order orders the nodes, and the sources by landmarks that are all over that order. Where no paths are counted,
// landmarks are all over the nodes by their numbers instead, and searched from meanwhile: batches are level then, and
// would not be with counts (docs/design/batches-by-weights.md).
func (o *ByWeights) order() {
	var landmarks [][]float32
	var searching sync.WaitGroup
	near := ByLandmarks(len(o.sources), o.g.N(), o.lanes)
	if near && o.level {
		searching.Go(func() {
			if nodes := withArcs(o.g); len(nodes) > 0 {
				landmarks = distancesByWeight(o.g, spaced(nodes, weightedLandmarks))
			}
		})
	}
	o.Nodes = Nodes(o.g, o.Depth.Deep, o.Depth.End, int64(o.lanes))
	o.Turns = o.Nodes
	if !near {
		return
	}
	if searching.Wait(); landmarks == nil {
		landmarks = distancesByWeight(o.g, spaced(o.Nodes, weightedLandmarks))
	}
	o.Turns = nearByWeight(landmarks, slices.Compact(Arrange(o.sources, o.Nodes, o.g.N())), o.lanes)
}

// ByLandmarks says whether so many sources of a graph of so many nodes make batches by their distances to landmarks.
func ByLandmarks(sources, nodes, lanes int) bool {
	return sources > 2*lanes && nearShare*sources >= nodes
}

// nearByWeight returns the sources such that those of a batch of so many lanes are about as far as one another from
// anywhere: they are halved, down to batches, by their distances to the landmark for which these vary most. Those at
// the same distance, as all are that no landmark is in reach of, stay as they are given.
func nearByWeight(d [][]float32, sources []int32, lanes int) []int32 {
	h := halving{distances: make([]float32, len(d)*len(sources)), landmarks: len(d), leaf: lanes,
		nodes: make([]uint64, len(sources))}
	shareOut(len(sources), len(h.distances), func(lo, hi int) bool {
		for i := lo; i < hi; i++ {
			h.nodes[i] = uint64(i)
			of := h.of(uint64(i))
			for l := range of {
				of[l] = d[l][sources[i]]
			}
		}
		return false
	})
	h.split(0, len(sources))
	h.threads.Wait()
	out := make([]int32, len(sources))
	for i, x := range h.nodes {
		out[i] = sources[uint32(x)]
	}
	return out
}

// withArcs are the nodes that arcs leave.
func withArcs(g *export.Graph) []int32 {
	return slices.DeleteFunc(All(g), func(v int32) bool { return g.Degree(v) == 0 })
}

// spaced are count nodes at even distances in a list.
func spaced(nodes []int32, count int) []int32 {
	out := make([]int32, count)
	for i := range out {
		out[i] = nodes[(2*i+1)*len(nodes)/(2*count)]
	}
	return out
}

// distancesByWeight returns the distances of all nodes to landmarks. It searches from all of them at a time.
func distancesByWeight(g *export.Graph, landmarks []int32) [][]float32 {
	out := make([][]float32, len(landmarks))
	towards, width := newRoughGraph(g.Transpose()), roughWidth*meanOf(g.Weights)
	var threads sync.WaitGroup
	for i, v := range landmarks {
		threads.Go(func() { out[i] = towards.distances(v, width) })
	}
	threads.Wait()
	return out
}

// roughGraph is a graph for searches in float32.
type roughGraph struct {
	offsets []int64
	arcs    []roughArc
}

// roughArc is where an arc leads, and its weight beside it.
type roughArc struct {
	to     int32
	weight float32
}

func newRoughGraph(g *export.Graph) roughGraph {
	out := roughGraph{g.Offsets, make([]roughArc, g.Arcs())}
	shareOut(g.Arcs(), g.Arcs(), func(lo, hi int) bool {
		weights, arcs := g.Weights[lo:hi], out.arcs[lo:hi]
		for i, w := range g.Targets[lo:hi] {
			arcs[i] = roughArc{w, float32(weights[i])}
		}
		return false
	})
	return out
}

func (g roughGraph) n() int                 { return len(g.offsets) - 1 }
func (g roughGraph) row(v int32) []roughArc { return g.arcs[g.offsets[v]:g.offsets[v+1]] }

// meanOf is about the mean of the weights: that of some of them.
func meanOf(weights []float64) float32 {
	sum, step := 0.0, max(1, len(weights)/(1<<12))
	for i := 0; i < len(weights); i += step {
		sum += weights[i]
	}
	return float32(sum / float64(max(1, len(weights)/step)))
}

// keyed is a node with a number that orders it.
type keyed = heap.Entry[float32]

// distances finds distances in float32, the least of the sums along paths. Nodes out of reach are as far as the
// farthest that is not. Nodes wait in buckets of the given width, in which they are in no order, so that some are
// passed on several times; what is too far for any bucket waits until all are empty (Dial 1969; Meyer and Sanders,
// Delta-stepping, 2003). Where weights differ so much that this passes nodes on too often, Dijkstra's algorithm finds
// the same distances.
func (g roughGraph) distances(from int32, width float32) []float32 {
	r := newRough(g, from, width)
	if !r.run() {
		r = newRough(g, from, width)
		r.dijkstra()
	}
	none, farthest := float32(math.Inf(1)), float32(0)
	for _, x := range r.near {
		if x < none && x > farthest {
			farthest = x
		}
	}
	for v, x := range r.near {
		if x == none {
			r.near[v] = farthest
		}
	}
	return r.near
}

// rough is a search at work.
type rough struct {
	roughGraph
	near        []float32 // distances so far
	base, scale float32   // where the first bucket begins, and how many there are to a unit
	buckets     [roughBuckets][]keyed
	beyond      []keyed
	left        int // arcs that may still be looked at
}

func newRough(g roughGraph, from int32, width float32) *rough {
	r := &rough{roughGraph: g, near: make([]float32, g.n()), scale: 1 / width, left: roughPasses * (g.n() + len(g.arcs))}
	for v := range r.near {
		r.near[v] = float32(math.Inf(1))
	}
	r.near[from] = 0
	room := g.n()/(2*roughBuckets) + 1
	all := make([]keyed, roughBuckets*room)
	for b := range r.buckets {
		r.buckets[b] = all[b*room : b*room : (b+1)*room]
	}
	r.buckets[0] = append(r.buckets[0], keyed{At: from})
	return r
}

// run returns false when it takes too long.
func (r *rough) run() bool {
	for {
		for b := range r.buckets {
			if r.empty(b); r.left < 0 {
				return false
			}
		}
		wait := slices.DeleteFunc(r.beyond, func(x keyed) bool { return x.Key != r.near[x.At] })
		if len(wait) == 0 {
			return true
		}
		r.base = slices.MinFunc(wait, func(a, b keyed) int { return cmp.Compare(a.Key, b.Key) }).Key
		r.beyond = nil
		for _, x := range wait {
			if place := r.place(x.Key); place >= roughBuckets {
				r.beyond = append(r.beyond, x)
			} else {
				b := max(int(place), 0)
				r.buckets[b] = append(r.buckets[b], x)
			}
		}
	}
}

// place is how many buckets from the base a distance lies that is not before it; NaN where the width is 0.
func (r *rough) place(key float32) float32 { return (key - r.base) * r.scale }

// empty passes the distances of a bucket's nodes on along their arcs.
func (r *rough) empty(bucket int) {
	near, offsets, arcs, nodes := r.near, r.offsets, r.arcs, r.buckets[bucket]
	for i := 0; i < len(nodes); i++ { // it grows meanwhile
		x := nodes[i]
		if x.Key != near[x.At] {
			continue
		}
		row := arcs[offsets[x.At]:offsets[x.At+1]]
		r.left -= len(row)
		for _, a := range row {
			to := x.Key + a.weight
			if to >= near[a.to] {
				continue
			}
			near[a.to] = to
			place := r.place(to)
			if place >= roughBuckets {
				r.beyond = append(r.beyond, keyed{Key: to, At: a.to})
			} else if b := int(place); b > bucket {
				r.buckets[b] = append(r.buckets[b], keyed{Key: to, At: a.to})
			} else {
				nodes = append(nodes, keyed{Key: to, At: a.to})
			}
		}
	}
	r.buckets[bucket] = nodes[:0]
}

// dijkstra is Dijkstra's algorithm.
func (r *rough) dijkstra() {
	queue := heap.Heap[float32](r.buckets[0])
	for len(queue) > 0 {
		x := queue.Pop()
		if x.Key > r.near[x.At] {
			continue
		}
		for _, a := range r.row(x.At) {
			if to := x.Key + a.weight; to < r.near[a.to] {
				r.near[a.to] = to
				queue.Push(keyed{Key: to, At: a.to})
			}
		}
	}
}

// halving is nearByWeight at work.
type halving struct {
	distances []float32 // to the landmarks, source by source
	landmarks int
	leaf      int
	nodes     []uint64 // places among the sources, below the bits of the distance that orders them
	threads   sync.WaitGroup
}

// of are the distances of a source to the landmarks.
func (h *halving) of(node uint64) []float32 {
	at := int(uint32(node)) * h.landmarks
	return h.distances[at : at+h.landmarks]
}

// split orders a range of the sources, whose first part is whole batches.
func (h *halving) split(lo, hi int) {
	for hi-lo > h.leaf {
		part := h.nodes[lo:hi]
		by := h.widest(part)
		for i, x := range part {
			part[i] = uint64(math.Float32bits(h.of(x)[by]))<<32 | uint64(uint32(x))
		}
		half := max((hi-lo)/2/h.leaf, 1) * h.leaf
		divide(part, half)
		if from, end := lo, lo+half; half > halvedApart {
			h.threads.Go(func() { h.split(from, end) })
		} else {
			h.split(from, end)
		}
		lo += half
	}
}

// widest returns the landmark to which the distances of a part vary most, in a sample of it.
func (h *halving) widest(part []uint64) int {
	sums, squares := make([]float64, h.landmarks), make([]float64, h.landmarks)
	step := max(1, len(part)/splitSample)
	count := 0.0
	for i := 0; i < len(part); i += step {
		for l, d := range h.of(part[i]) {
			x := float64(d)
			sums[l] += x
			squares[l] += x * x
		}
		count++
	}
	best, most := 0, -1.0
	for l, sum := range sums {
		if variance := squares[l]/count - sum/count*(sum/count); variance > most {
			best, most = l, variance
		}
	}
	return best
}

// divide moves the least `half` of the nodes, which differ and are under 2^63, to the front, in no order among
// themselves (Hoare's selection). It compares without a branch, which would go either way.
func divide(nodes []uint64, half int) {
	for len(nodes) > 1 && half > 0 && half < len(nodes) {
		last := len(nodes) - 1
		middle := len(nodes) / 2
		pivot := nodes[middle]
		nodes[middle] = nodes[last]
		count := 0 // less than the pivot
		for i, x := range nodes[:last] {
			nodes[i] = nodes[count]
			nodes[count] = x
			count += int((x - pivot) >> 63)
		}
		nodes[last] = nodes[count]
		nodes[count] = pivot
		if half <= count {
			nodes = nodes[:count]
		} else {
			nodes, half = nodes[count+1:], half-count-1
		}
	}
}
