package oracle

import "github.com/linchpin-graph/linchpin/export"

// Massed returns the sums of betweenness by hops of nodes and edges, from all sources, where nodes stand for several
// (Brandes 2001).
func Massed(g *export.Graph, masses []float64) (nodes, edges []float64) {
	nodes, edges = make([]float64, g.N()), make([]float64, g.M())
	for s := range int32(g.N()) {
		counts, depths := make([]float64, g.N()), make([]int, g.N())
		counts[s], depths[s] = 1, 1
		queue := []int32{s}
		for at := 0; at < len(queue); at++ {
			v := queue[at]
			for _, w := range g.Row(v) {
				if depths[w] == 0 {
					depths[w] = depths[v] + 1
					queue = append(queue, w)
				}
				if depths[w] == depths[v]+1 {
					counts[w] += counts[v]
				}
			}
		}
		dependencies := make([]float64, g.N())
		for at := len(queue) - 1; at >= 0; at-- {
			v := queue[at]
			for k := g.Offsets[v]; k < g.Offsets[v+1]; k++ {
				if w := g.Targets[k]; depths[w] == depths[v]+1 {
					share := counts[v] / counts[w] * (masses[s]*masses[w] + dependencies[w])
					dependencies[v] += share
					edges[g.Edge(k)] += share
				}
			}
			if v != s {
				nodes[v] += dependencies[v]
			}
		}
	}
	return nodes, edges
}
