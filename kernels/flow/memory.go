package flow

import "github.com/linchpin-graph/linchpin/kernels"

// Bytes bounds the memory besides the graph: the network and its blocks, a system of all nodes, the making of its
// preconditioner, the scores, and a solver per thread.
func Bytes(g kernels.Size, threads int) int64 {
	const (
		ofSolver = 6*8*lanes + 32
		// rows with room to grow while nodes are eliminated; then less: the factor, and the resistances of its entries
		ofEntry = 64
	)
	entries := min(triangle(int(g.Nodes)), mostEntries(g.Nodes, g.Edges))
	return 300*g.Nodes + 240*g.Edges + ofEntry*entries + int64(threads)*ofSolver*g.Nodes
}
