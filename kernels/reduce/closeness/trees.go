package closeness

import (
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// Trees is what folding nodes of degree 1 leaves of a graph, for an engine that folds distances: their sum, or the
// greatest.
//
// The engine folds, over all other nodes a of Graph that a path joins to w,
//
//	Sum       Omega[a] d(a, w) + Inside[a]
//	Greatest  d(a, w) + Inside[a]
//
// and sums Omega[a]. Unfold turns these into the folds of all nodes. Nothing is subtracted, so that sums lose no
// digits.
type Trees struct {
	// Graph has the nodes with arcs that are left, in their order, and is undirected; its weights are the lengths.
	Graph *export.Graph
	// Omega is how many nodes each stands for, itself included, and Inside what its distances to these fold to. The middle
	// of an edge stands for none (see Subdivided): Omega is 0 then, and Inside is 0 of sums, -1 of the greatest.
	Omega, Inside []float64

	fold          Fold
	nodes         []int32      // of the whole, those of Graph
	folded        []foldedNode // each before its parent
	omega, inside []float64    // of the nodes of the whole
}

// nothingInside is Inside of a node that is not a target, where folds are the greatest, while trees are folded.
// noTarget is the same in Trees.
var nothingInside = math.Inf(-1)

const noTarget = -1

// foldedNode is a node of a tree.
type foldedNode struct {
	node, parent  int32
	length        float64 // of its edge to the parent
	before, below float64 // Inside of the parent before it, and what it adds
}

// FoldTrees folds the nodes of degree 1 of an undirected graph into their neighbours, until none is left. lengths are
// of arcs. A node with a loop, or with parallel edges, does not have degree 1. With edges, it folds the graph with
// middles, for folds of distances from edges too; otherwise the middles are nil. The trees are nil if numbers do not
// fit. It takes time O(n + m).
func FoldTrees(g *export.Graph, lengths []float64, fold Fold, edges bool) (*Subdivided, *Trees) {
	if !edges {
		return nil, foldTrees(g, lengths, fold, g.N())
	}
	middles := subdivide(g, lengths)
	if middles == nil {
		return nil, nil
	}
	return middles, middles.foldTrees(fold)
}

// foldTrees folds trees; nodes from number `targets` on are not targets.
func foldTrees(g *export.Graph, lengths []float64, fold Fold, targets int) *Trees {
	n := g.N()
	t := &Trees{fold: fold, omega: make([]float64, n), inside: make([]float64, n)}
	degree, rest := make([]int32, n), make([]int32, n) // of what is left; rest is the exclusive-or of the neighbours
	for v := range int32(n) {
		switch {
		case int(v) < targets:
			t.omega[v] = 1
		case fold == Greatest:
			t.inside[v] = nothingInside
		}
		degree[v] = int32(g.Degree(v))
		for _, w := range g.Row(v) {
			rest[v] ^= w
		}
		if degree[v] == 1 {
			t.folded = append(t.folded, foldedNode{node: v})
		}
	}
	for i := 0; i < len(t.folded); i++ {
		f := &t.folded[i]
		v := f.node
		if degree[v] == 0 { // the last node of a tree
			f.parent = -1
			continue
		}
		p := rest[v]
		f.parent, f.length = p, lengths[g.Offsets[v]+int64(slices.Index(g.Row(v), p))]
		f.before, f.below = t.inside[p], fold.Shift(f.length, t.omega[v], t.inside[v])
		t.inside[p] = fold.Join(f.before, f.below)
		t.omega[p] += t.omega[v]
		degree[v], degree[p], rest[p] = 0, degree[p]-1, rest[p]^v
		if degree[p] == 1 {
			t.folded = append(t.folded, foldedNode{node: p})
		}
	}
	t.folded = slices.DeleteFunc(t.folded, func(f foldedNode) bool { return f.parent < 0 })
	t.keep(g, lengths, degree)
	return t
}

// keep makes the graph of the nodes with arcs that are left.
func (t *Trees) keep(g *export.Graph, lengths []float64, degree []int32) {
	place := make([]int32, len(degree))
	arcs := int64(0)
	for v, d := range degree {
		place[v] = -1
		if d > 0 {
			place[v] = int32(len(t.nodes))
			t.nodes = append(t.nodes, int32(v))
			arcs += int64(d)
		}
	}
	h := &export.Graph{Offsets: make([]int64, 1, len(t.nodes)+1), EdgeCount: int(arcs / 2)}
	h.Targets, h.Edges, h.Weights = make([]int32, 0, arcs), make([]int32, 0, arcs), make([]float64, 0, arcs)
	edges := make([]int32, g.M()) // 1 + the number of each that is left
	count := int32(0)
	t.Omega, t.Inside = make([]float64, len(t.nodes)), make([]float64, len(t.nodes))
	for i, v := range t.nodes {
		if t.Omega[i], t.Inside[i] = t.omega[v], t.inside[v]; t.Omega[i] == 0 && t.fold == Greatest {
			t.Inside[i] = noTarget
		}
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			w := place[g.Targets[a]]
			if w < 0 {
				continue
			}
			e := &edges[g.Edge(a)]
			if *e == 0 {
				count++
				*e = count
			}
			h.Targets, h.Weights, h.Edges = append(h.Targets, w), append(h.Weights, lengths[a]), append(h.Edges, *e-1)
		}
		h.Offsets = append(h.Offsets, int64(len(h.Targets)))
	}
	t.Graph = h
}

// Fold returns what the distances are folded to.
func (t *Trees) Fold() Fold { return t.fold }

// Standing returns how many nodes of Graph stand for some: all except middles of edges.
func (t *Trees) Standing() int {
	count := 0
	for _, omega := range t.Omega {
		if omega > 0 {
			count++
		}
	}
	return count
}

// Folded returns how many nodes were folded away.
func (t *Trees) Folded() int { return len(t.folded) }

// deepest returns how far a node is at most from what is left of its tree, or from the root of a tree alone.
func (t *Trees) deepest() float64 {
	depth, most := make([]float64, len(t.omega)), 0.0
	for i := len(t.folded) - 1; i >= 0; i-- {
		f := &t.folded[i]
		depth[f.node] = depth[f.parent] + f.length
		most = max(most, depth[f.node])
	}
	return most
}

// Unfold takes what an engine folded and summed at the nodes of Graph. It returns the folds of all nodes, 0 where no
// path leads to another node, and how many other nodes a path joins to each.
func (t *Trees) Unfold(folds, sums []float64) (all, reached []float64) {
	n, fold := len(t.omega), t.fold
	above, reached := make([]float64, n), make([]float64, n) // above folds distances to all that is not folded into a node
	for v, omega := range t.omega {
		reached[v] = omega - 1
	}
	for i, v := range t.nodes {
		above[v] = folds[i]
		reached[v] += sums[i]
	}
	after := make([]float64, n)
	for i := len(t.folded) - 1; i >= 0; i-- {
		f := &t.folded[i]
		p := f.parent
		reached[f.node] = reached[p]
		inside := fold.Join(above[p], fold.Join(f.before, after[p]))
		above[f.node] = fold.Shift(f.length, reached[p]+1-t.omega[f.node], inside)
		after[p] = fold.Join(after[p], f.below)
	}
	for v := range above {
		above[v] = fold.Join(above[v], t.inside[v])
	}
	return above, reached
}
