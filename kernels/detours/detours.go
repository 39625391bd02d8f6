// Package detours drops arcs that are longer than another path between their ends. No shortest path has such an arc, so
// searches by weights need not look at it.
package detours

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

const (
	// leastSources is from how many sources on a look for detours, which takes as long as some 60 searches, may pay.
	leastSources = 512
	// leastShare is how large a part of the arcs must be detours to be dropped.
	leastShare = 0.2
	// sampled is how many nodes show whether that is so.
	sampled = 256
	// partLength is how many nodes a thread looks at without a pause.
	partLength = 1 << 10
)

// Without returns a graph without the detours that short searches find, and its lengths. Nodes and edges keep their
// numbers. The graph itself is returned if detours are few, or the sources. It fails only when the context is done.
func Without(
	ctx context.Context, g *export.Graph, l lengths.Lengths, sources, threads int,
) (*export.Graph, lengths.Lengths, error) {
	if sources < leastSources {
		return g, l, nil
	}
	var drop []bool
	switch l := l.(type) {
	case *lengths.Ticks:
		drop = find(ctx, g, l.Arc, 0, threads)
	case *lengths.WideTicks:
		drop = find(ctx, g, g.Weights, margin(g, lengths.Rounding(g.N()), g.Weights), threads)
	case *lengths.Reals:
		drop = find(ctx, g, l.Arc, margin(g, l.Tolerance, l.Arc), threads)
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if drop == nil {
		return g, l, nil
	}
	lighter, kept := without(g, drop)
	return lighter, lengths.Pick(l, kept), nil
}

// margin returns by how much a detour must be longer than another path, so that no rounding and no tolerance hides
// that: twice the tolerance of the longest path.
func margin(g *export.Graph, tolerance float64, arc []float64) float64 {
	longest := 0.0
	for _, a := range arc {
		longest = max(longest, a)
	}
	return 2 * tolerance * float64(g.N()) * longest
}

// find reports which arcs are detours; nil if they are few.
func find[D int64 | float64](ctx context.Context, g *export.Graph, arc []D, margin D, threads int) []bool {
	drop, sample := make([]bool, g.Arcs()), newFinder(g, arc, margin)
	arcs, count := int64(0), 0
	for i := range min(sampled, g.N()) {
		v := int32(i * g.N() / min(sampled, g.N()))
		arcs, count = arcs+g.Degree(v), count+sample.from(v, drop)
	}
	if float64(count) < leastShare*float64(arcs) || count == 0 {
		return nil
	}
	inparts.On(threads, partLength, g.N(), func(_, first, last int) {
		own := newFinder(g, arc, margin)
		for v := first; v < last && ctx.Err() == nil; v++ {
			own.from(int32(v), drop)
		}
	})
	if !g.Directed {
		bothWays(g, drop)
	}
	return drop
}

// bothWays has the two arcs of an edge share what was found about one of them.
func bothWays(g *export.Graph, drop []bool) {
	edges := make([]bool, g.M())
	for k, d := range drop {
		if d {
			edges[g.Edge(int64(k))] = true
		}
	}
	for k := range drop {
		drop[k] = edges[g.Edge(int64(k))]
	}
}

// without returns the graph without some arcs, and the numbers of the others.
func without(g *export.Graph, drop []bool) (out *export.Graph, kept []int64) {
	out = &export.Graph{Directed: g.Directed, EdgeCount: g.EdgeCount, Offsets: make([]int64, 1, g.N()+1)}
	for v := range int32(g.N()) {
		for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
			if !drop[k] {
				kept = append(kept, k)
			}
		}
		out.Offsets = append(out.Offsets, int64(len(kept)))
	}
	out.Targets, out.Weights, out.Edges = make([]int32, len(kept)), make([]float64, len(kept)), make([]int32, len(kept))
	if g.Rests != nil {
		out.Rests = make([]float64, len(kept))
	}
	for i, k := range kept {
		out.Targets[i], out.Weights[i], out.Edges[i] = g.Targets[k], g.Weight(k), g.Edge(k)
		if g.Rests != nil {
			out.Rests[i] = g.Rests[k]
		}
	}
	return out, kept
}

// Bytes bounds the memory of a graph without detours, its lengths, and the look for them.
func Bytes(nodes, edges int64, directed bool, threads int) int64 {
	arcs := edges
	if !directed {
		arcs *= 2
	}
	// its mark, number, target, weight, rest, edge and length; the edge's mark
	const arcBytes = 1 + 8 + 4 + 8 + 8 + 4 + 16 + 1
	return arcBytes*arcs + nodes*int64(8+finderBytes*(threads+1))
}
