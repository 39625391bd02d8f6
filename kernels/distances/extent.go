package distances

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// AllWithin reports whether no two nodes with a path between them lie farther apart than the limit, in hops or in the
// unit of the weights. It is right where it says so. Where it does not, some may lie beyond, or all within a limit that
// is close to the greatest distance. It takes a few searches, which end at the limit, and none after the first pair
// beyond.
//
// No shortest path has more than n-1 arcs. In an undirected graph, no distance is more than twice the greatest from a
// node of the same component; in a directed one whose nodes all reach each other, than the greatest from a node and the
// greatest to it.
func AllWithin(ctx context.Context, g *export.Graph, weighted bool, tolerance, limit float64) bool {
	greatest := 1.0
	if weighted && g.Weights != nil {
		_, greatest = g.WeightRange()
	}
	l, err := lengths.New(ctx, g, weighted, tolerance)
	if err != nil {
		return false
	}
	bound := limit * (1 - slack(l, g.N()))
	if float64(g.N()-1)*greatest <= bound {
		return true
	}
	unit := math.Pow10(l.Shift()) // of searches
	stop := stopper.New(ctx)
	defer stop.Release()
	e := extent{g: g, search: search.Within(g, l, limit)(false, stop), bound: bound / unit,
		inner: (bound - greatest) / unit}
	if !g.Directed {
		return e.components()
	}
	back := g.Transpose()
	if l, err = lengths.New(ctx, back, weighted, tolerance); err != nil {
		return false
	}
	_, out, all := e.reachesAll(0)
	if !all {
		return false
	}
	e.g, e.search = back, search.Within(back, l, limit)(false, stop)
	_, in, all := e.reachesAll(0)
	return all && out+in <= e.bound
}

// slack is by which share a bound of distances must be less than a limit: rounding, and what ties.
func slack(l lengths.Lengths, nodes int) float64 {
	switch l := l.(type) {
	case lengths.Hops:
		return 0
	case *lengths.Reals:
		return lengths.Rounding(nodes) + l.Tolerance
	}
	return lengths.Rounding(nodes)
}

// extent finds out how far the nodes of a graph lie apart, by searches that end at a limit.
type extent struct {
	g      *export.Graph
	search search.Search
	// bound is how far apart they may lie. No arc leads beyond the limit from a node at a distance of up to inner.
	bound, inner float64
}

// from returns the node farthest from v, and its distance; ok is false if a node that v reaches lies beyond the limit.
func (e *extent) from(v int32) (end int32, distance float64, ok bool) {
	if e.search.From(v) != nil { // stopped, or a weight is lost, which the run will say
		return v, 0, false
	}
	end = v
	for _, u := range e.search.Found().Order {
		d := e.search.Distance(u)
		if d > distance {
			end, distance = u, d
		}
		if d > e.inner && slices.ContainsFunc(e.g.Row(u), func(w int32) bool { return !e.search.Reached(w) }) {
			return v, 0, false
		}
	}
	return end, distance, true
}

// reachesAll is from, of a node that reaches all others.
func (e *extent) reachesAll(v int32) (end int32, distance float64, ok bool) {
	end, distance, ok = e.from(v)
	return end, distance, ok && len(e.search.Found().Order) == e.g.N()
}

// components looks at each component of an undirected graph.
func (e *extent) components() bool {
	far := make([]float64, e.g.N()) // of nodes seen, the greatest distance from the ends of long paths
	for v := range far {
		far[v] = -1
	}
	for v := range int32(e.g.N()) {
		if far[v] < 0 && e.g.Degree(v) > 0 && !e.component(v, far) {
			return false
		}
	}
	return true
}

// mostEnds is how many ends of long paths a look at a component searches from.
const mostEnds = 5

// component looks at that of v: from v, and then from nodes that lie in the middle of the ends of long paths.
func (e *extent) component(v int32, far []float64) bool {
	end, distance, ok := e.from(v)
	for _, u := range e.search.Found().Order {
		far[u] = 0
	}
	for range mostEnds {
		if !ok || 2*distance <= e.bound {
			return ok
		}
		next, length, all := e.from(end)
		if !all {
			return false
		}
		middle := e.middle(far)
		if middle == end { // of one end alone
			end, distance = next, length
			continue
		}
		end, distance, ok = e.from(middle)
	}
	return ok && 2*distance <= e.bound
}

// middle adds an end, which was just searched from, to the greatest distances of nodes from ends, and returns the node
// of the least.
func (e *extent) middle(far []float64) int32 {
	found := e.search.Found().Order
	for _, u := range found {
		far[u] = max(far[u], e.search.Distance(u))
	}
	return slices.MinFunc(found, func(a, b int32) int { return cmp.Compare(far[a], far[b]) })
}
