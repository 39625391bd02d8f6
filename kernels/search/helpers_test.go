package search

import (
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
)

// edge is an input edge of a test graph.
type edge struct {
	from, to int32
	weight   float64
}

func build(t testing.TB, n int, directed bool, edges []edge) *export.Graph {
	t.Helper()
	links := make([]graphtest.Link, len(edges))
	for i, e := range edges {
		links[i] = graphtest.Link{From: e.from, To: e.to, Weight: e.weight}
	}
	return graphtest.Links(t, n, directed, true, links)
}

func path(n int) (edges []edge) {
	for i := int32(1); i < int32(n); i++ {
		edges = append(edges, edge{i - 1, i, 1})
	}
	return edges
}

func grid(side int) (edges []edge) {
	for v := range int32(side * side) {
		if int(v)%side+1 < side {
			edges = append(edges, edge{v, v + 1, 1})
		}
		if int(v)+side < side*side {
			edges = append(edges, edge{v, v + int32(side), 1})
		}
	}
	return edges
}

// within says whether got is want to a relative tolerance; 0 only equals what is below any score.
func within(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(math.Abs(want), math.Abs(got))
}
