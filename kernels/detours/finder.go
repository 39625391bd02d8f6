package detours

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/heap"
)

// arcsEach is how many arcs a search looks at besides those of its source.
const arcsEach = 256

// finderBytes is what a finder has of each node.
const finderBytes = 8

// finder finds the detours among the arcs of one node after another.
type finder[D int64 | float64] struct {
	g      *export.Graph
	arc    []D
	margin D
	// far is the distance of nodes that are not reached.
	far     D
	dist    []D
	reached []int32
	heap    heap.Heap[D]
}

func newFinder[D int64 | float64](g *export.Graph, arc []D, margin D) *finder[D] {
	far := D(math.MaxInt64)
	if f, real := any(&far).(*float64); real {
		*f = math.Inf(1)
	}
	f := &finder[D]{g: g, arc: arc, margin: margin, far: far, dist: make([]D, g.N())}
	for v := range f.dist {
		f.dist[v] = far
	}
	return f
}

// from marks the arcs of v that are detours, and returns how many there are.
func (f *finder[D]) from(v int32, drop []bool) (count int) {
	longest := D(0)
	for _, a := range f.row(v) {
		longest = max(longest, a)
	}
	f.search(v, longest)
	for k, a := range f.row(v) {
		if i := f.g.Offsets[v] + int64(k); a > f.margin && f.dist[f.g.Targets[i]] < a-f.margin {
			drop[i] = true
			count++
		}
	}
	for _, u := range f.reached {
		f.dist[u] = f.far
	}
	return count
}

func (f *finder[D]) row(v int32) []D { return f.arc[f.g.Offsets[v]:f.g.Offsets[v+1]] }

// search goes from v along paths that are shorter than a limit.
func (f *finder[D]) search(v int32, limit D) {
	f.reached, f.heap, f.dist[v] = append(f.reached[:0], v), f.heap[:0], 0
	f.relax(heap.Entry[D]{At: v}, limit)
	for left := int64(arcsEach); len(f.heap) > 0 && left > 0; {
		if e := f.heap.Pop(); e.Key == f.dist[e.At] && f.g.Degree(e.At) <= left {
			left -= f.g.Degree(e.At)
			f.relax(e, limit)
		}
	}
}

func (f *finder[D]) relax(from heap.Entry[D], limit D) {
	targets := f.g.Row(from.At)
	for k, a := range f.row(from.At) {
		w, to := targets[k], from.Key+a
		if old := f.dist[w]; to < old && to < limit {
			if old == f.far {
				f.reached = append(f.reached, w)
			}
			f.dist[w] = to
			f.heap.Push(heap.Entry[D]{Key: to, At: w})
		}
	}
}
