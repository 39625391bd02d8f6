package reduce

import (
	"math/rand/v2"
	"testing"
)

// TestContractKeepsDistances contracts random graphs and finds all distances from those between branch nodes, by hand.
func TestContractKeepsDistances(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 17))
	inner, rings, loops, parallel := 0, 0, 0, 0
	for i := range 600 {
		g := randomForest(t, random, 1+random.IntN(30), i)
		if i%2 == 0 {
			g = FoldTrees(g, g.Weights, Sum).Graph
		}
		want := allDistances(g)
		c := Contract(g)
		if err := c.Graph.Validate(); err != nil {
			t.Fatal(err)
		}
		if len(c.Branch)+len(c.Inner) != g.N() {
			t.Fatalf("graph %d: %d branch nodes and %d inner nodes of %d", i, len(c.Branch), len(c.Inner), g.N())
		}
		between := allDistances(c.Graph)
		from := func(v int32) []float64 { // branch nodes, and which node v is
			row := make([]float64, len(c.Branch))
			for b := range row {
				row[b] = want[v][c.Branch[b]]
			}
			return row
		}
		for a, u := range c.Branch {
			for b, d := range from(u) {
				if d != between[a][b] {
					t.Fatalf("graph %d: branch nodes %d and %d are %g apart, want %g", i, a, b, between[a][b], d)
				}
			}
		}
		for k := range c.Chains {
			chain := &c.Chains[k]
			nodes, at := c.Of(chain)
			inner += len(nodes)
			switch {
			case chain.U != chain.V:
			case g.Degree(c.Branch[chain.U]) == 2:
				rings++
			default:
				loops++
			}
			if chain.U != chain.V && between[chain.U][chain.V] < float64(chain.Length) {
				parallel++
			}
			for j, v := range nodes {
				for b, d := range from(v) {
					byU, byV := float64(at[j])+between[chain.U][b], float64(chain.Length-at[j])+between[chain.V][b]
					if between[chain.U][b] < 0 {
						byU, byV = -1, -1
					}
					if d != min(byU, byV) {
						t.Fatalf("graph %d, node %d: branch node %d is %g or %g away, want %g", i, v, b, byU, byV, d)
					}
				}
			}
		}
	}
	if inner < 1000 || rings < 10 || loops < 10 || parallel < 10 {
		t.Errorf("%d inner nodes, %d rings, %d loops, %d chains that are no shortest path", inner, rings, loops, parallel)
	}
}

// TestContractRefusesLongChains: none is longer than MostContracted.
func TestContractRefusesLongChains(t *testing.T) {
	g := randomForest(t, rand.New(rand.NewPCG(1, 1)), 30, 3)
	for a := range g.Weights {
		g.Weights[a] = MostContracted
	}
	if _, arcs := CountBranches(g); arcs == int64(g.Arcs()) {
		t.Fatal("no chains")
	}
	if Contract(g) != nil {
		t.Error("contracted")
	}
}
