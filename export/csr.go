package export

import (
	"fmt"
	"slices"
)

// graph makes the CSR form. Edges are sorted by their ends, so a directed graph's rows are the edges themselves.
func (l *edgeList) graph(n int) *Graph {
	g := &Graph{Directed: l.directed, EdgeCount: len(l.source)}
	if l.directed {
		g.Offsets, g.Targets, g.Weights, g.Rests = offsets(l.source, n), l.target, l.weight, l.rest
		return g
	}
	g.Offsets = make([]int64, n+1)
	for e := range l.source {
		g.Offsets[l.source[e]+1]++
		g.Offsets[l.target[e]+1]++
	}
	for v := range n {
		g.Offsets[v+1] += g.Offsets[v]
	}
	g.Targets, g.Edges = make([]int32, 2*len(l.source)), make([]int32, 2*len(l.source))
	if l.weight != nil {
		g.Weights = make([]float64, 2*len(l.source))
	}
	if l.rest != nil {
		g.Rests = make([]float64, 2*len(l.source))
	}
	next := slices.Clone(g.Offsets[:n])
	put := func(v, w, e int32) {
		k := next[v]
		next[v]++
		g.Targets[k], g.Edges[k] = w, e
		if l.weight != nil {
			g.Weights[k] = l.weight[e]
		}
		if l.rest != nil {
			g.Rests[k] = l.rest[e]
		}
	}
	// Arcs to smaller nodes first: edges are sorted by their smaller end, so both halves of a row come out sorted.
	for e := range l.source {
		put(l.target[e], l.source[e], int32(e))
	}
	for e := range l.source {
		put(l.source[e], l.target[e], int32(e))
	}
	return g
}

// NewUndirected makes an undirected graph of n nodes from edges that are sorted: source <= target in each, ascending by
// source, then target. Edge e of the graph is the e-th. The slices are not kept; weight is nil or has one entry an
// edge.
func NewUndirected(n int, source, target []int32, weight []float64) (*Graph, error) {
	if n < 0 || n > MaxNodes || len(source) > MaxEdges {
		return nil, fmt.Errorf("%d nodes and %d edges do not fit 31-bit indices", n, len(source))
	}
	if len(target) != len(source) || weight != nil && len(weight) != len(source) {
		return nil, fmt.Errorf("edges: columns of unequal length")
	}
	for e := range source {
		switch u, v := source[e], target[e]; {
		case u < 0 || u > v || int(v) >= n:
			return nil, fmt.Errorf("edge %d joins nodes %d and %d of %d", e, u, v, n)
		case e > 0 && (u < source[e-1] || u == source[e-1] && v < target[e-1]):
			return nil, fmt.Errorf("edge %d is not in ascending order", e)
		}
	}
	return (&edgeList{source: source, target: target, weight: weight}).graph(n), nil
}
