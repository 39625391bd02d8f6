package kernels

import (
	"context"

	"github.com/linchpin-graph/linchpin/export"
)

// WholeTicks returns the weight of every arc as a whole number of ticks, such that no path passes 2^62; a length of t
// ticks is t * mul / div. ok is false where 64 bits do not hold the longest path, or where a
// tick is under 1e-300.
func WholeTicks(g *export.Graph) (arc []int64, mul, div float64, ok bool) {
	t, ok := newTicks(context.Background(), g)
	if !ok || t.wide || t.unit.div2 != 1 {
		return nil, 0, 0, false
	}
	n := narrow(t)
	return n.arc, n.unit.mul, n.unit.div, true
}
