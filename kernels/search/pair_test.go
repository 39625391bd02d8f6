package search_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// TestPairDrawsEachPathAlike compares how often each node and edge is on a drawn path with the shares of the oracle.
func TestPairDrawsEachPathAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	stop := stopper.New(context.Background())
	defer stop.Release()
	const draws = 400
	for i := range 24 {
		n := 5 + i
		g := graphtest.Random(t, random, n, i%2 == 0, i%3 == 0, false)
		p := search.NewPair(g, stop)
		nodes, edges := make([]float64, n), make([]float64, g.M())
		for s := range int32(n) {
			for v := range int32(n) {
				for range draws {
					if s == v {
						continue
					}
					if err := p.Draw(s, v, search.Key(random.Uint64())); err != nil {
						t.Fatal(err)
					}
					for _, u := range p.Nodes {
						if u != s && u != v {
							nodes[u]++
						}
					}
					for _, e := range p.Edges {
						edges[e]++
					}
				}
			}
		}
		wantNodes, wantEdges := oracle.Of(g, false).Betweenness(everyNode(n)).Float64(1)
		alike(t, "node", nodes, wantNodes, draws)
		alike(t, "edge", edges, wantEdges, draws)
	}
}

func everyNode(n int) []int {
	all := make([]int, n)
	for v := range all {
		all[v] = v
	}
	return all
}

// alike accepts six standard deviations of a sum of at most want + n(n-1)/4 variances.
func alike(t *testing.T, what string, got, want []float64, draws float64) {
	t.Helper()
	for i := range got {
		if d := math.Abs(got[i]/draws - want[i]); d > 6*math.Sqrt(want[i]/draws)+1e-9 {
			t.Errorf("%s %d: on %v paths a draw, want %v", what, i, got[i]/draws, want[i])
		}
	}
}

// TestPairOnManyPaths draws where counts pass the range of a float64.
func TestPairOnManyPaths(t *testing.T) {
	const steps = 3000 // of two parallel edges each: 2^3000 paths
	var rels export.Rels
	for v := range int32(steps) {
		rels.Source, rels.Target = append(rels.Source, v, v), append(rels.Target, v+1, v+1)
	}
	g := graphtest.Build(t, export.Undirected, steps+1, rels)
	stop := stopper.New(context.Background())
	defer stop.Release()
	p := search.NewPair(g, stop)
	if err := p.Draw(0, steps, 1); err != nil || len(p.Nodes) != steps+1 || len(p.Edges) != steps {
		t.Errorf("%d nodes, %d edges, %v", len(p.Nodes), len(p.Edges), err)
	}
}
