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
	stop := stopper.New(context.Background())
	defer stop.Release()
	l := inTicks(&lengths.Ticks{Arc: arc, Unit: lengths.Unit{Mul: 1, Div: 1, Div2: 1}})
	l.firstWidth() // for a search or two, a better one is not worth looking for
	d := newRingSearch(g, l, false, stop)
	seen := make([]bool, g.N())
	var longest int64
	for v := range int32(g.N()) {
		if seen[v] || d.From(v) != nil { // a search fails when it is stopped, or a length overflows: neither happens here
			continue
		}
		for _, u := range d.Order {
			seen[u] = true
		}
		longest = max(longest, 2*d.dist[d.Order[len(d.Order)-1]])
	}
	return longest
}
