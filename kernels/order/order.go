// Package order puts nodes and sources into orders, on the host alone: nodes whose rows should lie side by side, and
// sources that should be searched from in one batch, because their searches meet the same nodes at about the same time.
// See docs/design/batches-by-hops.md and docs/design/batches-by-weights.md.
package order

import (
	"slices"

	"github.com/linchpin-graph/linchpin/export"
)

// All lists the nodes of a graph by their numbers.
func All(g *export.Graph) []int32 { return upTo(g.N()) }

// upTo lists the numbers under n.
func upTo(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// OrAll returns the sources, or all nodes where they are nil.
func OrAll(g *export.Graph, sources []int32) []int32 {
	if sources == nil {
		return All(g)
	}
	return sources
}

// Arrange returns the sources of a graph of n nodes in an order, which may be of these alone. A source that is listed
// twice is there twice.
func Arrange(sources, order []int32, n int) []int32 {
	if len(sources) == len(order) && (len(order) == 0 || &sources[0] == &order[0]) {
		return slices.Clone(order)
	}
	wanted := make([]int32, n)
	for _, v := range sources {
		wanted[v]++
	}
	out := make([]int32, 0, len(sources))
	for _, v := range order {
		for range wanted[v] {
			out = append(out, v)
		}
	}
	return out
}

// Sum is a check sum of a list of nodes.
func Sum(nodes []int32) uint64 {
	sum := uint64(len(nodes))
	for _, v := range nodes {
		sum = (sum ^ uint64(uint32(v))) * 0x9e3779b97f4a7c15
		sum ^= sum >> 29
	}
	return sum
}

// ByDegree returns the nodes by falling number of arcs that leave them, those of the same number as they come.
func ByDegree(g *export.Graph) []int32 { return byDegree(rows{g.Offsets, g.Targets}) }

// ByHops returns the order in which the nodes of a graph lie for batches of so many lanes by hops. Of a shallow graph
// it is that of falling degree where there are fewer sources than ballsFrom, or else that of their numbers where these
// are as good, and ends are Ends nodes by the distances to which sources make batches; see Alike.
func ByHops(g *export.Graph, sources []int32, d Depth, lanes int64, ballsFrom int) (nodes, ends []int32) {
	if d.Deep {
		return Nodes(g, true, d.End, lanes), nil
	}
	degrees := ByDegree(g)
	switch ends = endsOf(degrees); {
	case len(sources) < ballsFrom:
		return degrees, ends
	case AreLocal(Locality(g, 0, lookedRows, Sector)):
		return All(g), ends
	}
	return Nodes(g, false, 0, lanes), ends
}
