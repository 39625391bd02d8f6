package search

import (
	"math"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/stopper"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// Within is Of with searches that follow no path longer than a limit, in the unit of the weights. They find the nodes
// whose Distance is at most the limit, and what they cost is in proportion to the rows of these. A limit of 0 is none.
func Within(g *export.Graph, l lengths.Lengths, limit float64) Maker {
	if limit == 0 {
		return Of(g, l)
	}
	limit /= math.Pow10(l.Shift()) // searches measure in units of that
	switch l := l.(type) {
	case *lengths.Ticks:
		in := inTicks(l)
		in.limit = l.Unit.Within(limit)
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
