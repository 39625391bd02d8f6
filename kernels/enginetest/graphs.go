//go:build cuda || emulate

package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// Weights draws a weight of one kind for an edge that leaves v: whole numbers with many ties, decimals, whole numbers
// that need 64 bits, or decimals that only a tolerance can tell apart, because those of odd nodes are 10^26 times as
// large.
func Weights(random *rand.Rand, kind int, v int32) float64 {
	switch kind {
	case 0:
		return float64(1 + random.IntN(10))
	case 1:
		return float64(1+random.IntN(40)) / 10
	case 2:
		return float64(1+random.IntN(3))*1e12 + float64(random.IntN(2))
	}
	return float64(1+random.IntN(40)) / 10 * math.Pow10(int(v%2)*26-13)
}

// Random draws graph number i: 2 to 400 nodes (50 on the emulated device) and up to 6n edges, a third directed, a third
// with self-loops and parallel edges.
func Random(t testing.TB, random *rand.Rand, i int, weighted bool) *export.Graph {
	n := 2 + random.IntN(devicetest.Sized(399, 49))
	loops := i/3%3 == 0
	seen := map[[2]int32]bool{}
	var links []graphtest.Link
	for range random.IntN(6*n + 1) {
		l := graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n))}
		if l.Weight = Weights(random, i%4, l.From); weighted && i%4 == 3 && l.From%2 != l.To%2 {
			continue // so that no weight is lost beside a path's length
		}
		if !loops {
			pair := [2]int32{min(l.From, l.To), max(l.From, l.To)}
			if l.From == l.To || seen[pair] {
				continue
			}
			seen[pair] = true
		}
		links = append(links, l)
		for loops && random.IntN(5) == 0 {
			links = append(links, l)
		}
	}
	return graphtest.Links(t, n, i%3 == 0, weighted, links)
}

// Reals is a graph whose lengths are exact in 128 bits only. One tie, of 0.25 + 0.5 and 0.5 + 0.25 on a bridge, makes a
// few sources doubtful.
func Reals(t *testing.T) *export.Graph {
	random := rand.New(rand.NewPCG(3, 9))
	var links []graphtest.Link
	n := int32(devicetest.Sized(500, 60))
	for range 6 * n {
		if l := (graphtest.Link{From: random.Int32N(n), To: random.Int32N(n), Weight: 1 - random.Float64()}); l.From != l.To {
			links = append(links, l)
		}
	}
	for _, l := range [][2]int32{{0, 1}, {1, 3}, {0, 2}, {2, 3}, {3, 4}} {
		links = append(links, graphtest.Link{From: n + l[0], To: n + l[1], Weight: 0.25})
	}
	return graphtest.Links(t, int(n)+5, false, true, links)
}

// Named is a graph with its name.
type Named struct {
	Name  string
	Graph *export.Graph
}

// Nasty are small graphs of shapes that break things.
func Nasty(t testing.TB, weighted bool) []Named {
	var star, path, complete []graphtest.Link
	leaves, length, clique, side := int32(2999), int32(3000), int32(60), int32(40)
	if devicetest.Emulated { // still with rows that a block shares, and levels of more nodes than a warp has threads
		leaves, length, clique, side = 129, 36, 35, 7
	}
	for i := range leaves {
		star = append(star, graphtest.Link{From: 0, To: i + 1, Weight: 1})
	}
	for i := int32(1); i < length; i++ {
		path = append(path, graphtest.Link{From: i - 1, To: i, Weight: float64(i%7 + 1)})
	}
	for i := range clique {
		for j := range i {
			complete = append(complete, graphtest.Link{From: i, To: j, Weight: 2})
		}
	}
	return []Named{
		{"one node", graphtest.Links(t, 1, false, weighted, nil)},
		{"one node with a loop", graphtest.Links(t, 1, true, weighted, []graphtest.Link{{From: 0, To: 0, Weight: 1}})},
		{"no edges", graphtest.Links(t, 33, false, weighted, nil)},
		{"two nodes", graphtest.Links(t, 2, true, weighted, []graphtest.Link{{From: 1, To: 0, Weight: 3}})},
		{"star", graphtest.Links(t, int(leaves)+1, false, weighted, star)},
		{"star inwards", graphtest.Links(t, int(leaves)+1, true, weighted, star)},
		{"path", graphtest.Links(t, int(length), false, weighted, path)},
		{"complete", graphtest.Links(t, int(clique), false, weighted, complete)},
		{"grid", graphtest.Grid(t, side, weighted)},
		{"parallel", graphtest.Links(t, 3, false, weighted,
			[]graphtest.Link{{From: 0, To: 1, Weight: 1}, {From: 0, To: 1, Weight: 1}, {From: 1, To: 0, Weight: 1},
				{From: 1, To: 2, Weight: 1}, {From: 2, To: 2, Weight: 1}})},
	}
}

// Worst returns the largest relative difference, and where; NaN equals NaN.
func Worst(got, want []float64) (difference float64, where string) {
	return worst(got, want, func(x, y float64) float64 { return math.Abs(x-y) / max(math.Abs(x), math.Abs(y), 1e-9) })
}

// worstLogs is Worst of what some logarithms are of: their difference is about the relative difference of these.
func worstLogs(got, want []float64) (difference float64, where string) {
	return worst(got, want, func(x, y float64) float64 { return math.Abs(x - y) })
}

func worst(got, want []float64, apart func(x, y float64) float64) (difference float64, where string) {
	if len(got) != len(want) {
		return math.Inf(1), fmt.Sprintf("%d scores for %d", len(got), len(want))
	}
	for i, x := range got {
		y := want[i]
		if x == y || math.IsNaN(x) && math.IsNaN(y) {
			continue
		}
		d := apart(x, y)
		if math.IsNaN(d) || d > difference {
			difference, where = d, fmt.Sprintf("[%d] = %v, not %v", i, x, y)
		}
		if math.IsNaN(d) {
			return math.Inf(1), where
		}
	}
	return difference, where
}

// Batches is a graph of so many batches of sources that each of 8 shards gets some: sparse, of 600 nodes.
func Batches(t testing.TB, directed, weighted bool) Named {
	random := rand.New(rand.NewPCG(5, 600))
	var links []graphtest.Link
	for v := range int32(600) {
		links = append(links, graphtest.Link{From: v, To: (v*7 + 1) % 600, Weight: float64(1 + random.IntN(9))})
		if v%2 == 0 {
			links = append(links, graphtest.Link{From: v, To: int32(random.IntN(600)), Weight: float64(1 + random.IntN(9))})
		}
	}
	return Named{"many batches", graphtest.Links(t, 600, directed, weighted, links)}
}

// Some are the nasty graphs and count random ones.
func Some(t testing.TB, count int, weighted bool) []Named {
	graphs, random := Nasty(t, weighted), rand.New(rand.NewPCG(17, 19))
	for i := range count {
		graphs = append(graphs, Named{Name: fmt.Sprintf("random graph %d", i), Graph: Random(t, random, i, weighted)})
	}
	return graphs
}

// Generated makes a graph of a kind.
func Generated(t testing.TB, name string, spec generate.Spec) Named {
	t.Helper()
	s, err := generate.Graph(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return Named{Name: name, Graph: s.Graph}
}

// TwoChains are chains of the given length from node 0, one of them with 2^bits edges per hop, so that a level holds
// counts of 1 and 2^(bits length).
func TwoChains(t testing.TB, length, bits int32, directed bool) *export.Graph {
	var links []graphtest.Link
	for i := range length {
		from := [2]int32{2*i - 1, 2 * i}
		if i == 0 {
			from = [2]int32{0, 0}
		}
		links = append(links, graphtest.Link{From: from[0], To: 2*i + 1, Weight: 1})
		for range 1 << bits {
			links = append(links, graphtest.Link{From: from[1], To: 2*i + 2, Weight: 1})
		}
	}
	return graphtest.Links(t, int(2*length)+1, directed, false, links)
}
