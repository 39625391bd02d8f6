package graphtest

import (
	"testing"

	"github.com/linchpin-graph/linchpin/export"
)

// Link is an edge of a test graph.
type Link struct {
	From, To int32
	Weight   float64
}

// Links makes a graph of n nodes. Weights are left out unless weighted.
func Links(t testing.TB, n int, directed, weighted bool, links []Link) *export.Graph {
	t.Helper()
	var r export.Rels
	if weighted {
		r.Weights = []float64{}
	}
	for _, l := range links {
		r.Source, r.Target = append(r.Source, l.From), append(r.Target, l.To)
		if weighted {
			r.Weights = append(r.Weights, l.Weight)
		}
	}
	return Build(t, Orientation(directed), n, r)
}

// Grid is side by side.
func Grid(t testing.TB, side int32, weighted bool) *export.Graph {
	return Links(t, int(side*side), false, weighted, GridLinks(side))
}

// GridLinks are the edges of a grid, side by side, of weight 1.
func GridLinks(side int32) (links []Link) {
	for i := range side {
		for j := range side {
			if j+1 < side {
				links = append(links, Link{i*side + j, i*side + j + 1, 1})
			}
			if i+1 < side {
				links = append(links, Link{i*side + j, (i+1)*side + j, 1})
			}
		}
	}
	return links
}
