package search

import (
	"math"
	"sort"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// Within is Of with searches that follow no path longer than a limit, in the unit of the weights. They find the nodes whose
// Distance is at most the limit, and what they cost is in proportion to the rows of these. A limit of 0 is none.
func Within(g *export.Graph, l lengths.Lengths, limit float64) Maker {
	if limit == 0 {
		return Of(g, l)
	}
	limit /= math.Pow10(l.Shift()) // searches measure in units of that
	switch l := l.(type) {
	case *lengths.Ticks:
		in := inTicks(l)
		in.limit = ticksWithin(l.Unit, limit)
		return bucketMaker(g, in)
	case *lengths.WideTicks:
		return func(keep bool, stop *stopper.Stopper) Search {
			s := newWideSearch(g, l, keep, stop)
			s.limit = limit
			return s
		}
	case *lengths.Reals:
		in := inReals(l)
		in.limit = limit
		return bucketMaker(g, in)
	}
	hops := int32(min(limit, math.MaxInt32))
	return func(keep bool, stop *stopper.Stopper) Search {
		b := NewBFS(g, keep, stop)
		b.Limit = hops
		return b
	}
}

// longestTicks is longer than any path in ticks.
const longestTicks = 1 << 62

// ticksWithin returns the most ticks whose length is at most the limit.
func ticksWithin(unit lengths.Unit, limit float64) int64 {
	return int64(sort.Search(longestTicks, func(ticks int) bool { return unit.Of(float64(ticks)) > limit })) - 1
}
