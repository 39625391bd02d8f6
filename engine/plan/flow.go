package plan

import (
	"math"

	"github.com/linchpin-graph/linchpin/kernels/flow"
)

// system is the time of a thread to solve the equations of a flow for one right-hand side. Leaves and their edges are no part of
// a block.
func (r Rates) system(f *Features) float64 {
	nodes, edges := f.insideBlocks()
	return (r.CPU.FlowNode.in(nodes) + r.CPU.FlowEdge.in(edges)) * r.misses(f)
}

// insideBlocks are the nodes that are no leaves, and the edges that lead to none.
func (f *Features) insideBlocks() (nodes, edges float64) {
	leaves := float64(f.Degrees().Leaves)
	return math.Max(0, f.reached()-leaves), math.Max(0, float64(f.Edges)-leaves)
}

// currentsOnCPU is the time of all threads for currents: a right-hand side per edge, with a sort of all nodes, or per drawn pair.
func (r Rates) currentsOnCPU(f *Features, _ int) float64 {
	nodes, edges := f.insideBlocks()
	systems, drawn := flow.CurrentSystems(nodes, edges, f.Error)
	each := r.system(f)
	if !drawn {
		each += r.CPU.FlowSort.in(nodes * math.Log2(nodes+1))
	}
	return systems*each + r.CPU.FlowBase.in(float64(f.Nodes)+float64(f.Edges))
}

// resistancesOnCPU is the time of all threads for resistances: a right-hand side per node, or per random projection.
func (r Rates) resistancesOnCPU(f *Features, _ int) float64 {
	nodes, _ := f.insideBlocks()
	return flow.ResistanceSystems(nodes, f.Error)*r.system(f) + r.CPU.FlowBase.in(float64(f.Nodes)+float64(f.Edges))
}
