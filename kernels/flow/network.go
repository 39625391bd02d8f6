package flow

import "github.com/linchpin-graph/linchpin/export"

// network is an undirected graph as a network of resistors. Parallel edges are one resistor, and self-loops, through
// which no current flows, are none.
type network struct {
	// offsets has n+1 entries. Row v of target and resistor has the resistors of node v, by the node at the other end.
	offsets   []int64
	target    []int32
	resistor  []int32
	resistors []resistor
	// ofEdge is the resistor of each edge of the graph, and share the part of the resistor's conductance that the edge
	// has; -1 and 0 for self-loops.
	ofEdge []int32
	share  []float64
}

// resistor joins two nodes, from < to.
type resistor struct {
	from, to    int32
	conductance float64
}

func (w *network) nodes() int { return len(w.offsets) - 1 }

func newNetwork(g *export.Graph, weighted bool) *network {
	w := &network{offsets: make([]int64, g.N()+1), ofEdge: make([]int32, g.M()), share: make([]float64, g.M())}
	for e := range w.ofEdge {
		w.ofEdge[e] = -1
	}
	for v := range int32(g.N()) {
		for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
			if g.Targets[i] > v {
				w.add(v, g.Targets[i], g.Edge(i), conductance(g, i, weighted))
			}
		}
	}
	for e, l := range w.ofEdge {
		if l >= 0 {
			w.share[e] /= w.resistors[l].conductance
		}
	}
	w.fill()
	return w
}

func conductance(g *export.Graph, arc int64, weighted bool) float64 {
	if !weighted {
		return 1
	}
	return g.Weight(arc)
}

// add adds an edge. Calls come in the order of from, then of to.
func (w *network) add(from, to, edge int32, conductance float64) {
	last := len(w.resistors) - 1
	if last < 0 || w.resistors[last].from != from || w.resistors[last].to != to {
		w.resistors = append(w.resistors, resistor{from: from, to: to})
		last++
	}
	w.resistors[last].conductance += conductance
	w.ofEdge[edge], w.share[edge] = int32(last), conductance
}

// fill makes the rows.
func (w *network) fill() {
	n := w.nodes()
	for _, l := range w.resistors {
		w.offsets[l.from+1]++
		w.offsets[l.to+1]++
	}
	for v := range n {
		w.offsets[v+1] += w.offsets[v]
	}
	w.target, w.resistor = make([]int32, 2*len(w.resistors)), make([]int32, 2*len(w.resistors))
	next := append([]int64(nil), w.offsets[:n]...)
	put := func(v, to int32, l int) {
		w.target[next[v]], w.resistor[next[v]] = to, int32(l)
		next[v]++
	}
	for i, l := range w.resistors {
		put(l.from, l.to, i)
		put(l.to, l.from, i)
	}
}
