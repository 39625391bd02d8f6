package closeness

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestFoldsOfEdges compares folds over trees and chains of subdivided graphs with those by the definition, whole
// numbers: nodes and edges, loops and parallel edges, several components.
func TestFoldsOfEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 21))
	loops, parallel, alone := 0, 0, 0
	for i := range 600 {
		g := randomForest(t, random, 1+random.IntN(40), i)
		if i%3 == 0 {
			g = randomRoads(t, random)
		}
		d := allDistances(g)
		ends := endsOf(g)
		for _, fold := range []Fold{Sum, Greatest} {
			s := subdivide(g, g.Weights)
			if err := s.graph.Validate(); err != nil {
				t.Fatal(err)
			}
			trees := s.foldTrees(fold)
			c := Contract(trees.Graph)
			if c == nil || !c.Fits(trees) || !s.Exact(trees, LongestContracted) {
				t.Fatal("does not fit")
			}
			folds, sums, err := foldInParts(t.Context(), trees, c, 2, 1+i%3)
			if err != nil {
				t.Fatal(err)
			}
			all, reached := trees.Unfold(folds, sums)
			nodes, nodeCounts, edges, edgeCounts := s.Split(fold, all, reached)
			for v, row := range d {
				want, count := foldOf(fold, row, func(w int) float64 { return row[w] }, v, v)
				if nodes[v] != want || nodeCounts[v] != count {
					t.Fatalf("graph %d, fold %d, node %d: %g of %g, want %g of %g", i, fold, v, nodes[v], nodeCounts[v], want, count)
				}
			}
			for e, end := range ends {
				u, v := end[0], end[1]
				if u == v {
					loops++
					if edges[e] != 0 || edgeCounts[e] != 0 {
						t.Fatalf("graph %d: loop %d has %g of %g", i, e, edges[e], edgeCounts[e])
					}
					continue
				}
				want, count := foldOf(fold, d[u], func(w int) float64 { return min(d[u][w], d[v][w]) }, int(u), int(v))
				if edges[e] != want || edgeCounts[e] != count {
					t.Fatalf("graph %d (n %d, m %d), fold %d, edge %d from %d to %d: %g of %g, want %g of %g",
						i, g.N(), g.M(), fold, e, u, v, edges[e], edgeCounts[e], want, count)
				}
				if count == 0 {
					alone++
				}
				if slices.Index(ends, end) < e {
					parallel++
				}
			}
		}
	}
	if loops < 50 || parallel < 50 || alone < 20 {
		t.Errorf("%d loops, %d parallel edges, %d edges alone", loops, parallel, alone)
	}
}

// foldOf folds the distances of the nodes that a row reaches, but u and v.
func foldOf(fold Fold, row []float64, distance func(w int) float64, u, v int) (folded, count float64) {
	for w, x := range row {
		if w == u || w == v || x < 0 {
			continue
		}
		count++
		if fold == Sum {
			folded += distance(w)
		} else {
			folded = max(folded, distance(w))
		}
	}
	return folded, count
}

// endsOf are the ends of the edges, the lesser first.
func endsOf(g *export.Graph) [][2]int32 {
	ends := make([][2]int32, g.M())
	for v := range int32(g.N()) {
		for a := g.Offsets[v]; a < g.Offsets[v+1]; a++ {
			ends[g.Edge(a)] = [2]int32{min(v, g.Targets[a]), max(v, g.Targets[a])}
		}
	}
	return ends
}

// TestSubdividedSumsAreExact: or refused, where lengths of edges pass the digits of what is to be told of them.
func TestSubdividedSumsAreExact(t *testing.T) {
	path := export.Rels{Source: []int32{0, 1, 2}, Target: []int32{1, 2, 3}, Weights: []float64{1, 1 << 40, 1}}
	g := graphtest.Build(t, export.Undirected, 4, path)
	s := subdivide(g, g.Weights)
	trees := s.foldTrees(Sum)
	if !s.Exact(trees, LongestContracted) {
		t.Error("refused")
	}
	if s.Exact(trees, 1<<52) {
		t.Error("not refused")
	}
	g.Weights = slices.Clone(g.Weights)
	for a := range g.Weights {
		g.Weights[a] *= 1 << 11
	}
	if s = subdivide(g, g.Weights); s.Exact(s.foldTrees(Sum), 0) {
		t.Error("a long edge of a tree was not refused")
	}
}
