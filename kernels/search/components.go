package search

import (
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/disjoint"
)

// Components counts the components of a graph, and the nodes of the largest; the direction of edges does not matter.
func Components(g *export.Graph) (count, largest int64) {
	parts, size := disjoint.New(g.N()), make([]int64, g.N())
	for v := range int32(g.N()) {
		for _, w := range g.Row(v) {
			parts.Join(v, w)
		}
	}
	for v := range int32(g.N()) {
		root := parts.Find(v)
		size[root]++
		largest = max(largest, size[root])
	}
	return int64(parts.Count), largest
}
