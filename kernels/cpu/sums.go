package cpu

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// reach is the nodes that the sources of a chunk reach, while they are few: in a graph of many small components, sums
// of nodes and edges that no source came near need not be merged.
type reach struct {
	nodes []int32 // each once
	in    []bool
	many  bool // so that nodes is not all of them
}

// fewReached: one in so many of all nodes is few.
const fewReached = 8

func newReach(n int) reach { return reach{in: make([]bool, n)} }

// add adds the nodes of a search.
func (r *reach) add(order []int32) {
	if r.many = r.many || len(r.nodes)+len(order) > len(r.in)/fewReached; r.many {
		return
	}
	for _, v := range order {
		if !r.in[v] {
			r.in[v] = true
			r.nodes = append(r.nodes, v)
		}
	}
}

// move adds what the searches added up to the sums of nodes, and to those of edges at nodes that were reached, clears
// it, and forgets the nodes.
func (r *reach) move(g *export.Graph, nodes *exact.Sums, fromNodes []float64, edges *exact.Sums, fromEdges []float64) {
	for _, v := range r.nodes {
		if r.many {
			break
		}
		if nodes != nil {
			nodes.Add(int(v), fromNodes[v])
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
	if r.many {
		nodes.Move(fromNodes)
		edges.Move(fromEdges)
	}
	r.forget()
}

// forget forgets the nodes.
func (r *reach) forget() {
	for _, v := range r.nodes {
		r.in[v] = false
	}
	r.nodes, r.many = r.nodes[:0], false
}

func scale(scores []float64, factor float64) {
	for i := range scores {
		scores[i] *= factor
	}
}

// joinTotals is pairs.MoveTotals to a partial result.
func joinTotals(into *kernels.Partial, from *kernels.Totals) {
	into.AddTotals(from.Pairs, from.Distance)
	if into.Demands != nil {
		into.AddDemand(from.Demand, from.DemandDistance)
	}
	*from = kernels.Totals{}
}
