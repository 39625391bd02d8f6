package lanes

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/exact"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// result is what searches from all sources add up to.
type result struct {
	nodes, edges []float64
	words        []exact.Word
	pairs        int64
	distance     float64
	left         int
}

// run searches a graph in batches of so many lanes. It finds distances first unless l is nil. masses may be nil.
func run(
	t testing.TB, g *export.Graph, l lengths.Lengths, sources []int32, masses []float64, width int, by kernels,
) result {
	t.Helper()
	scale := exact.For(800*float64(g.N()*g.N()), int64(4*len(sources)))
	nodes, edges := exact.NewSums(g.N(), scale), exact.NewSums(g.M(), scale)
	b := New(g, sources, true)
	if l != nil {
		b = ByDistance(g, l, sources, true)
		b.graph.deep = len(sources)%2 == 0
	}
	if masses != nil {
		b.Weigh(masses)
	}
	s := NewSearch(b, width, NewSums(g.N(), g.M(), scale, false), stopper.New(context.Background()))
	s.kernels = by
	var r result
	for batch := range slices.Chunk(b.Sources, width) {
		left, err := s.From(batch)
		if err != nil {
			t.Fatal(err)
		}
		pairs, distance := s.Move(nodes, edges)
		r.left, r.pairs, r.distance = r.left+len(left), r.pairs+pairs, r.distance+distance
	}
	r.nodes, r.edges, r.words = nodes.Values(), edges.Values(), append(slices.Clone(nodes.Words), edges.Words...)
	return r
}

// agree compares all widths and kernels with the oracle, level by level and with distances first.
func agree(t *testing.T, g *export.Graph, sources []int32) {
	t.Helper()
	nodes, edges := oracle.Of(g, false).Betweenness(ints(sources)).Float64(1)
	agreeWith(t, g, []lengths.Lengths{nil, lengths.Hops{}}, sources, nil, nodes, edges)
}

func ints(sources []int32) []int {
	out := make([]int, len(sources))
	for i, s := range sources {
		out[i] = int(s)
	}
	return out
}

// agreeWith compares all widths and kernels with scores that are known, and with each other bit by bit.
func agreeWith(t *testing.T, g *export.Graph, ways []lengths.Lengths, sources []int32, masses, nodes, edges []float64) {
	t.Helper()
	var first result
	for _, width := range []int{8, 16, 24, 32, 40, 64} {
		for k, by := range allKernels() {
			for _, l := range ways {
				got := run(t, g, l, sources, masses, width, by)
				near(t, fmt.Sprint(width, k, " node"), got.nodes, nodes)
				near(t, fmt.Sprint(width, k, " edge"), got.edges, edges)
				if first.words == nil {
					first = got
				}
				if !slices.Equal(got.words, first.words) || got.pairs != first.pairs || got.distance != first.distance ||
					got.left != 0 {
					t.Fatalf("%d lanes, kernels %d, %v: other bits, or %d sources left", width, k, l, got.left)
				}
			}
		}
	}
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-9*math.Abs(want[i]) {
			t.Fatalf("%s %d: %v, want %v", what, i, got[i], want[i])
		}
	}
}

// TestAgainstOracle takes 1,000 random graphs: directed ones, ones with parallel edges and self-loops, from all nodes
// or some, and every 50th with about as many sources as the lanes of some batches.
func TestAgainstOracle(t *testing.T) {
	const graphs, groups = 1000, 10
	for k := range groups {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			for i := k; i < graphs; i += groups {
				random := rand.New(rand.NewPCG(uint64(i), 28))
				n := 2 + random.IntN(39)
				if i/groups%10 == 0 {
					n = []int{8, 16, 32, 64, 128}[random.IntN(5)] + random.IntN(3) - 1
				}
				g := graphtest.Random(t, random, n, random.IntN(3) == 0, random.IntN(3) == 0, false)
				sources := order.All(g)
				random.Shuffle(n, func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
				if random.IntN(3) == 0 {
					sources = sources[:1+random.IntN(n)]
				}
				agree(t, g, sources)
			}
		})
	}
}

// TestMasses takes random graphs whose nodes count for several, as those that reductions leave.
func TestMasses(t *testing.T) {
	for i := range 300 {
		random := rand.New(rand.NewPCG(uint64(i), 31))
		g := graphtest.Random(t, random, 2+random.IntN(70), random.IntN(3) == 0, false, false)
		masses := make([]float64, g.N())
		for v := range masses {
			masses[v] = float64(1 + random.IntN(9)*random.IntN(2))
		}
		nodes, edges := oracle.Massed(g, masses)
		agreeWith(t, g, []lengths.Lengths{nil, lengths.Hops{}}, order.All(g), masses, nodes, edges)
	}
}

// TestWeights takes 2,000 random graphs with weights of few or many ticks, and some whose sources are about as many as
// lanes.
func TestWeights(t *testing.T) {
	const graphs, groups = 2000, 10
	for k := range groups {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			for i := k; i < graphs; i += groups {
				random := rand.New(rand.NewPCG(uint64(i), 39))
				n := 2 + random.IntN(30)
				if i/groups%20 == 0 {
					n = []int{8, 16, 32, 64, 128}[random.IntN(5)] + random.IntN(3) - 1
				}
				g := graphtest.Random(t, random, n, random.IntN(3) == 0, random.IntN(3) == 0, true)
				most := []int{1, 2, 10, 200}[random.IntN(4)]
				byEdge := make([]float64, g.M())
				for e := range byEdge {
					byEdge[e] = float64(1 + random.IntN(most))
				}
				for a := range g.Weights {
					g.Weights[a] = byEdge[g.Edge(int64(a))]
				}
				sources := order.All(g)
				if random.IntN(3) == 0 {
					random.Shuffle(n, func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
					sources = sources[:1+random.IntN(n)]
				}
				byWeights(t, g, sources)
			}
		})
	}
}

// byWeights compares searches by weights with the oracle.
func byWeights(t *testing.T, g *export.Graph, sources []int32) {
	t.Helper()
	if g.Arcs() == 0 {
		return
	}
	l, err := lengths.New(t.Context(), g, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	nodes, edges := oracle.Of(g, true).Betweenness(ints(sources)).Float64(1)
	agreeWith(t, g, []lengths.Lengths{l}, sources, nil, nodes, edges)
}

// TestPathsThatDoNotFit takes a path of arcs so long that 16 bits hold the distances from the node in the middle alone.
func TestPathsThatDoNotFit(t *testing.T) {
	const n = 19
	var links []graphtest.Link
	for v := range int32(n - 1) {
		links = append(links, graphtest.Link{From: v, To: v + 1, Weight: float64(2999 + v%2)})
	}
	g := graphtest.Links(t, n, false, true, links)
	l, err := lengths.New(t.Context(), g, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	fit := []int32{n / 2} // no distance from there is over 2^15 - 3,000
	nodes, _ := oracle.Of(g, true).Betweenness(ints(fit)).Float64(1)
	for _, width := range []int{8, 64} {
		got := run(t, g, l, order.All(g), nil, width, allKernels()[0])
		near(t, "node", got.nodes, nodes)
		if got.left != n-len(fit) || got.pairs != n-1 {
			t.Errorf("%d sources left and %d pairs, want %d and %d", got.left, got.pairs, n-len(fit), n-1)
		}
	}
}

// TestShapes takes graphs that are deep, that have hubs, or many components, and one without edges.
func TestShapes(t *testing.T) {
	for name, g := range map[string]*export.Graph{
		"grid": graphtest.Grid(t, 9, false), "ring": graphtest.Ring(t, 70, 3), "band": graphtest.Band(t, 66, 3),
		"stars": graphtest.Stars(t, 65), "ring of paths": graphtest.RingOfPaths(t, 5, 7),
		"none": graphtest.Links(t, 20, false, false, nil), "subdivided": graphtest.Subdivided(t, 12, 2, 3),
	} {
		t.Run(name, func(t *testing.T) { agree(t, g, order.All(g)) })
	}
}

// TestCountsThatDoNotFit takes a chain of diamonds. 2^1200 paths lead from one end to the other: sources near the ends
// are left, those in the middle are not, in any width.
func TestCountsThatDoNotFit(t *testing.T) {
	const diamonds = 1200
	var links []graphtest.Link
	for i := range int32(diamonds) {
		for _, middle := range []int32{3*i + 1, 3*i + 2} {
			links = append(links, graphtest.Link{From: 3 * i, To: middle}, graphtest.Link{From: middle, To: 3*i + 3})
		}
	}
	g := graphtest.Links(t, 3*diamonds+1, false, false, links)
	sources := []int32{0, 1, 3, 300, 1800, 1803, 3 * diamonds}
	for _, l := range []lengths.Lengths{nil, lengths.Hops{}} {
		countsThatDoNotFit(t, g, l, sources)
	}
}

func countsThatDoNotFit(t *testing.T, g *export.Graph, l lengths.Lengths, sources []int32) {
	t.Helper()
	first := run(t, g, l, sources, nil, 8, allKernels()[0])
	if first.left != 5 {
		t.Fatalf("%d sources left, want 5", first.left)
	}
	for k, by := range allKernels() {
		for _, width := range []int{16, 64} {
			if got := run(t, g, l, sources, nil, width, by); got.left != first.left || !slices.Equal(got.words, first.words) {
				t.Fatalf("%d lanes, kernels %d: other bits, or %d sources left", width, k, got.left)
			}
		}
	}
	for i, x := range append(first.nodes, first.edges...) {
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			t.Fatalf("score %d is %v", i, x)
		}
	}
}

// TestWidth has few sources, many threads and much memory make the lanes fewer, and all threads have about as many
// batches.
func TestWidth(t *testing.T) {
	for _, c := range []struct {
		nodes            int64
		sources, threads int
		want             int
	}{
		{1000, 1000, 1, 64}, {1000, 1000, 16, 64}, {1000, 600, 16, 40}, {1000, 1100, 16, 40}, {1000, 100, 16, 8},
		{1000, 10_000, 16, 64},
		{4_000_000, 1_000_000, 2, 16}, {262_144, 1_000_000, 16, 64}, {1_000_000, 1_000_000, 16, 32}, {1 << 40, 1 << 20, 1, 8},
		{100, 3, 1, 8},
	} {
		if got := Width(c.nodes, c.sources, c.threads); got != c.want {
			t.Errorf("%d nodes, %d sources, %d threads: %d lanes, want %d", c.nodes, c.sources, c.threads, got, c.want)
		}
	}
}

func TestChoose(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var links []graphtest.Link
	for range 6000 {
		links = append(links, graphtest.Link{From: random.Int32N(1000), To: random.Int32N(1000),
			Weight: float64(1 + random.IntN(10))})
	}
	dense, weighted := graphtest.Links(t, 1000, false, false, links), graphtest.Links(t, 1000, false, true, links)
	grid, ring := graphtest.Grid(t, 60, false), graphtest.Ring(t, 2000, 0)
	var down, downhill []graphtest.Link // no cycles: their sources reach few nodes, and many, together
	for range 20000 {
		from, to := random.Int32N(4000), random.Int32N(4000)
		down = append(down, graphtest.Link{From: min(from, to), To: max(from, to), Weight: 1})
		downhill = append(downhill, graphtest.Link{From: from, To: min(from+1+random.Int32N(9), 3999), Weight: 1})
	}
	sparse, narrow := graphtest.Links(t, 4000, true, false, down[:8000]), graphtest.Links(t, 4000, true, false, downhill)
	ticks, err := lengths.New(t.Context(), weighted, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	long := &lengths.Ticks{Arc: slices.Repeat([]int64{longestTicks + 1}, weighted.Arcs()),
		Unit: lengths.Unit{Mul: 1, Div: 1, Div2: 1}}
	for i, c := range []struct {
		g       *export.Graph
		l       lengths.Lengths
		sources []int32
		want    Way
	}{
		{dense, lengths.Hops{}, nil, Levels}, {dense, lengths.Hops{}, order.All(dense)[:5], Single},
		{ring, lengths.Hops{}, nil, Single},
		{grid, lengths.Hops{}, nil, Distances}, {weighted, ticks, nil, Distances},
		{weighted, ticks, order.All(dense)[:5], Single},
		{weighted, long, nil, Single}, {weighted, &lengths.Reals{}, nil, Single},
		{sparse, lengths.Hops{}, nil, Single}, {narrow, lengths.Hops{}, nil, Distances},
		{sparse, lengths.Hops{}, slices.Repeat([]int32{0, 1, 2}, leastLooked), Single},
	} {
		if got, err := Choose(t.Context(), c.g, c.l, c.sources); got != c.want || err != nil {
			t.Errorf("case %d: way %d, %v, want %d", i, got, err, c.want)
		}
	}
}
