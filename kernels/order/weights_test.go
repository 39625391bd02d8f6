package order

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// TestDivide: what comes first is what sorting puts first, at any cut.
func TestDivide(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		nodes := make([]uint64, 1+random.IntN(60))
		for i := range nodes {
			nodes[i] = random.Uint64N(12)<<59 | uint64(i)
		}
		sorted := slices.Clone(nodes)
		slices.Sort(sorted)
		random.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		half := random.IntN(len(nodes) + 1)
		divide(nodes, half)
		slices.Sort(nodes[:half])
		slices.Sort(nodes[half:])
		if !slices.Equal(nodes, sorted) {
			t.Fatalf("%v first, of %v", nodes[:half], sorted)
		}
	}
}

// TestNearByWeight: every source once, batches of neighbours, in the same order every time; also where weights leave
// float32, and of a directed graph in parts.
func TestNearByWeight(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	g := graphtest.Grid(t, 40, true)
	order := random.Perm(g.N())
	nodes := make([]int32, len(order))
	for i, v := range order {
		nodes[i] = int32(v)
	}
	out := nearByWeight(toLandmarks(g), nodes, 32)
	if again := nearByWeight(toLandmarks(g), nodes, 32); !slices.Equal(out, again) {
		t.Error("another order the second time")
	}
	wide := 0
	for batch := range slices.Chunk(out, 32) {
		rows, columns := make([]int32, 0, 32), make([]int32, 0, 32)
		for _, v := range batch {
			rows, columns = append(rows, v/40), append(columns, v%40)
		}
		wide = max(wide, int(slices.Max(rows)-slices.Min(rows)), int(slices.Max(columns)-slices.Min(columns)))
	}
	if wide > 20 {
		t.Errorf("sources of a batch are %d apart", wide)
	}
	some := nearByWeight(toLandmarks(g), nodes[:100], 32)
	for _, of := range [][2][]int32{{out, nodes}, {some, nodes[:100]}} {
		if a, b := slices.Sorted(slices.Values(of[0])), slices.Sorted(slices.Values(of[1])); !slices.Equal(a, b) {
			t.Error("not every source once")
		}
	}
	for _, weight := range []float64{1e300, 1e-300, math.MaxFloat64} {
		var links []graphtest.Link
		for i := range int32(300) {
			links = append(links, graphtest.Link{From: i, To: random.Int32N(i + 1), Weight: weight})
		}
		odd := graphtest.Links(t, 400, true, true, links)
		all := make([]int32, 400)
		for i := range all {
			all[i] = int32(i)
		}
		if got := nearByWeight(toLandmarks(odd), nil, 32); len(got) != 0 {
			t.Error(got)
		}
		parts := slices.Concat(all[200:], all[:200])
		if lone := nearByWeight(toLandmarks(graphtest.Links(t, 400, false, true, nil)), parts,
			32); !slices.Equal(slices.Sorted(slices.Values(lone[:160])), slices.Sorted(slices.Values(parts[:160]))) {
			t.Errorf("nodes without arcs are not in the given order, batch by batch: %v", lone[:160])
		}
		if got := slices.Sorted(slices.Values(nearByWeight(toLandmarks(odd), all, 32))); !slices.Equal(got, all) {
			t.Errorf("weights of %g: not every source once", weight)
		}
	}
}

// TestOrderingByWeights: every node and source once, sources by landmarks all over the graph, the same with any number
// of threads.
func TestOrderingByWeights(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	random := rand.New(rand.NewPCG(3, 5))
	var links []graphtest.Link
	for i := range int32(6000) {
		links = append(links, graphtest.Link{From: i, To: random.Int32N(i + 1), Weight: float64(1 + random.IntN(5))},
			graphtest.Link{From: random.Int32N(i + 1), To: i, Weight: float64(1 + random.IntN(5))})
	}
	for name, g := range map[string]*export.Graph{"deep": graphtest.Grid(t, 120, true),
		"shallow": graphtest.Links(t, 7000, false, true, links), "directed": graphtest.Links(t, 7000, true, true, links),
		"no arcs": graphtest.Links(t, 400, false, true, nil)} {
		for _, sources := range [][]int32{All(g), All(g)[:g.N()*2/3], All(g)[:40]} {
			var first *ByWeights
			for _, threads := range []int{1, 8} {
				runtime.GOMAXPROCS(threads)
				o := BeginByWeights(g, sources, 32, false, func() Depth { return DepthOf(g) }, nil)
				if o.Wait(); first == nil {
					first = o
				}
				if !slices.Equal(o.Nodes, first.Nodes) || !slices.Equal(o.Turns, first.Turns) {
					t.Errorf("%s, %d sources: another order with more threads", name, len(sources))
				}
			}
			if !slices.Equal(slices.Sorted(slices.Values(first.Nodes)), All(g)) ||
				!slices.Equal(slices.Sorted(slices.Values(Arrange(sources, first.Turns, g.N()))), sources) {
				t.Errorf("%s, %d sources: not every one once", name, len(sources))
			}
		}
	}
}

// TestRoughDistances: buckets give the distances of Dijkstra's algorithm, whatever the width, and where they give up as
// well.
func TestRoughDistances(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	gaveUp := 0
	for i := range 60 {
		var links []graphtest.Link
		n := 2 + random.IntN(300)
		for range 3 * n {
			weight := 1 - random.Float64()
			if i%3 == 0 {
				weight = math.Pow10(random.IntN(60) - 30)
			}
			links = append(links, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)), Weight: weight})
		}
		g := graphtest.Links(t, n, i%2 == 0, true, links)
		from := int32(random.IntN(n))
		rough := newRoughGraph(g)
		exact := newRough(rough, from, 1)
		exact.dijkstra()
		want := exact.near
		farthest := float32(0)
		for _, x := range want {
			if !math.IsInf(float64(x), 1) {
				farthest = max(farthest, x)
			}
		}
		for v := range want {
			want[v] = min(want[v], farthest)
		}
		for _, width := range []float32{0, 1e-30, 0.01, 0.1, 1, 1e30, float32(math.Inf(1))} {
			if got := rough.distances(from, width); !slices.Equal(got, want) {
				t.Fatalf("graph %d, width %g: %v, want %v", i, width, got, want)
			}
		}
		r := newRough(rough, from, 1)
		r.left = g.N() / 2
		if !r.run() {
			gaveUp++
		}
	}
	if gaveUp == 0 {
		t.Error("no search gave up")
	}
}

// toLandmarks are distances to nodes at even distances in the order of their numbers.
func toLandmarks(g *export.Graph) [][]float32 {
	return distancesByWeight(g, spaced(All(g), weightedLandmarks))
}
