package closeness

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
)

// Subdivided is an undirected graph with a node in the middle of every edge, and all lengths doubled. Folds of
// distances from the middles give those of the edges: what is d away from the nearer end of an edge of length w is 2 d
// + w away from its middle.
type Subdivided struct {
	graph *export.Graph // the n nodes of the whole, and node n + e in the middle of edge e; that of a loop has no arcs
	arcs  []float64     // lengths of the arcs of graph

	nodes int
	edges []float64 // lengths of the edges of the whole
}

// subdivide makes a middle for each edge of an undirected graph; lengths are of arcs. It takes time O(n + m), and
// returns nil if 31 bits do not number the nodes and edges.
func subdivide(g *export.Graph, lengths []float64) *Subdivided {
	n, m := g.N(), g.M()
	if max(n+m, 2*m) > math.MaxInt32 {
		return nil
	}
	s := &Subdivided{nodes: n, edges: make([]float64, m), arcs: make([]float64, 0, 4*m)}
	h := &export.Graph{Offsets: make([]int64, 1, n+m+1), Targets: make([]int32, 0, 4*m), Edges: make([]int32, 0, 4*m)}
	arc := func(to int, half int32, length float64) {
		h.Targets, h.Edges, s.arcs = append(h.Targets, int32(to)), append(h.Edges, half), append(s.arcs, length)
	}
	// A middle is between u and v, of which u is less. half is the number of its edge to u; that to v follows.
	type middle struct{ u, v, half int32 }
	middles := make([]middle, m)
	for v := range int32(n) {
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			w, e := g.Targets[a], g.Edge(a)
			if v == w {
				continue
			}
			if v < w {
				middles[e], s.edges[e] = middle{v, w, int32(h.EdgeCount)}, lengths[a]
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
			arc(int(x.u), x.half, s.edges[e])
			arc(int(x.v), x.half+1, s.edges[e])
		}
		h.Offsets = append(h.Offsets, int64(len(h.Targets)))
	}
	s.graph = h
	return s
}

// foldTrees folds the trees of the graph with middles. These stand for no node, so distances to them are not folded.
func (s *Subdivided) foldTrees(fold Fold) *Trees { return foldTrees(s.graph, s.arcs, fold, s.nodes) }

// Exact reports whether all sums of distances from the middles are whole numbers that float64 holds, if nodes outside
// of trees are at most `farthest` from each other.
func (s *Subdivided) Exact(t *Trees, farthest float64) bool {
	return (farthest+2*t.deepest())*float64(s.nodes) <= 1<<53
}

// Split turns what Unfold returns into folds of nodes and of edges, in lengths of the whole graph, and the number of
// nodes that each is of. Loops have none.
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
			edges[e] = (edges[e] - s.edges[e]) / 2
		default:
			edges[e] = (edges[e] - (others+1)*s.edges[e]) / 2
		}
		edgeCounts[e] = others - 1
	}
	return nodes, nodeCounts, edges, edgeCounts
}
