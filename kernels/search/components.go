package search

import "github.com/linchpin-graph/linchpin/export"

// Components counts the components of a graph, and the nodes of the largest; the direction of edges does not matter.
func Components(g *export.Graph) (count, largest int64) {
	f := newForest(g.N())
	for v := range int32(g.N()) {
		for _, w := range g.Targets[g.Offsets[v]:g.Offsets[v+1]] {
			f.join(v, w)
		}
	}
	for v, parent := range f.parent {
		if int32(v) == parent {
			count, largest = count+1, max(largest, f.size[v])
		}
	}
	return count, largest
}

// forest has a tree for each component.
type forest struct {
	parent []int32
	size   []int64 // of the tree, at its root
}

func newForest(n int) *forest {
	f := &forest{parent: make([]int32, n), size: make([]int64, n)}
	for v := range f.parent {
		f.parent[v], f.size[v] = int32(v), 1
	}
	return f
}

// root returns the root of a node's tree, and shortens the way to it.
func (f *forest) root(v int32) int32 {
	for f.parent[v] != v {
		f.parent[v] = f.parent[f.parent[v]]
		v = f.parent[v]
	}
	return v
}

func (f *forest) join(v, w int32) {
	a, b := f.root(v), f.root(w)
	if a == b {
		return
	}
	if f.size[a] < f.size[b] {
		a, b = b, a
	}
	f.parent[b], f.size[a] = a, f.size[a]+f.size[b]
}
