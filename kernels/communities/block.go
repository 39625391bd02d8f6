package communities

import "time"

// arc leads to a node of its block, along an edge of its block.
type arc struct{ to, edge int32 }

// edge is an edge of a block: its ends, and its number in the graph.
type edge struct{ from, to, whole int32 }

// piece is a connected part of the graph whose nodes stand for others: mass[v] nodes are v or lie behind it.
type piece struct {
	node []int32 // what each is in the graph, ascending
	mass []int64
	// row has the arcs of each node, by target, then edge: whatever is added up along a row is added in this order.
	row   [][]arc
	edges []edge
}

// block is a biconnected block of what is left of the graph, or a single edge.
type block struct {
	piece
	alive []int32 // the nodes of the piece that are left, ascending; all of them until it shrinks
	// gone marks edges of the piece that have been cut or have left with other nodes.
	gone []bool
	left int     // edges that are not gone
	sums []int64 // by edge; nil where a device has them
	// scores keep the sums up to date; nil for a single edge. shrinks reports whether they can be kept for a part of the
	// block.
	scores  Scores
	shrinks bool
	// bytes are what rows of the host take.
	bytes int64
	// filled is how long the computation of all sums took.
	filled time.Duration
	// best is the edge that is cut next, sum that of it, and rank what it is chosen by.
	best int32
	sum  int64
	rank int64
	at   int // in the queue
}

// isBridge reports whether the block is a single edge.
func (b *block) isBridge() bool { return b.left == 1 }

// bestOf finds the edge of the highest rank, of those the one of the least number in the graph, and its sum.
func (b *block) bestOf(s scale) (best int32, sum int64) {
	best, rank := int32(-1), int64(-1)
	for e, x := range b.sums { // edges lie by their numbers in the graph
		if r := s.rank(x); r > rank && !b.gone[e] {
			best, rank = int32(e), r
		}
	}
	return best, b.sums[best]
}

// flat returns the block as a device takes it.
func (b *block) flat(s scale) Block {
	out := Block{Offsets: make([]int64, 1, len(b.row)+1), Masses: b.mass, Unit: s.unit, Shift: s.shift}
	for _, row := range b.row {
		for _, a := range row {
			out.Targets, out.Edges = append(out.Targets, a.to), append(out.Edges, a.edge)
		}
		out.Offsets = append(out.Offsets, int64(len(out.Targets)))
	}
	return out
}

// drop takes an edge out of the rows of its ends.
func (b *block) drop(e int32) {
	b.gone[e] = true
	b.left--
	for _, v := range []int32{b.edges[e].from, b.edges[e].to} {
		row := b.row[v]
		kept := row[:0]
		for _, a := range row {
			if a.edge != e {
				kept = append(kept, a)
			}
		}
		b.row[v] = kept
	}
}

// holds reports whether the block is sure to be one block after an edge of several was dropped: if its ends have
// another edge, or two neighbours in common, so that a cycle has both. It looks at their rows alone.
func (b *block) holds(u, v int32) bool {
	x, y, common := b.row[u], b.row[v], int32(-1)
	for len(x) > 0 && len(y) > 0 {
		switch to := x[0].to; {
		case to == v:
			return true
		case to < y[0].to:
			x = x[1:]
		case to > y[0].to:
			y = y[1:]
		case common >= 0 && common != to:
			return true
		default:
			common, x = to, x[1:]
		}
	}
	return false
}
