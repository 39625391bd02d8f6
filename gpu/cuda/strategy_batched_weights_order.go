package cuda

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/linchpin-graph/linchpin/export"
)

// halvedApart is how many sources are worth a thread of their own.
const halvedApart = 512

// nearByWeight returns the sources such that those of a batch of so many lanes are about as far as one another from anywhere: they
// are halved, down to batches, by their distances to the landmark for which these vary most. Those at the same distance, as all are
// that no landmark is in reach of, stay as they are given.
func nearByWeight(d [][]float32, sources []int32, lanes int) []int32 {
	h := halving{distances: d, leaf: lanes, sources: sources, keyed: make([]keyed, len(sources))}
	for i := range h.keyed {
		h.keyed[i].at = int32(i)
	}
	h.split(0, len(sources))
	h.threads.Wait()
	out := make([]int32, len(sources))
	for i, x := range h.keyed {
		out[i] = sources[x.at]
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
type keyed struct {
	key float32
	at  int32
}

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
	r.buckets[0] = []keyed{{0, from}}
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
				if x := r.buckets[b][i]; x.key == r.distances[x.at] {
					r.pass(x, b)
				}
			}
			r.buckets[b] = r.buckets[b][:0]
			if r.left < 0 {
				return false
			}
		}
		wait := slices.DeleteFunc(r.beyond, func(x keyed) bool { return x.key != r.distances[x.at] })
		if len(wait) == 0 {
			return true
		}
		r.base = slices.MinFunc(wait, func(a, b keyed) int { return cmp.Compare(a.key, b.key) }).key
		r.beyond = nil
		for _, x := range wait {
			r.put(x, 0)
		}
	}
}

// pass passes the distance of a node on along its arcs; b is the bucket at hand.
func (r *rough) pass(x keyed, b int) {
	g, d := r.graph, r.distances
	first, last := g.Offsets[x.at], g.Offsets[x.at+1]
	r.left -= int(last - first)
	for a := first; a < last; a++ {
		if w, to := g.Targets[a], x.key+float32(g.Weights[a]); to < d[w] {
			d[w] = to
			r.put(keyed{to, w}, b)
		}
	}
}

// put puts a node into its bucket, but none before b.
func (r *rough) put(x keyed, b int) {
	place := (x.key - r.base) * r.scale // NaN where the width is 0
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
	queue := nearest{{0, from}}
	for len(queue) > 0 {
		x := queue.pop()
		if x.key > d[x.at] {
			continue
		}
		for a := g.Offsets[x.at]; a < g.Offsets[x.at+1]; a++ {
			if w, to := g.Targets[a], x.key+float32(g.Weights[a]); to < d[w] {
				d[w] = to
				queue.push(keyed{to, w})
			}
		}
	}
}

// nearest is a binary heap with the least key at its top.
type nearest []keyed

func (q *nearest) push(x keyed) {
	h := append(*q, x)
	at := len(h) - 1
	for at > 0 && h[(at-1)/2].key > x.key {
		h[at] = h[(at-1)/2]
		at = (at - 1) / 2
	}
	h[at] = x
	*q = h
}

func (q *nearest) pop() keyed {
	h := *q
	top, x := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	at := 0
	for {
		child := 2*at + 1
		if child+1 < len(h) && h[child+1].key < h[child].key {
			child++
		}
		if child >= len(h) || h[child].key >= x.key {
			break
		}
		h[at] = h[child]
		at = child
	}
	if len(h) > 0 {
		h[at] = x
	}
	*q = h
	return top
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
			part[i].key = by[h.sources[x.at]]
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
			x := float64(d[h.sources[part[i].at]])
			sum, squares, count = sum+x, squares+x*x, count+1
		}
		if variance := squares/count - sum/count*(sum/count); variance > most {
			best, most = l, variance
		}
	}
	return best
}

// before orders by key and then by place.
func (x keyed) before(y keyed) bool { return x.key < y.key || x.key == y.key && x.at < y.at }

// divide moves the first `half` of the nodes to the front, in no order among themselves (Hoare's selection).
func divide(nodes []keyed, half int) {
	for lo, hi := 0, len(nodes)-1; lo < hi; {
		pivot := nodes[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for nodes[i].before(pivot) {
				i++
			}
			for pivot.before(nodes[j]) {
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
