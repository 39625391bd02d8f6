package reduce_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// unionSums is an engine as Union wants it, by distances and counts of all pairs: it shares nothing with Brandes'
// passes.
func unionSums(u *reduce.Union) (node, edge []float64) {
	g, n := u.Graph, u.Graph.N()
	dist, paths := square(n, math.Inf(1)), square(n, 0)
	for s := range n {
		bellmanFord(g, s, dist[s])
		countPaths(g, s, dist[s], paths[s])
	}
	node, edge = make([]float64, n), make([]float64, g.M())
	source, target := g.Ends()
	weight := edgeWeights(g)
	for a := range n {
		for w := range n {
			if a == w || math.IsInf(dist[a][w], 1) {
				continue
			}
			amount := u.Omega[a] * u.Omega[w] / paths[a][w]
			for v := range n {
				if v != a && v != w && dist[a][v]+dist[v][w] == dist[a][w] {
					node[v] += amount * paths[a][v] * paths[v][w]
				}
			}
			for e := range edge {
				for _, d := range [][2]int32{{source[e], target[e]}, {target[e], source[e]}} {
					if dist[a][d[0]]+weight[e]+dist[d[1]][w] == dist[a][w] {
						edge[e] += amount * paths[a][d[0]] * paths[d[1]][w]
					}
				}
			}
		}
	}
	return node, edge
}

func bellmanFord(g *export.Graph, s int, dist []float64) {
	dist[s] = 0
	for changed := true; changed; {
		changed = false
		for v := range int32(g.N()) {
			for i := g.Offsets[v]; i < g.Offsets[v+1]; i++ {
				if d := dist[v] + g.Weight(i); d < dist[g.Targets[i]] {
					dist[g.Targets[i]], changed = d, true
				}
			}
		}
	}
}

func TestUnionLeadsBackToTheGraph(t *testing.T) {
	make := kinds()
	for _, name := range slices.Sorted(maps.Keys(make)) {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 13))
			s := make[name](r)
			if seed%4 == 0 {
				s = withTrees(r, s, 6)
			}
			disturb(r, s, seed%3 == 0, seed%5 < 2)
			g := s.graph(t)
			for _, o := range []reduce.Options{
				{Switches: reduce.Switches{NoChains: true}},
				{Switches: reduce.Switches{NoChains: true, NoTrees: true, NoBlocks: true}},
			} {
				o.Ticks = ticksOf(g)
				reduced, err := reduce.New(context.Background(), g, o)
				if err != nil {
					t.Fatal(err)
				}
				u, err := reduced.Union()
				if err != nil {
					t.Fatal(err)
				}
				if err := u.Graph.Validate(); err != nil {
					t.Fatalf("%s %d: %v", name, seed, err)
				}
				sums, edgeSums := unionSums(u)
				node, edge, err := reduced.FromUnion(u, sums, edgeSums)
				if err != nil {
					t.Fatal(err)
				}
				wantNode, wantEdge := plain(t, g, nil)
				if d := max(difference(node, wantNode), difference(edge, wantEdge)); d > 1e-10 {
					t.Fatalf("%s %d, %+v: off by %g", name, seed, o.Switches, d)
				}
			}
		}
	}
}

func TestUnionRefuses(t *testing.T) {
	s := &sketch{n: 4}
	s.add(0, 1)
	s.add(1, 2)
	s.add(0, 2)
	s.add(2, 3)
	g := s.graph(t)
	chained, err := reduce.New(context.Background(), g, reduce.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chained.Union(); !errors.Is(err, reduce.ErrOptions) {
		t.Errorf("a union of contracted chains: %v", err)
	}
	whole, err := reduce.New(context.Background(), g, reduce.Options{Switches: reduce.Switches{NoChains: true}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := whole.Union()
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{1, 1, 2}; !slices.Equal(slices.Sorted(slices.Values(u.Omega)), want) {
		t.Errorf("a triangle with a leaf: omega %v, want %v in some order", u.Omega, want)
	}
	for _, node := range [][]float64{{0, 0}, {0, 0, math.NaN()}, {0, 0, math.Inf(1)}} {
		if _, _, err := whole.FromUnion(u, node, make([]float64, 3)); !errors.Is(err, reduce.ErrOptions) {
			t.Errorf("sums %v: %v", node, err)
		}
	}
}
