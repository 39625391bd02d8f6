package reductions

import (
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// Bytes bounds the memory of reductions besides the scores; 0 when none are made.
func Bytes(g kernels.Size, r kernels.Request) int64 {
	reducing, err := kernels.ParseReduce(r.Reduce)
	if err != nil || reducing.Mode == kernels.ReduceOff || g.Directed || r.Sources != nil || g.Edges > reduce.MaxEdges {
		return 0
	}
	return reduce.Bytes(g.Nodes, g.Edges, reduce.Options{Threads: r.Threads})
}

// contractedBytes is what folds over chains may take for each node and edge, besides what reductions may; with edge
// scores, middleBytes more.
const (
	contractedBytes = 400
	middleBytes     = 500
)

// FoldBytes is Bytes for a plan of PlanFolds.
func FoldBytes(g kernels.Size, r kernels.Request) int64 {
	reduced, part := Bytes(g, r), int64(contractedBytes)
	if r.Edges {
		part += middleBytes
	}
	if reduced > 0 {
		reduced += part * (g.Nodes + g.Edges) // chains are looked at after blocks
	}
	return reduced
}
