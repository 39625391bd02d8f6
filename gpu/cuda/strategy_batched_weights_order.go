package cuda

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/heap"
)

// halvedApart is how many sources are worth a thread of their own.
const halvedApart = 512

// nearByWeight returns the sources such that those of a batch of so many lanes are about as far as one another from anywhere: they
// are halved, down to batches, by their distances to the landmark for which these vary most. Those at the same distance, as all are
// that no landmark is in reach of, stay as they are given.
func nearByWeight(d [][]float32, sources []int32, lanes int) []int32 {
	h := halving{distances: d, leaf: lanes, sources: sources, keyed: make([]keyed, len(sources))}
	for i := range h.keyed {
		h.keyed[i].At = int32(i)
	}
	h.split(0, len(sources))
	h.threads.Wait()
	out := make([]int32, len(sources))
	for i, x := range h.keyed {
		out[i] = sources[x.At]
	}
	return out
}

// spaced are count nodes at even distances in the order.
func spaced(order []int32, count int) []int32 {
	out := make([]int32, count)
	for i := range out {
		out[i] = order[(2*i+1)*len(order)/(2*count)]
	}
	return out
}

// distancesByWeight returns the distances of all nodes to landmarks. It searches from all of them at a time.
func distancesByWeight(g *export.Graph, landmarks []int32) [][]float32 {
	out := make([][]float32, len(landmarks))
	towards, width := g.Transpose(), roughWidth*meanOf(g.Weights)
	var threads sync.WaitGroup
	for i, v := range landmarks {
		threads.Go(func() { out[i] = roughDistances(towards, v, width) })
	}
	threads.Wait()
	return out
}

// meanOf is about the mean of the weights: that of some of them.
func meanOf(weights []float64) float32 {
	sum, step := 0.0, max(1, len(weights)/(1<<12))
	for i := 0; i < len(weights); i += step {
		sum += weights[i]
	}
	return float32(sum / float64(max(1, len(weights)/step)))
}

// keyed is a node, or a place in a list of nodes, with a number that orders it.
type keyed = heap.Entry[float32]

// roughDistances finds distances in float32, the least of the sums along paths. Nodes out of reach are as far as the farthest that is not.
// Nodes wait in buckets of the given width, in which they are in no order, so that some are passed on several times; what is too far for
// any bucket waits until all are empty (Dial 1969; Meyer and Sanders, Delta-stepping, 2003). Where weights differ so much that this
// passes nodes on too often, Dijkstra's algorithm finds the same distances.
func roughDistances(g *export.Graph, from int32, width float32) []float32 {
	none := float32(math.Inf(1))
	d := make([]float32, g.N())
	for v := range d {
		d[v] = none
	}
	d[from] = 0
	r := rough{graph: g, distances: d, scale: 1 / width, left: roughPasses * (g.N() + g.Arcs())}
	r.buckets[0] = []keyed{{At: from}}
	if !r.run() {
		for v := range d {
			d[v] = none
		}
		d[from] = 0
		dijkstra(g, from, d)
	}
	farthest := float32(0)
	for _, x := range d {
		if x < none {
			farthest = max(farthest, x)
		}
	}
	for v := range d {
		d[v] = min(d[v], farthest)
	}
	return d
}

// rough is roughDistances at work.
type rough struct {
	graph       *export.Graph
	distances   []float32
	base, scale float32 // where the first bucket begins, and how many there are to a unit
	buckets     [roughBuckets][]keyed
	beyond      []keyed
	left        int // arcs that may still be looked at
}

// run returns false when it takes too long.
func (r *rough) run() bool {
	for {
		for b := range r.buckets {
			for i := 0; i < len(r.buckets[b]); i++ { // it grows meanwhile
				if x := r.buckets[b][i]; x.Key == r.distances[x.At] {
					r.pass(x, b)
				}
			}
			r.buckets[b] = r.buckets[b][:0]
			if r.left < 0 {
				return false
			}
		}
		wait := slices.DeleteFunc(r.beyond, func(x keyed) bool { return x.Key != r.distances[x.At] })
		if len(wait) == 0 {
			return true
		}
		r.base = slices.MinFunc(wait, func(a, b keyed) int { return cmp.Compare(a.Key, b.Key) }).Key
		r.beyond = nil
		for _, x := range wait {
			r.put(x, 0)
		}
	}
}

// pass passes the distance of a node on along its arcs; b is the bucket at hand.
func (r *rough) pass(x keyed, b int) {
	g, d := r.graph, r.distances
	first, last := g.Offsets[x.At], g.Offsets[x.At+1]
	r.left -= int(last - first)
	for a := first; a < last; a++ {
		if w, to := g.Targets[a], x.Key+float32(g.Weights[a]); to < d[w] {
			d[w] = to
			r.put(keyed{Key: to, At: w}, b)
		}
	}
}

// put puts a node into its bucket, but none before b.
func (r *rough) put(x keyed, b int) {
	place := (x.Key - r.base) * r.scale // NaN where the width is 0
	if place >= roughBuckets {
		r.beyond = append(r.beyond, x)
		return
	}
	if place > float32(b) {
		b = int(place)
	}
	r.buckets[b] = append(r.buckets[b], x)
}

// dijkstra is Dijkstra's algorithm on distances that are infinite but for one.
func dijkstra(g *export.Graph, from int32, d []float32) {
	queue := heap.Heap[float32]{{At: from}}
	for len(queue) > 0 {
		x := queue.Pop()
		if x.Key > d[x.At] {
			continue
		}
		for a := g.Offsets[x.At]; a < g.Offsets[x.At+1]; a++ {
			if w, to := g.Targets[a], x.Key+float32(g.Weights[a]); to < d[w] {
				d[w] = to
				queue.Push(keyed{Key: to, At: w})
			}
		}
	}
}

// halving is nearByWeight at work.
type halving struct {
	distances [][]float32
	leaf      int
	sources   []int32
	keyed     []keyed // places among the sources
	threads   sync.WaitGroup
}

// split orders a range of the sources, whose first part is whole batches.
func (h *halving) split(lo, hi int) {
	for hi-lo > h.leaf {
		part := h.keyed[lo:hi]
		by := h.distances[h.widest(part)]
		for i, x := range part {
			part[i].Key = by[h.sources[x.At]]
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
func (h *halving) widest(part []keyed) int {
	best, most := 0, -1.0
	step := max(1, len(part)/splitSample)
	for l, d := range h.distances {
		sum, squares, count := 0.0, 0.0, 0.0
		for i := 0; i < len(part); i += step {
			x := float64(d[h.sources[part[i].At]])
			sum, squares, count = sum+x, squares+x*x, count+1
		}
		if variance := squares/count - sum/count*(sum/count); variance > most {
			best, most = l, variance
		}
	}
	return best
}

// before orders by key and then by place.
func before(x, y keyed) bool { return x.Key < y.Key || x.Key == y.Key && x.At < y.At }

// divide moves the first `half` of the nodes to the front, in no order among themselves (Hoare's selection).
func divide(nodes []keyed, half int) {
	for lo, hi := 0, len(nodes)-1; lo < hi; {
		pivot := nodes[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for before(nodes[i], pivot) {
				i++
			}
			for before(pivot, nodes[j]) {
				j--
			}
			if i <= j {
				nodes[i], nodes[j] = nodes[j], nodes[i]
				i++
				j--
			}
		}
		switch {
		case half <= j:
			hi = j
		case half >= i:
			lo = i
		default:
			return
		}
	}
}
