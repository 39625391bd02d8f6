package lengths

import (
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
