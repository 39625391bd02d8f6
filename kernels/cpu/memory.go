package cpu

import (
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// scoreBytes bounds the memory of the scores themselves.
func scoreBytes(g kernels.Size, r kernels.Request) int64 {
	var bytes int64
	if r.Nodes {
		bytes += 8 * g.Nodes
	}
	if r.Edges {
		bytes += 8 * g.Edges
	}
	return bytes
}

func degreeBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 { return scoreBytes(g, r) }

// tickBytes bounds the memory of weights as ticks.
func tickBytes(g kernels.Size, r kernels.Request) int64 {
	if !r.Weighted {
		return 0
	}
	arcs := g.Edges
	if !g.Directed {
		arcs *= 2
	}
	return 24 * arcs
}

func betweennessBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	perThread := search.Bytes(g.Nodes, g.Edges, r.Weighted, true) + 18*g.Nodes + scoreBytes(g, r)
	return scoreBytes(g, r) + tickBytes(g, r) + max(int64(threads(r))*perThread, reductions.Bytes(g, r))
}

func foldBytes(g kernels.Size, r kernels.Request) int64 {
	perThread := batchedSearchBytes(g, r) + 5*g.Nodes + foldedBytes(g, r)
	return 8*g.Nodes + scoreBytes(g, r) + tickBytes(g, r) + int64(threads(r)+1)*perThread
}

// batchedSearchBytes bounds the memory of one search of those that overBatches makes.
func batchedSearchBytes(g kernels.Size, r kernels.Request) int64 {
	if r.Weighted {
		return search.Bytes(g.Nodes, g.Edges, r.Weighted, false)
	}
	return max(search.Bytes(g.Nodes, g.Edges, r.Weighted, false), search.MultiBFSBytes(g.Nodes))
}

// closenessBytes is foldBytes, or what reductions take where the measure can be folded over blocks, or chains.
func closenessBytes(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	if _, ok := reductions.TreeFold(m.Name); !ok {
		return foldBytes(g, r)
	}
	return max(foldBytes(g, r), scoreBytes(g, r)+tickBytes(g, r)+reductions.FoldBytes(g, r))
}

func foldedBytes(g kernels.Size, r kernels.Request) int64 {
	if r.Edges {
		return 16 * (g.Nodes + g.Edges)
	}
	return 16 * g.Nodes
}

func stressBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	sums := 2 * scoreBytes(g, r) // a wide number takes 16 bytes
	perThread := search.Bytes(g.Nodes, g.Edges, r.Weighted, true) + 32*g.Nodes + sums
	return scoreBytes(g, r) + sums + tickBytes(g, r) + int64(threads(r))*perThread
}

func volumeBytes(_ kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return scoreBytes(g, r) + 20*g.Nodes + int64(threads(r))*search.Bytes(g.Nodes, g.Edges, r.Weighted, false)
}

// Bytes bounds the memory of Compute, in bytes, besides the graph and its transpose.
func Bytes(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return methods()[m.Kind].bytes(m, g, r)
}

// Fit returns the request as it fits into free bytes of memory, and what it needs: under ReduceAuto reductions are
// turned off where only a search of the whole graph fits.
func Fit(m kernels.Measure, g kernels.Size, r kernels.Request, free int64) (kernels.Request, int64) {
	need := Bytes(m, g, r)
	if reducing, err := kernels.ParseReduce(r.Reduce); err != nil || reducing.Mode != kernels.ReduceAuto || need <= free {
		return r, need
	}
	r.Reduce = kernels.ReduceOff
	return r, Bytes(m, g, r)
}
