package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// reals draws a graph whose weights 62 bits do not hold.
func reals(t *testing.T, random *rand.Rand, n int) *export.Graph {
	t.Helper()
	var links []graphtest.Link
	for range 3 * n {
		links = append(links, graphtest.Link{From: int32(random.IntN(n)), To: int32(random.IntN(n)),
			Weight: 1 - random.Float64()})
	}
	return graphtest.Links(t, n, random.IntN(2) == 0, true, links)
}

// byWeights measures by the weights of a graph.
func byWeights(t *testing.T, g *export.Graph) lengths.Lengths {
	t.Helper()
	l, err := lengths.New(t.Context(), g, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

var aUnit = lengths.Unit{Mul: 1, Div: 1, Div2: 1} // of ticks

// TestExactSearch: float64 finds the paths of weights that only 128 bits hold, as they are, and leaves sources with
// ties to 128 bits.
func TestExactSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	for i := range 40 {
		g := reals(t, random, 2+random.IntN(300))
		if _, ok := byWeights(t, g).(*lengths.WideTicks); !ok {
			continue // few edges
		}
		againstWide(t, g, func(s int32, quick bool) {
			if !quick {
				t.Fatalf("graph %d: 128 bits for node %d", i, s)
			}
		})
	}
}

// TestTiesOfReals: two ways of the same length in decimals, and one that is longer by less than float64 holds, are
// searched in 128 bits.
func TestTiesOfReals(t *testing.T) {
	const a, b = 0.1234567890123456, 0.2345678901234567
	for _, by := range []float64{0, 1e-15} {
		// The node of the highest degree, 6, is not before the ways, so that float64 is tried.
		links := []graphtest.Link{
			{From: 0, To: 1, Weight: a},
			{From: 1, To: 3, Weight: b},
			{From: 0, To: 2, Weight: b},
			{From: 2, To: 3, Weight: a + by},
			{From: 3, To: 6, Weight: 0.7654321098765432},
			{From: 6, To: 4, Weight: 1.5},
			{From: 6, To: 5, Weight: 2.25},
			{From: 6, To: 7, Weight: 123456.7890123456},
			{From: 6, To: 8, Weight: 3},
		}
		g := graphtest.Links(t, 9, true, true, links)
		againstWide(t, g, func(s int32, quick bool) {
			if quick != (s != 0) {
				t.Errorf("by %g, node %d: in float64 %t", by, s, quick)
			}
		})
	}
}

// againstWide compares what is found from every node of a graph, whose weights only 128 bits hold, with a search in
// these, and tells each whether float64 found it.
func againstWide(t *testing.T, g *export.Graph, each func(s int32, quick bool)) {
	t.Helper()
	l := byWeights(t, g)
	ticks, ok := l.(*lengths.WideTicks)
	if !ok {
		t.Fatalf("%T", l)
	}
	stop := stopper.New(t.Context())
	defer stop.Release()
	search, wide := Of(g, l)(true, stop).(*exactSearch), newWideSearch(g, ticks, true, stop)
	for s := range int32(g.N()) {
		if search.From(s) != nil || wide.From(s) != nil {
			t.Fatal("not searched")
		}
		each(s, search.Search == search.quick)
		samePaths(t, g, search, wide)
	}
}

// within says whether got is want to a relative tolerance; 0 only equals what is below any score.
func within(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(math.Abs(want), math.Abs(got))
}

// samePaths compares what two searches found.
func samePaths(t *testing.T, g *export.Graph, got, want Search) {
	t.Helper()
	p, q := got.Found(), want.Found()
	p.List()
	if !slices.Equal(arcsOf(t, g, p), arcsOf(t, g, q)) {
		t.Fatalf("from %d: order %v, arcs %v; want %v, %v", q.Order[0], p.Order, p.Arcs, q.Order, q.Arcs)
	}
	for v := range int32(g.N()) {
		if got.Reached(v) != want.Reached(v) || !within(got.Distance(v), want.Distance(v), 1e-14) {
			t.Fatalf("node %d is %g away, want %g", v, got.Distance(v), want.Distance(v))
		}
	}
}

// arcsOf returns the shortest-path arcs in order, and fails where a node comes before one on its path, or twice.
func arcsOf(t *testing.T, g *export.Graph, p *Paths) []int64 {
	t.Helper()
	at := make([]int, g.N()) // in Order, from 1
	for i, v := range p.Order {
		if at[v] > 0 {
			t.Fatalf("node %d comes twice", v)
		}
		at[v] = i + 1
	}
	var arcs []int64
	for i, u := range p.Order {
		for _, k := range p.Arcs[p.Start[i]:p.Start[i+1]] {
			arc := g.Offsets[u] + int64(k)
			if at[g.Targets[arc]] <= i+1 {
				t.Fatalf("node %d comes before %d, on its path", g.Targets[arc], u)
			}
			arcs = append(arcs, arc)
		}
	}
	slices.Sort(arcs)
	return arcs
}

// TestBucketsOfATick: of whole ticks alone, where the longest arc has not too many.
func TestBucketsOfATick(t *testing.T) {
	g := graphtest.Random(t, rand.New(rand.NewPCG(12, 13)), 50, false, true, true)
	stop := stopper.New(t.Context())
	defer stop.Release()
	for _, most := range []int64{1, maxBuckets, maxBuckets + 1} {
		arc, weights := make([]int64, g.Arcs()), make([]float64, g.Arcs())
		for i := range arc {
			arc[i] = min(most, int64(g.Edge(int64(i))+1))
			if g.Edge(int64(i)) == 0 {
				arc[i] = most
			}
			weights[i] = float64(arc[i])
		}
		whole, reals := inTicks(&lengths.Ticks{Arc: arc, Unit: aUnit}),
			inReals(lengths.NewReals(weights, lengths.DefaultTolerance, 0))
		newBucketSearch(g, whole, false, stop)
		newBucketSearch(g, reals, false, stop)
		if whole.whole != (most <= maxBuckets) || reals.whole {
			t.Errorf("arcs of up to %d: a tick each %t, reals %t", most, whole.whole, reals.whole)
		}
	}
}

const aTick = -1 // in place of a width, for buckets that search as chooseWidth has those of a tick

// TestWidthsOfBuckets: distances and their order are right whatever the width.
func TestWidthsOfBuckets(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 11))
	for range 30 {
		g := graphtest.Random(t, random, 2+random.IntN(80), random.IntN(2) == 0, true, true)
		ticks := &lengths.Ticks{Arc: make([]int64, g.Arcs()), Unit: aUnit}
		for i := range ticks.Arc {
			ticks.Arc[i] = 1 + int64(g.Edge(int64(i))*7919%13)*int64(1+g.Edge(int64(i))%5*1000)
		}
		stop := stopper.New(t.Context())
		defer stop.Release()
		var before *bucketSearch[int64]
		for _, width := range []float64{0, 1, 3, 100, 1e4, 1e9, aTick} {
			l := inTicks(ticks)
			l.once.Do(func() {
				longest := slices.Max(append(ticks.Arc, 1))
				if l.setWidth(longest, width); width == aTick {
					l.perBucket, l.ring, l.whole = 1, uint64(longest)+3, true
				}
			})
			search := newBucketSearch(g, l, true, stop)
			for s := range int32(g.N()) {
				if search.From(s) != nil {
					t.Fatal("not searched")
				}
				if !slices.IsSortedFunc(search.Order, func(a, b int32) int { return int(search.dist[a] - search.dist[b]) }) {
					t.Fatalf("width %g: nodes out of order", width)
				}
				if before != nil && before.From(s) == nil {
					if !slices.Equal(search.dist, before.dist) || len(search.Arcs) != len(before.Arcs) {
						t.Fatalf("width %g: other distances", width)
					}
				}
			}
			before = search
		}
	}
}
