package samples

import (
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/check"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// hubs is a graph whose nodes have very unlike scores: stars whose middles are joined in a line.
func hubs(t testing.TB, stars, leaves int) *export.Graph {
	var links []graphtest.Link
	for s := range int32(stars) {
		if s > 0 {
			links = append(links, graphtest.Link{From: s - 1, To: s, Weight: 1})
		}
		for l := range int32(leaves) {
			links = append(links, graphtest.Link{From: s, To: int32(stars) + s*int32(leaves) + l, Weight: 1})
		}
	}
	return graphtest.Links(t, stars*(leaves+1), false, true, links)
}

// exactly computes the scores, and verifies what a run would.
func exactly(t testing.TB, g *export.Graph, r kernels.Request) *kernels.Scores {
	t.Helper()
	m, _ := kernels.Lookup("betweenness")
	s, err := cpu.Compute(t.Context(), m, g, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Scores(m, g, r, s); err != nil {
		t.Fatal(err)
	}
	return s
}

func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d scores, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !within(got[i], want[i], 1e-9) {
			t.Fatalf("%s %d: %v, want %v", what, i, got[i], want[i])
		}
	}
}

// within says whether got is want to a relative tolerance; 0 only equals what is below any score.
func within(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(math.Abs(want), math.Abs(got))
}

// ordered is how many ordered pairs count as one.
func ordered(g *export.Graph) float64 {
	if g.Directed {
		return 1
	}
	return 2
}
