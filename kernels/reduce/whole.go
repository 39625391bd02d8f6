package reduce

import (
	"slices"

	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/pieces"
)

const (
	// nodesApart and edgesApart are how many nodes and edges are worth a thread of their own.
	nodesApart, edgesApart = 1 << 11, 1 << 14
	// rowsOfPart is how many times as many arcs as a part has the rows of its nodes may have for a look at all of them.
	rowsOfPart = 4
)

// whole makes a core of a part in which every node is a branch node, and every edge a link. Its rows are in the order
// of their targets.
func (p *planner) whole(t *part) (cores.Core, wayBack) {
	n, m, s := len(t.nodes), len(t.arcs), p.simple
	c := cores.Core{
		Nodes: slices.Clone(t.nodes), Omega: make([]float64, n), LinkCount: m,
		Offsets: make([]int32, n+1), Targets: make([]int32, 2*m), Links: make([]int32, 2*m),
	}
	for i, omega := range t.omega {
		c.Omega[i] = float64(omega)
	}
	if s.length != nil {
		c.Lengths = make([]int64, 2*m)
	}
	w := wholePart{planner: p, part: t, core: &c, edges: make([]int32, m)}
	w.number()
	if w.rowsAreIts() {
		w.gather()
	} else {
		w.scatter()
	}
	return c, wayBack{edges: w.edges}
}

// wholePart is whole at work.
type wholePart struct {
	*planner
	part  *part
	core  *cores.Core
	edges []int32 // of each link
}

// each has threads do parts of count things.
func (w *wholePart) each(length, count int, do func(first, last int)) {
	inparts.On(pieces.Threads(w.options.Threads), length, count, func(_, first, last int) { do(first, last) })
}

// number numbers links as the search for blocks met them, and finds out what they stand for.
func (w *wholePart) number() {
	s, c := w.simple, w.core
	if w.link == nil {
		w.link = make([]int32, s.edges)
	}
	w.each(edgesApart, len(w.edges), func(first, last int) {
		for i, arc := range w.part.arcs[first:last] {
			e := s.edge[arc]
			w.edges[first+i], w.link[e] = e, int32(first+i)
		}
	})
	if s.mult != nil && slices.ContainsFunc(w.edges, func(e int32) bool { return s.mult[e] > 1 }) {
		c.Mult = make([]float64, len(w.edges))
		for i, e := range w.edges {
			c.Mult[i] = float64(s.mult[e])
		}
	}
	if s.fine != nil {
		c.Fine = &cores.Fine{Links: make([]lengths.U128, len(w.edges))}
		for i, e := range w.edges {
			c.Fine.Links[i] = s.fine[e]
		}
	}
}

// rowsAreIts reports whether the rows of the nodes are not much longer than what the part has of them. A node that
// joins many parts is looked at in each.
func (w *wholePart) rowsAreIts() bool {
	arcs := int64(0)
	for _, v := range w.part.nodes {
		arcs += w.simple.offsets[v+1] - w.simple.offsets[v]
	}
	return arcs <= rowsOfPart*int64(len(w.core.Targets))
}

// gather takes from the row of each node what leads to a node of the part: that is an edge of the part, because two
// blocks share one node at most.
func (w *wholePart) gather() {
	s, c := w.simple, w.core
	w.each(nodesApart, len(c.Nodes), func(first, last int) {
		for i, v := range c.Nodes[first:last] {
			for _, to := range s.target[s.offsets[v]:s.offsets[v+1]] {
				if w.local[to] >= 0 {
					c.Offsets[first+i+1]++
				}
			}
		}
	})
	for v := range c.Nodes {
		c.Offsets[v+1] += c.Offsets[v]
	}
	w.each(nodesApart, len(c.Nodes), func(first, last int) {
		var row []uint64
		for i, v := range c.Nodes[first:last] {
			row = row[:0]
			for arc := s.offsets[v]; arc < s.offsets[v+1]; arc++ {
				if to := w.local[s.target[arc]]; to >= 0 {
					row = append(row, uint64(to)<<32|uint64(w.link[s.edge[arc]]))
				}
			}
			w.put(int(c.Offsets[first+i]), row)
		}
	})
}

// scatter puts each edge into the rows of both its ends.
func (w *wholePart) scatter() {
	s, c := w.simple, w.core
	rows := make([]uint64, len(c.Targets))
	next := make([]int32, len(c.Nodes)+2) // shifted by a place, so that it ends as the offsets
	for i, arc := range w.part.arcs {
		next[w.local[w.part.from[i]]+2]++
		next[w.local[s.target[arc]]+2]++
	}
	for v := range c.Nodes {
		next[v+2] += next[v+1]
	}
	for i, arc := range w.part.arcs {
		u, v := w.local[w.part.from[i]], w.local[s.target[arc]]
		rows[next[u+1]], rows[next[v+1]] = uint64(v)<<32|uint64(i), uint64(u)<<32|uint64(i)
		next[u+1]++
		next[v+1]++
	}
	copy(c.Offsets, next)
	for v := range c.Nodes {
		w.put(int(c.Offsets[v]), rows[c.Offsets[v]:c.Offsets[v+1]])
	}
}

// put puts a row, of targets above links, where it begins. It sorts it.
func (w *wholePart) put(at int, row []uint64) {
	slices.Sort(row)
	for i, x := range row {
		w.core.Targets[at+i], w.core.Links[at+i] = int32(x>>32), int32(uint32(x))
	}
	if w.core.Lengths == nil {
		return
	}
	for i, x := range row {
		w.core.Lengths[at+i] = w.simple.length[w.part.arcs[uint32(x)]]
	}
}
