package flow

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels"
)

// Rates of the prediction in seconds, fitted to runs of one thread; docs/notes/028-flow.md has the measurements.
const (
	// perNode and perEdge are for each right-hand side, perSorted for each node and the logarithm of their number if potentials are
	// sorted.
	perNode, perEdge, perSorted = 250e-9, 23e-9, 18e-9
	// perPart is for each node and edge, once.
	perPart = 1500e-9
)

// Seconds predicts the time of one thread, if all nodes but leaves were in one block. The graph has no isolated nodes.
func Seconds(kind kernels.Kind, g kernels.Size, leaves int64, asked float64) float64 {
	nodes, edges := float64(max(0, g.Nodes-leaves)), float64(max(0, g.Edges-leaves))
	system := nodes*perNode + edges*perEdge
	fixed := perPart * float64(g.Nodes+g.Edges+1)
	if kind != kernels.Currents {
		return fixed + system*min(nodes, drawnOr(projections(nodes*nodes/2, orElse(asked, resistanceError)), nodes, asked))
	}
	count := drawnOr(draws(nodes+edges, orElse(asked, currentError)), nodes, asked)
	if count < edges {
		return fixed + system*count
	}
	return fixed + edges*(system+perSorted*nodes*math.Log2(nodes+1))
}

// drawnOr is the number of right-hand sides that are drawn for a block of so many nodes; infinite where none may be.
func drawnOr(count, nodes, asked float64) float64 {
	if mayDraw(nodes, asked, count, math.Inf(1)) {
		return count
	}
	return math.Inf(1)
}
