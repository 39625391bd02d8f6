package reductions

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// rounded returns the lengths of arcs in ticks that 62 bits hold, rounded down from finer ones; what stands against
// that is noTick.
func rounded(g *export.Graph, r kernels.Request, fine *lengths.WideTicks) (ticks []int64, obstacle string) {
	if obstacle := unlike(g, r); obstacle != "" {
		return nil, obstacle
	}
	ticks = Rounded(g, fine)
	for _, t := range ticks {
		if t <= reduce.FineNodes*int64(g.N()) {
			return nil, noTick
		}
	}
	return ticks, ""
}

// Rounded returns the lengths of the arcs of an undirected graph as reduce.Options takes them beside fine ones, but for
// how short the shortest may be.
func Rounded(g *export.Graph, fine *lengths.WideTicks) []int64 {
	arcs, most := make([]float64, len(fine.Arc)), 0.0
	for i, x := range fine.Arc {
		arcs[i] = x.Float()
		most = max(most, arcs[i])
	}
	// Twice and with the longest arc, no shortest path is longer than 2^59 ticks; a bit is left for the rounding of
	// float64.
	return fine.Rounded(8 * (longest(g, arcs) + most))
}

// longest bounds the length of every shortest path: twice that of the longest in a tree of each component, by breadth.
func longest(g *export.Graph, arcs []float64) float64 {
	var queue []int32
	seen, deep, most := make([]bool, g.N()), make([]float64, g.N()), 0.0
	for root := range int32(g.N()) {
		if seen[root] {
			continue
		}
		seen[root] = true
		queue = append(queue[:0], root)
		for i := 0; i < len(queue); i++ {
			u := queue[i]
			most = max(most, deep[u])
			for k := g.Offsets[u]; k < g.Offsets[u+1]; k++ {
				if w := g.Targets[k]; !seen[w] {
					seen[w], deep[w] = true, deep[u]+arcs[k]
					queue = append(queue, w)
				}
			}
		}
	}
	return 2 * most
}
