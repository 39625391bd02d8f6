package cpu

import (
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/search"
	"github.com/linchpin-graph/linchpin/kernels/workers"
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

func foldBytes(g kernels.Size, r kernels.Request) int64 {
	perThread := workers.SearchBytes(g, r) + 5*g.Nodes + foldedBytes(g, r)
	return 8*g.Nodes + scoreBytes(g, r) + reuseBytes(g, r) + lengths.Bytes(g.Edges, g.Directed, r.Weighted) +
		pairBytes(g, r) + int64(workers.Threads(r)+1)*perThread
}

// reuseBytes bounds the memory that a store adds, besides its own: components and what is found in them, or the last
// graph, its sums, and four searches of a thread.
func reuseBytes(g kernels.Size, r kernels.Request) int64 {
	if r.Reuse == nil {
		return 0
	}
	components := reductions.ComponentBytes(g) + 32*(g.Nodes+g.Edges)
	changes := 280*g.Nodes + 32*g.Edges + 4*int64(workers.Threads(r))*search.Bytes(g.Nodes, g.Edges, r.Weighted, false)
	if r.Weighted { // weights of both graphs, in the store too, and lengths along the arcs and against them
		changes += 96*g.Edges + 4*lengths.Bytes(g.Edges, g.Directed, true)
	}
	return max(components, changes)
}

func foldedBytes(g kernels.Size, r kernels.Request) int64 {
	if r.Edges {
		return 32 * (g.Nodes + g.Edges)
	}
	return 32 * g.Nodes
}

// Bytes bounds the memory of Compute, in bytes, besides the graph and its transpose. Of requests that share a pass over
// several ranges it is the memory of all.
func Bytes(m kernels.Measure, g kernels.Size, r kernels.Request) int64 {
	return methods()[m.Kind].bytes(m, g, r) * int64(max(1, len(r.Ranges())))
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
