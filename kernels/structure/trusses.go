package structure

import (
	"slices"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// trussBytes bounds what trusses keep per arc: its edge, and per edge its triangles, its place in the order, both ends, and how
// many edges have fewer triangles.
const trussBytes = 4 + 7*4/2

// trusses peels edges of the fewest triangles (Wang and Cheng, "Truss decomposition in massive networks", 2012): an edge's truss
// is 2 more than the triangles that it has when it is peeled, among edges that have no fewer. A node's is its edges' greatest.
// Parallel edges are one, and self-loops score 0.
func (t *task) trusses() error {
	u := t.unravel()
	if err := u.run(t.stop); err != nil {
		return err
	}
	g := t.graph
	for v := range int32(g.N()) {
		first := int32(0)
		for arc := g.Offsets[v]; arc < g.Offsets[v+1]; arc++ {
			if g.Targets[arc] == v {
				continue
			}
			if isNew(g, v, arc) {
				first = g.Edge(arc)
			}
			truss := float64(u.support[first] + 2)
			t.nodes[v] = max(t.nodes[v], truss)
			if t.edges != nil {
				t.edges[g.Edge(arc)] = truss
			}
		}
	}
	return nil
}

// unravelling is a graph from which edges are taken. Of parallel edges it has the first.
type unravelling struct {
	*simple
	edges []int32 // of each arc
	// support counts the triangles of each edge in what is left; of edges that are gone, those when they were taken.
	support []int32
	gone    []bool
	// order has the edges by ascending support, at their places in it; begin has where each support begins.
	order, at, begin []int32
}

// unravel makes the order of the edges. Their ends are those of their arcs.
func (t *task) unravel() *unravelling {
	p := t.newPass()
	_, byPlace := p.count(true)
	u := &unravelling{
		simple: t.simple(), edges: nil, support: make([]int32, t.graph.M()), gone: make([]bool, t.graph.M()),
		order: nil, at: make([]int32, t.graph.M()), begin: nil,
	}
	p.onEdges(func(place int64, edge, _, _ int32) { u.support[edge] = byPlace[place] })
	u.edges = make([]int32, len(u.targets))
	t.over(len(u.edges), func(first, last int) {
		for i := first; i < last; i++ {
			u.edges[i] = t.graph.Edge(u.arc(int64(i)))
		}
	})
	u.sort()
	return u
}

// sort sets order, at and begin, by counting.
func (u *unravelling) sort() {
	most := int32(0)
	u.onFirst(func(edge int32) { most = max(most, u.support[edge]) })
	u.begin = make([]int32, most+2)
	u.onFirst(func(edge int32) { u.begin[u.support[edge]+1]++ })
	for s := range most + 1 {
		u.begin[s+1] += u.begin[s]
	}
	u.order = make([]int32, len(u.edges)/2)
	next := slices.Clone(u.begin)
	u.onFirst(func(edge int32) {
		s := u.support[edge]
		u.order[next[s]], u.at[edge] = edge, next[s]
		next[s]++
	})
}

// onFirst calls do for the first edge of each pair of neighbours.
func (u *unravelling) onFirst(do func(edge int32)) {
	for v := range int32(len(u.offsets) - 1) {
		for i := u.offsets[v]; i < u.offsets[v+1]; i++ {
			if u.targets[i] > v {
				do(u.edges[i])
			}
		}
	}
}

// run takes all edges.
func (u *unravelling) run(stop *stopper.Stopper) error {
	source, target := u.ends()
	for i := range u.order {
		if i%stopper.Every == 0 && stop.Stopped() {
			return stop.Err()
		}
		e := u.order[i]
		u.gone[e] = true
		u.take(u.support[e], source[e], target[e])
	}
	return nil
}

// ends returns the ends of each edge.
func (u *unravelling) ends() (source, target []int32) {
	source, target = make([]int32, len(u.at)), make([]int32, len(u.at))
	for v := range int32(len(u.offsets) - 1) {
		for i := u.offsets[v]; i < u.offsets[v+1]; i++ {
			if w := u.targets[i]; w > v {
				source[u.edges[i]], target[u.edges[i]] = v, w
			}
		}
	}
	return source, target
}

// take takes a triangle from all edges that have one with v and w. The shorter row is looked up in the longer one.
func (u *unravelling) take(support, v, w int32) {
	if u.degree(v) > u.degree(w) {
		v, w = w, v
	}
	row, from := u.row(w), 0
	for i := u.offsets[v]; i < u.offsets[v+1] && from < len(row); i++ {
		one := u.edges[i]
		if u.gone[one] {
			continue
		}
		k, found := search(row[from:], u.targets[i])
		if from += k; !found {
			continue
		}
		if other := u.edges[u.offsets[w]+int64(from)]; !u.gone[other] {
			u.lower(one, support)
			u.lower(other, support)
		}
	}
}

// search is slices.BinarySearch in steps that double first: what is looked for is near the beginning, mostly.
func search(row []int32, x int32) (int, bool) {
	step := 1
	for step < len(row) && row[step] < x {
		step *= 2
	}
	half, end := step/2, min(step+1, len(row))
	k, found := slices.BinarySearch(row[half:end], x)
	return half + k, found
}

// lower takes a triangle from an edge that has more than the one that is being taken.
func (u *unravelling) lower(edge, least int32) {
	s := u.support[edge]
	if s <= least {
		return
	}
	first := u.order[u.begin[s]]
	u.order[u.begin[s]], u.order[u.at[edge]] = edge, first
	u.at[edge], u.at[first] = u.begin[s], u.at[edge]
	u.begin[s]++
	u.support[edge]--
}
