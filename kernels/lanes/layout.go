package lanes

import "github.com/linchpin-graph/linchpin/export"

// layout is a graph whose nodes have new numbers, so that the rows of neighbours lie close together. The searches of all
// threads share it.
type layout struct {
	out, in arcs
	// nodes has the node of the graph for each new number, places the reverse.
	nodes, places []int32
	// masses are those of nodes, by their new numbers; nil for 1 each.
	masses []float64
}

// arcs are the rows of a graph in one direction.
type arcs struct {
	offsets []int64
	targets []int32
	edges   []int32 // that arcs belong to; nil unless they are wanted
}

// newLayout returns the layout of a graph whose nodes are numbered in the given order.
func newLayout(g *export.Graph, order []int32, ids bool) layout {
	l := layout{nodes: order, places: make([]int32, g.N())}
	for i, v := range order {
		l.places[v] = int32(i)
	}
	l.out = l.arcs(g, ids)
	l.in = l.out
	if g.Directed {
		l.in = l.arcs(g.Transpose(), false)
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

func (l *layout) arcs(g *export.Graph, ids bool) arcs {
	a := arcs{offsets: make([]int64, 1, g.N()+1), targets: make([]int32, 0, g.Arcs())}
	for _, v := range l.nodes {
		for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
			a.targets = append(a.targets, l.places[g.Targets[k]])
			if ids {
				a.edges = append(a.edges, g.Edge(k))
			}
		}
		a.offsets = append(a.offsets, int64(len(a.targets)))
	}
	return a
}

func (a *arcs) degree(v int32) int64 { return a.offsets[v+1] - a.offsets[v] }
func (a *arcs) row(v int32) []int32  { return a.targets[a.offsets[v]:a.offsets[v+1]] }
