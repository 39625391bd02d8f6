package flow

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
)

// Rates of the prediction in seconds, fitted to runs of one thread; docs/notes/028-flow.md and 057-exact-factors.md
// have the measurements.
const (
	// perNode and perEdge are for each right-hand side that is solved by iterations, perSorted for each node if potentials
	// are sorted.
	perNode, perEdge, perSorted = 250e-9, 23e-9, 30e-9
	// perEntry is for each entry of an exact factor and each right-hand side.
	perEntry = 2e-9
	// perPart is for each node and edge, once, and perTail for the third power of the number of nodes in the tail.
	perPart, perTail = 6e-6, 0.6e-9
	// An exact factor has sparseEntries for each node and edge. Of a graph that is not deep, tailShare of the nodes are in
	// the tail.
	sparseEntries, tailShare = 4, 0.12
)

// Seconds predicts the time of one thread, if all nodes but leaves were in one block. The graph has no isolated nodes.
// Deep says that its searches have many levels.
func Seconds(kind kernels.Kind, g kernels.Size, leaves int64, asked float64, deep bool) float64 {
	nodes, edges := float64(max(0, g.Nodes-leaves)), float64(max(0, g.Edges-leaves))
	fixed, tail := perPart*float64(g.Nodes+g.Edges+1), tailShare*nodes
	if deep {
		tail = 0
	}
	entries := min(sparseEntries*(nodes+edges)+tail*tail/2, nodes*nodes/2)
	exact := entries <= float64(mostEntries(int64(nodes), int64(edges)))
	system := nodes*perNode + edges*perEdge
	if exact {
		fixed, system = fixed+perTail*tail*tail*tail, min(system, perEntry*(entries+nodes+edges))
	}
	if kind != kernels.Currents {
		if exact {
			return fixed + lanes*system
		}
		return fixed + system*min(nodes, drawnOr(projections(nodes*nodes/2, orElse(asked, resistanceError)), nodes, asked))
	}
	if count := drawnOr(draws(nodes+edges, orElse(asked, currentError)), nodes, asked); count < edges {
		return fixed + system*count
	}
	return fixed + edges*(system+perSorted*nodes)
}

// drawnOr is the number of right-hand sides that are drawn for a block of so many nodes; infinite where none may be.
func drawnOr(count, nodes, asked float64) float64 {
	if mayDraw(nodes, asked, count, math.Inf(1)) {
		return count
	}
	return math.Inf(1)
}
