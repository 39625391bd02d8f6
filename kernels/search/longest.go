package search

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// LongestTicks bounds the length of every shortest path of an undirected graph whose arcs have so many ticks: twice
// that of the longest from some node of the same component.
func LongestTicks(g *export.Graph, arc []int64) int64 {
	return longest(g, inTicks(&lengths.Ticks{Arc: arc, Unit: lengths.Unit{Mul: 1, Div: 1, Div2: 1}}))
}

// LongestReal is LongestTicks for arcs of any length, but for rounding. It is infinite where an arc is lost next to the length
// of a path.
func LongestReal(g *export.Graph, arc []float64) float64 {
	return longest(g, inReals(lengths.NewReals(arc, 0, 0)))
}

func longest[D length](g *export.Graph, l *arcLengths[D]) D {
	stop := stopper.New(context.Background())
	defer stop.Release()
	l.firstWidth() // for a search or two, a better one is not worth looking for
	d := newRingSearch(g, l, false, stop)
	seen := make([]bool, g.N())
	var longest D
	for v := range int32(g.N()) {
		if seen[v] {
			continue
		}
		if d.From(v) != nil { // nobody stops it
			return l.far
		}
		for _, u := range d.Order {
			seen[u] = true
		}
		longest = max(longest, 2*d.dist[d.Order[len(d.Order)-1]])
	}
	return longest
}
