package lanes

import (
	"slices"
	"unsafe"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// layout is a graph whose nodes have new numbers, so that the rows of neighbours lie close together. The searches of
// all threads share it.
type layout struct {
	out, in arcs
	// nodes has the node of the graph for each new number, places the reverse.
	nodes, places []int32
	// masses are those of nodes, by their new numbers; nil for 1 each.
	masses []float64
	// unit is the length of a tick.
	unit lengths.Unit
	// deep reports whether paths from neighbours to most nodes lead through the same nodes.
	deep bool
}

// arcs are the rows of a graph in one direction.
type arcs struct {
	offsets []int64
	targets []int32
	edges   []int32 // that arcs belong to; nil unless they are wanted
	// lengths are those of the arcs, in ticks; nil for searches level by level.
	lengths []uint16
}

// newLayout returns the layout of a graph whose nodes are numbered in the given order. ticks, of the arcs, may be nil.
func newLayout(g *export.Graph, order []int32, ticks []int64, ids bool) layout {
	l := layout{nodes: order, places: make([]int32, g.N()), unit: lengths.Unit{Mul: 1, Div: 1, Div2: 1}}
	for i, v := range order {
		l.places[v] = int32(i)
	}
	l.out = l.arcs(g, ticks, ids)
	l.in = l.out
	if g.Directed {
		l.in = l.out.reversed()
	}
	return l
}

// mass is how much a node counts as the end of a path.
func (l *layout) mass(place int32) float64 {
	if l.masses == nil {
		return 1
	}
	return l.masses[place]
}

func (l *layout) arcs(g *export.Graph, ticks []int64, ids bool) arcs {
	a := arcs{offsets: make([]int64, len(l.nodes)+1), targets: make([]int32, g.Arcs())}
	if ids {
		a.edges = make([]int32, g.Arcs())
	}
	if ticks != nil {
		a.lengths = make([]uint16, g.Arcs())
	}
	for i, v := range l.nodes {
		a.offsets[i+1] = a.offsets[i] + g.Degree(v)
	}
	inparts.Do(len(l.nodes), func(first, last int) {
		for i := first; i < last; i++ {
			l.moveRow(&a, g, i, ticks)
		}
	})
	return a
}

// moveRow puts the row of the node at a place into arcs.
func (l *layout) moveRow(a *arcs, g *export.Graph, place int, ticks []int64) {
	v, at := l.nodes[place], a.offsets[place]
	for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
		a.targets[at] = l.places[g.Targets[k]]
		if a.edges != nil {
			a.edges[at] = g.Edge(k)
		}
		if a.lengths != nil {
			a.lengths[at] = uint16(ticks[k])
		}
		at++
	}
}

// reversed returns the rows of the other direction, without the numbers of edges.
func (a *arcs) reversed() arcs {
	n := len(a.offsets) - 1
	r := arcs{offsets: make([]int64, n+2), targets: make([]int32, len(a.targets))}
	if a.lengths != nil {
		r.lengths = make([]uint16, len(a.lengths))
	}
	for _, u := range a.targets {
		r.offsets[u+2]++
	}
	for v := range n {
		r.offsets[v+1] += r.offsets[v]
	}
	for v := range int32(n) {
		for k := a.offsets[v]; k < a.offsets[v+1]; k++ {
			at := &r.offsets[a.targets[k]+1]
			r.targets[*at] = v
			if a.lengths != nil {
				r.lengths[*at] = a.lengths[k]
			}
			*at++
		}
	}
	r.offsets = r.offsets[:n+1]
	return r
}

// length is that of so many ticks.
func (l *layout) length(ticks int) float64 { return l.unit.Of(float64(ticks)) }

func (a *arcs) degree(v int32) int64 { return a.offsets[v+1] - a.offsets[v] }
func (a *arcs) row(v int32) []int32  { return a.targets[a.offsets[v]:a.offsets[v+1]] }

// edgesOf returns the numbers of the edges of v's arcs; nil unless they are wanted.
func (a *arcs) edgesOf(v int32) []int32 {
	if a.edges == nil {
		return nil
	}
	return a.edges[a.offsets[v]:a.offsets[v+1]]
}

// lengthsOf points to the lengths of v's arcs.
func (a *arcs) lengthsOf(v int32) *uint16 { return unsafe.SliceData(a.lengths[a.offsets[v]:]) }

// longest is the length of the longest arc.
func (a *arcs) longest() int {
	if len(a.lengths) == 0 {
		return 0
	}
	return int(slices.Max(a.lengths))
}
