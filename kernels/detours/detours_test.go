package detours

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// draw draws a graph with loops and parallel edges whose weights are few whole numbers, or have all digits.
func draw(t *testing.T, random *rand.Rand, whole bool) *export.Graph {
	t.Helper()
	n := 2 + random.IntN(60)
	var links []graphtest.Link
	for range random.IntN(5 * n) {
		w := 1 - random.Float64()
		if whole {
			w = float64(1 + random.IntN(20))
		}
		links = append(links, graphtest.Link{From: random.Int32N(int32(n)), To: random.Int32N(int32(n)), Weight: w})
	}
	return graphtest.Links(t, n, random.IntN(2) == 0, true, links)
}

// TestScoresStay: a graph without detours has the betweenness of the graph, and detours have none.
func TestScoresStay(t *testing.T) {
	dropped := map[string]int{}
	for i := range 120 {
		random := rand.New(rand.NewPCG(uint64(i), 3))
		g := draw(t, random, i%2 == 0)
		l, err := lengths.New(t.Context(), g, true, 0)
		if err != nil {
			t.Fatal(err)
		}
		if i%3 == 0 {
			l = lengths.NewReals(g.Weights, lengths.DefaultTolerance, 0)
		}
		lighter, picked, err := Without(t.Context(), g, l, leastSources, 2)
		if err != nil {
			t.Fatal(err)
		}
		dropped[fmt.Sprintf("%T", l)] += g.Arcs() - lighter.Arcs()
		agree(t, g, lighter)
		if again, _ := lengths.New(t.Context(), lighter, true, 0); i%3 != 0 && lighter.Arcs() > 0 &&
			again.Ties() != picked.Ties() {
			t.Fatalf("graph %d: other lengths", i)
		}
	}
	for _, kind := range []string{"*lengths.Ticks", "*lengths.WideTicks", "*lengths.Reals"} {
		if dropped[kind] < 500 {
			t.Errorf("%d arcs of %s dropped", dropped[kind], kind)
		}
	}
}

// agree compares the scores of a graph, which the oracle computes, with and without its detours. Both arcs of an edge
// are left, or none.
func agree(t *testing.T, g, lighter *export.Graph) {
	t.Helper()
	left := map[int32]float64{}
	for k := range int64(lighter.Arcs()) {
		left[lighter.Edge(k)] = lighter.Weight(k)
	}
	longer := graphtest.Weighing(g, func(edge int32) float64 { // detours remain, and no path takes them
		if w, ok := left[edge]; ok {
			return w
		}
		return 1e6
	})
	sources := make([]int, g.N())
	for v := range sources {
		sources[v] = v
	}
	nodes, edges := oracle.Of(g, true).Betweenness(sources).Float64(1)
	gotNodes, gotEdges := oracle.Of(longer, true).Betweenness(sources).Float64(1)
	for _, p := range [][2][]float64{{nodes, gotNodes}, {edges, gotEdges}} {
		for i, x := range p[0] {
			if math.Abs(x-p[1][i]) > 1e-12*x {
				t.Fatalf("score %d is %v without detours, not %v", i, p[1][i], x)
			}
		}
	}
	if !g.Directed && lighter.Arcs() != 2*len(left) || lighter.N() != g.N() {
		t.Fatalf("%d arcs of %d edges, %d nodes", lighter.Arcs(), len(left), lighter.N())
	}
}

// TestMargin: an arc that is longer than another path by no more than rounding or the tolerance stays.
func TestMargin(t *testing.T) {
	for by, want := range map[float64]int{1e-3: 1, 1e-12: 0} {
		links := []graphtest.Link{{From: 0, To: 1, Weight: 0.5}, {From: 1, To: 2, Weight: 0.25},
			{From: 0, To: 2, Weight: 0.75 + by}}
		g := graphtest.Links(t, 3, true, true, links)
		l := lengths.NewReals(g.Weights, lengths.DefaultTolerance, 0)
		if lighter, _, err := Without(t.Context(), g, l, leastSources, 1); err != nil || g.Arcs()-lighter.Arcs() != want {
			t.Errorf("longer by %g: %d arcs dropped, want %d, %v", by, g.Arcs()-lighter.Arcs(), want, err)
		}
	}
}

// TestLeft: the graph stays where sources or detours are few, or paths are measured in hops.
func TestLeft(t *testing.T) {
	g := draw(t, rand.New(rand.NewPCG(1, 1)), true)
	ticks, _ := lengths.New(t.Context(), g, true, 0)
	light := graphtest.Grid(t, 9, true)
	even, _ := lengths.New(t.Context(), light, true, 0)
	for _, c := range []struct {
		g       *export.Graph
		l       lengths.Lengths
		sources int
	}{{g, ticks, leastSources - 1}, {g, lengths.Hops{}, leastSources}, {light, even, leastSources}} {
		if got, _, err := Without(t.Context(), c.g, c.l, c.sources, 2); got != c.g || err != nil {
			t.Errorf("%T, %d sources: %d of %d arcs, %v", c.l, c.sources, got.Arcs(), c.g.Arcs(), err)
		}
	}
}

// TestHubs: a search does not look at the row of a hub from each of its neighbours.
func TestHubs(t *testing.T) {
	const leaves = 2 * arcsEach
	var links []graphtest.Link
	for i := range int32(leaves) {
		links = append(links, graphtest.Link{From: 0, To: i + 1, Weight: 1},
			graphtest.Link{From: i + 1, To: (i+1)%leaves + 1, Weight: 3})
	}
	g := graphtest.Links(t, leaves+1, false, true, links)
	l, _ := lengths.New(t.Context(), g, true, 0)
	f := newFinder(g, l.(*lengths.Ticks).Arc, 0)
	if count := f.from(1, make([]bool, g.Arcs())); count != 0 || slices.Contains(f.reached, 2) {
		t.Errorf("%d detours through the hub", count)
	}
}
