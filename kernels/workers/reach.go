package workers

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// Reach is the nodes that the sources of a chunk reach, while they are few: in a graph of many small components, sums
// of nodes and edges that no source came near need not be merged.
type Reach struct {
	Nodes []int32 // each once
	in    []bool
	Many  bool // so that Nodes is not all of them
	// Places has the sum that each node adds to; nil if nodes and sums have the same numbers.
	Places []int32
}

// fewReached: one in so many of all nodes is few.
const fewReached = 8

// NewReach returns the reach of no source in a graph of n nodes.
func NewReach(n int) Reach { return Reach{in: make([]bool, n)} }

// Add adds the nodes of a search.
func (r *Reach) Add(order []int32) {
	if r.Many = r.Many || len(r.Nodes)+len(order) > len(r.in)/fewReached; r.Many {
		return
	}
	for _, v := range order {
		if !r.in[v] {
			r.in[v] = true
			r.Nodes = append(r.Nodes, v)
		}
	}
}

// Move adds what the searches added up to the sums of nodes, and to those of edges at nodes that were reached, clears
// it, and forgets the nodes.
func (r *Reach) Move(g *export.Graph, nodes *exact.Sums, fromNodes []float64, edges *exact.Sums, fromEdges []float64) {
	for _, v := range r.Nodes {
		if r.Many {
			break
		}
		if nodes != nil {
			nodes.Add(int(r.place(v)), fromNodes[v])
			fromNodes[v] = 0
		}
		if edges == nil {
			continue
		}
		for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
			e := g.Edge(k)
			edges.Add(int(e), fromEdges[e]) // 0 from an edge's other end
			fromEdges[e] = 0
		}
	}
	if r.Many {
		if r.Places == nil {
			nodes.Move(fromNodes)
		} else {
			nodes.MoveEach(r.Places, fromNodes)
		}
		edges.Move(fromEdges)
	}
	r.Forget()
}

func (r *Reach) place(v int32) int32 {
	if r.Places == nil {
		return v
	}
	return r.Places[v]
}

// Forget forgets the nodes.
func (r *Reach) Forget() {
	for _, v := range r.Nodes {
		r.in[v] = false
	}
	r.Nodes, r.Many = r.Nodes[:0], false
}
