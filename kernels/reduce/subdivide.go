package reduce

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
)

// Subdivided is an undirected graph with a node in the middle of every edge, and all lengths doubled, so that folds of distances
// from these nodes give those of the edges: what is d away from the nearer end of an edge of length w is 2 d + w away from its middle.
type Subdivided struct {
	// Graph has the n nodes of the whole, and node n + e in the middle of edge e. The middle of a loop has no arcs.
	Graph *export.Graph
	// Lengths are those of its arcs.
	Lengths []float64

	nodes   int
	lengths []float64 // of the edges of the whole
}

// Subdivide makes a middle for each edge of an undirected graph; lengths are of arcs. It takes time O(n + m), and returns nil where 31 bits
// do not number the nodes and edges.
func Subdivide(g *export.Graph, lengths []float64) *Subdivided {
	n, m := g.N(), g.M()
	if max(n+m, 2*m) > math.MaxInt32 {
		return nil
	}
	s := &Subdivided{nodes: n, lengths: make([]float64, m)}
	h := &export.Graph{Offsets: make([]int64, 1, n+m+1), Targets: make([]int32, 0, 4*m), Edges: make([]int32, 0, 4*m)}
	s.Lengths = make([]float64, 0, 4*m)
	arc := func(to int, half int32, length float64) {
		h.Targets, h.Edges, s.Lengths = append(h.Targets, int32(to)), append(h.Edges, half), append(s.Lengths, length)
	}
	type middle struct{ u, v, half int32 } // between u and v, of which u is less; half is the number of its edge to u, followed by that to v
	middles := make([]middle, m)
	for v := range int32(n) {
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			w, e := g.Targets[a], g.Edge(a)
			if v == w {
				continue
			}
			if v < w {
				middles[e], s.lengths[e] = middle{v, w, int32(h.EdgeCount)}, lengths[a]
				h.EdgeCount += 2
				arc(n+int(e), middles[e].half, lengths[a])
			} else {
				arc(n+int(e), middles[e].half+1, lengths[a])
			}
		}
		h.Offsets = append(h.Offsets, int64(len(h.Targets)))
	}
	for e, x := range middles {
		if x.u != x.v {
			arc(int(x.u), x.half, s.lengths[e])
			arc(int(x.v), x.half+1, s.lengths[e])
		}
		h.Offsets = append(h.Offsets, int64(len(h.Targets)))
	}
	s.Graph = h
	return s
}

// FoldTreesFor is FoldTrees for folds of distances from nodes and, if wanted, from edges: then of the graph with middles, which are nil otherwise. The
// trees are nil where numbers do not fit.
func FoldTreesFor(g *export.Graph, lengths []float64, fold Fold, edges bool) (*Subdivided, *Trees) {
	if !edges {
		return nil, FoldTrees(g, lengths, fold)
	}
	middles := Subdivide(g, lengths)
	if middles == nil {
		return nil, nil
	}
	return middles, middles.FoldTrees(fold)
}

// FoldTrees folds the trees of the graph with middles; these stand for no node, and nothing is folded of the distances to them.
func (s *Subdivided) FoldTrees(fold Fold) *Trees { return foldTrees(s.Graph, s.Lengths, fold, s.nodes) }

// Exact says whether all sums of distances from the middles are whole numbers that float64 holds, where nodes that are no part of
// trees are at most `farthest` from each other.
func (s *Subdivided) Exact(t *Trees, farthest float64) bool {
	return (farthest+2*t.deepest())*float64(s.nodes) <= 1<<53
}

// Split makes of what Unfold returns the folds of nodes and edges in lengths of the whole graph, and of how many nodes they are. Loops have none.
func (s *Subdivided) Split(fold Fold, folds, reached []float64) (nodes, nodeCounts, edges, edgeCounts []float64) {
	n := s.nodes
	nodes, nodeCounts, edges, edgeCounts = folds[:n:n], reached[:n:n], folds[n:], reached[n:]
	for v := range nodes {
		nodes[v] /= 2
	}
	for e, others := range edgeCounts { // others are all but one of the nodes that a path joins to the edge
		switch {
		case others <= 0:
			edges[e], edgeCounts[e] = 0, 0
			continue
		case fold == Greatest:
			edges[e] = (edges[e] - s.lengths[e]) / 2
		default:
			edges[e] = (edges[e] - (others+1)*s.lengths[e]) / 2
		}
		edgeCounts[e] = others - 1
	}
	return nodes, nodeCounts, edges, edgeCounts
}

// nothingInside is Inside of a node that is no target, where folds are the greatest, while trees are folded; noTarget is it in Trees.
var nothingInside = math.Inf(-1)

const noTarget = -1
