package order

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// lowerWideLevel has threads share levels of so many nodes, until the end of the test.
func lowerWideLevel(t *testing.T, nodes int) {
	t.Helper()
	before, all := wideLevel, runtime.GOMAXPROCS(8)
	wideLevel = nodes
	t.Cleanup(func() {
		wideLevel = before
		runtime.GOMAXPROCS(all)
	})
}

// tangled is a directed graph with arcs that stand twice, and from nodes to themselves.
func tangled(t *testing.T, n int) *export.Graph {
	t.Helper()
	random := rand.New(rand.NewPCG(11, 1))
	var r export.Rels
	for range 4 * n {
		v, w := int32(random.IntN(n)), int32(random.IntN(n))
		if random.IntN(5) == 0 {
			w = v
		}
		for range 1 + random.IntN(2) {
			r.Source, r.Target = append(r.Source, v), append(r.Target, w)
		}
	}
	return graphtest.Build(t, export.Natural, n, r)
}

// TestWideSearch: threads that share levels find the order, and the levels, of one thread.
func TestWideSearch(t *testing.T) {
	lowerWideLevel(t, math.MaxInt)
	for name, g := range map[string]*export.Graph{
		"mesh": mesh(t, 60), "ring": graphtest.Ring(t, 300, 0), "scattered": scattered(t, 3000),
		"stars": graphtest.Stars(t, 500), "hubs": made(t, generate.Spec{Kind: generate.RMAT, Scale: 10, Degree: 8, Seed: 3}),
		"tangled": tangled(t, 2000), "dense": graphtest.Ring(t, 300, 6000), "one node": graphtest.Ring(t, 1, 0),
	} {
		r := rows{g.Offsets, g.Targets}
		turns := slices.Clone(byDegree(r))
		for start := int32(0); start < r.n(); start += 1 + r.n()/3 {
			for _, from := range [][]int32{nil, turns} {
				wideLevel = math.MaxInt
				one := newBisection(r, 32, 4)
				order, levels := one.search(one.whole(r), 1, start, from)
				for _, wideLevel = range []int{1, 30} {
					b := newBisection(r, 32, 4)
					got, begins := b.search(b.whole(r), 1, start, from)
					if !slices.Equal(got, order) || !slices.Equal(begins, levels) {
						t.Fatalf("%s, from %d, wide from %d on: another order, or other levels", name, start, wideLevel)
					}
					for i, v := range got {
						if b.place[v] != int32(i) {
							t.Fatalf("%s, from %d: node %d has place %d, not %d", name, start, v, b.place[v], i)
						}
					}
				}
			}
		}
	}
}

// TestWideOrders: orders are those by sets of nodes also where threads share all levels of all parts.
func TestWideOrders(t *testing.T) {
	lowerWideLevel(t, 2)
	for name, g := range map[string]*export.Graph{"mesh": mesh(t, 40), "ring": graphtest.Ring(t, 500, 3),
		"scattered": scattered(t, 2000)} {
		if !slices.Equal(halvesByHand(g, All(g), 8), bisect(rows{g.Offsets, g.Targets}, 8)) {
			t.Errorf("%s: another order", name)
		}
	}
}
