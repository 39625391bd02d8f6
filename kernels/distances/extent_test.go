package distances

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/internal/oracle"
)

// farthest is the greatest distance of any two nodes, by brute force.
func farthest(g *export.Graph, weighted bool) (most float64) {
	o := oracle.Of(g, weighted)
	for s := range g.N() {
		for _, d := range o.From(s).Distance {
			most = max(most, d)
		}
	}
	return most
}

// checkAllWithin compares what AllWithin says of some ranges with brute force. It may not be sure of ranges of up to so
// many times the diameter, and must be of those beyond.
func checkAllWithin(t *testing.T, at string, g *export.Graph, weighted bool, unsure float64) {
	t.Helper()
	most := farthest(g, weighted)
	for _, by := range []float64{0.1, 0.5, 0.9, 1 - 1e-6, 1 - 1e-12, 1, 1 + 1e-6, 1.3, 2, 2.1, 1e6} {
		limit := max(most, 0.3) * by
		switch sure := AllWithin(t.Context(), g, weighted, 0, limit); {
		case sure && most > limit:
			t.Errorf("%s: all within %v, and two nodes are %v apart", at, limit, most)
		case !sure && limit > unsure*max(most, 0.1):
			t.Errorf("%s: not sure that all are within %v, and no two nodes are farther apart than %v", at, limit, most)
		}
	}
}

// TestAllWithin: no range is said to hold all that does not, on random graphs by hops and by weights. Any of twice the
// diameter of an undirected graph holds all, and so does any that is longer than all arcs.
func TestAllWithin(t *testing.T) {
	for i := range 400 {
		random := rand.New(rand.NewPCG(uint64(i), 63))
		directed, weighted := i%2 == 0, i%3 == 0
		g := graphtest.Random(t, random, 1+random.IntN(24), directed, i%5 == 0, true)
		unsure := 2 + 1e-9
		if directed { // one that is not strongly connected
			unsure = float64(g.N()) * 10
		}
		checkAllWithin(t, fmt.Sprintf("graph %d (n %d, m %d)", i, g.N(), g.M()), g, weighted, unsure)
	}
}

// TestAllWithinInDeepGraphs: ranges from a little more than the diameter on are told to hold all, in trees, of which
// some have more edges.
func TestAllWithinInDeepGraphs(t *testing.T) {
	for i := range 150 {
		random := rand.New(rand.NewPCG(uint64(i), 64))
		n, weighted := int32(2+random.IntN(80)), i%2 == 0
		var links []graphtest.Link
		for v := int32(1); v < n; v++ {
			links = append(links, graphtest.Link{From: max(0, v-1-random.Int32N(3)), To: v,
				Weight: float64(1+random.IntN(9)) / 10})
		}
		// of an edge, which has no node in its middle
		unsure := 1 + 1/max(0.1, farthest(graphtest.Links(t, int(n), false, true, links), weighted))
		for range i % 3 {
			links, unsure = append(links, graphtest.Link{From: random.Int32N(n), To: random.Int32N(n), Weight: 0.7}), 2+1e-9
		}
		checkAllWithin(t, fmt.Sprintf("tree %d of %d nodes, %d edges", i, n, len(links)),
			graphtest.Links(t, int(n), false, true, links), weighted, unsure)
	}
}

// TestAllWithinOfWeights: weights of all kinds, some of which no float64 adds up.
func TestAllWithinOfWeights(t *testing.T) {
	for i := range oracle.WeighedGraphs {
		kind, drawn := oracle.Weighed(i)
		var links []graphtest.Link
		for _, e := range drawn.Edges {
			links = append(links, graphtest.Link{From: int32(e.From), To: int32(e.To), Weight: e.Weight})
		}
		g := graphtest.Links(t, drawn.N, drawn.Directed, true, links)
		if len(links) > 0 {
			checkAllWithin(t, fmt.Sprintf("graph %d, %s", i, kind), g, true, math.Inf(1))
		}
	}
}

// TestAllWithinFromTheMiddle: ranges little longer than the diameter are told to hold all, though the first node lies
// at an end.
func TestAllWithinFromTheMiddle(t *testing.T) {
	both := graphtest.GridLinks(21)
	for _, link := range both {
		both = append(both, graphtest.Link{From: link.To, To: link.From})
	}
	for _, c := range []struct {
		name  string
		g     *export.Graph
		limit float64
		want  bool
	}{
		{"a path", graphtest.Links(t, 101, false, false, path(101)), 100, true},
		{"a path, too long by one", graphtest.Links(t, 101, false, false, path(101)), 99, false},
		{"a grid", graphtest.Grid(t, 21, false), 40, true},
		{"a grid, too long by one", graphtest.Grid(t, 21, false), 39.9, false},
		{"a ring", graphtest.Ring(t, 60, 0), 59, true},
		{"a ring, not surely", graphtest.Ring(t, 60, 0), 58, false}, // it is 30 from any node
		{"two stars", graphtest.Stars(t, 40), 2, true},
		{"two stars, from their hubs", graphtest.Stars(t, 40), 1.9, false},
		{"a path and a short one",
			graphtest.Links(t, 150, false, false, append(path(101), graphtest.Link{From: 120, To: 121})), 100, true},
		{"an edge, too long", graphtest.Links(t, 3, false, false, path(3)[1:]), 0.5, false},
		{"nodes alone", graphtest.Links(t, 9, false, false, nil), 0.5, true},
		{"a grid both ways", graphtest.Links(t, 441, true, false, both), 80, true}, // 40 from a corner, and 40 to it
		{"a grid both ways, not surely", graphtest.Links(t, 441, true, false, both), 79, false},
		{"a directed path", graphtest.Links(t, 101, true, false, path(101)), 99, false},
	} {
		if got := AllWithin(t.Context(), c.g, false, 0, c.limit); got != c.want {
			t.Errorf("%s within %v: %t", c.name, c.limit, got)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if AllWithin(ended, graphtest.Grid(t, 21, false), false, 0, 40) {
		t.Error("sure of what nobody waits for")
	}
}

// TestAllWithinAtTheBoundary: three steps of 0.1 are just 0.3 long, and longer in float64.
func TestAllWithinAtTheBoundary(t *testing.T) {
	var links []graphtest.Link
	for i := range int32(3) {
		links = append(links, graphtest.Link{From: i, To: i + 1, Weight: 0.1})
	}
	g := graphtest.Links(t, 4, false, true, links)
	for limit, want := range map[float64]bool{0.29: false, 0.3: false, 0.31: true, 0.5: true} {
		if got := AllWithin(t.Context(), g, true, 0, limit); got != want {
			t.Errorf("within %v: %t", limit, got)
		}
	}
}
