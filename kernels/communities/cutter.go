package communities

import (
	"container/heap"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// cutter holds what is left of a graph while its edges are cut.
type cutter struct {
	scale   scale
	workers []*worker
	at      [][]seat // by node of the graph: the blocks that it is in
	queue   queue
	lengths edgeLengths
	device  Device  // nil for none
	batch   float64 // see Options.Batch
	free    int64   // bytes for rows that are left
	stop    *stopper.Stopper
	local   []int32 // scratch, by node of the piece at hand
	groups  int
	wide    bool // a block has more than mostHops nodes
	// together reports, after some cuts of a batch of so many edges, whether the others are to be cut at once: see
	// cutBatch. Tests set it.
	together func(spent, filled time.Duration, made, count int) bool
	// affected is scratch of onHost.Cut.
	affected []through
}

// through is a source with a shortest path along an edge, from its near end to its far end.
type through struct{ source, near, far int32 }

// seat is a node's place in a block.
type seat struct {
	block *block
	local int32
}

// newCutter finds the blocks of a graph, and their scores. Rows take at most so many bytes of the host.
func newCutter(
	whole *piece, s scale, threads int, lengths edgeLengths, bytes int64, stop *stopper.Stopper, d Device, batch float64,
) *cutter {
	c := &cutter{
		at: make([][]seat, len(whole.node)), local: make([]int32, len(whole.node)), device: d,
		lengths: lengths, free: bytes, stop: stop, scale: s, groups: len(whole.node), batch: batch, together: isSlow,
	}
	for range threads {
		c.workers = append(c.workers, &worker{unit: s.unit})
	}
	c.addAll(whole)
	return c
}

// addAll makes blocks of a piece, whose nodes have been counted as groups.
func (c *cutter) addAll(in *piece) {
	roots := make([]int32, len(in.node))
	for v := range roots {
		roots[v] = int32(v)
	}
	for _, f := range decompose(in, roots) {
		c.groups -= len(f.nodes) - 1 // blocks and nodes form a forest
		c.add(in, f)
	}
}

// add makes a block of what was found in a piece, and scores its edges.
func (c *cutter) add(in *piece, f found) {
	b := c.newBlock(in, f)
	for v, whole := range b.node {
		c.at[whole] = append(c.at[whole], seat{b, int32(v)})
	}
	start := time.Now()
	if b.isBridge() {
		c.scoreBridge(b)
	} else {
		c.keep(b)
	}
	c.choose(b)
	b.filled = time.Since(start)
	heap.Push(&c.queue, b)
}

// keep has the scores of a block kept, on the device where it takes them, and computes them.
func (c *cutter) keep(b *block) {
	if _, hops := c.lengths.(inHops); hops && len(b.node) > mostHops {
		c.wide = true
		return
	}
	if c.device != nil {
		if b.scores = c.device.Keep(b.flat(c.scale)); b.scores != nil {
			b.shrinks = true
		}
	}
	if b.scores == nil {
		c.keepOnHost(b)
	}
	b.scores.Fill()
}

// keepOnHost has the scores of a block kept in rows, which are stored if they fit.
func (c *cutter) keepOnHost(b *block) {
	need := c.lengths.rowBytes() * int64(len(b.node)) * int64(len(b.node))
	if need <= c.free {
		c.free -= need
		b.bytes, b.shrinks = need, true
	}
	b.sums = make([]int64, len(b.edges))
	b.scores = &onHost{c, b, c.lengths.newRows(b, b.shrinks)}
}

// choose finds the edge of a block that is cut next.
func (c *cutter) choose(b *block) {
	b.best, b.rank, b.sum = 0, -1, 0
	if b.scores != nil {
		b.best, b.sum = b.scores.Best()
	} else {
		b.best, b.sum = b.bestOf(c.scale)
	}
	b.rank = c.scale.rank(b.sum)
}

// forget takes a block out of the queue and off its nodes.
func (c *cutter) forget(b *block) {
	c.leave(b, b.alive)
	heap.Remove(&c.queue, b.at)
	c.free += b.bytes
	if b.scores != nil {
		b.scores.Free()
	}
}

func (c *cutter) newBlock(in *piece, f found) *block {
	b := &block{left: len(f.edges), gone: make([]bool, len(f.edges))}
	order := make([]int, len(f.nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return int(f.nodes[i] - f.nodes[j]) })
	for i, k := range order {
		v := f.nodes[k]
		b.node, b.mass, b.alive = append(b.node, in.node[v]), append(b.mass, f.mass[k]), append(b.alive, int32(i))
		c.local[v] = int32(i)
	}
	for _, e := range f.edges {
		whole := in.edges[e]
		b.edges = append(b.edges, edge{c.local[whole.from], c.local[whole.to], whole.whole})
	}
	slices.SortFunc(b.edges, func(x, y edge) int { return int(x.whole - y.whole) })
	b.row = rowsOf(len(b.node), b.edges)
	return b
}

// rowsOf returns the arcs of each node, by target, then edge.
func rowsOf(n int, edges []edge) [][]arc {
	degree := make([]int, n)
	for _, e := range edges {
		degree[e.from]++
		degree[e.to]++
	}
	rows, all := make([][]arc, n), make([]arc, 2*len(edges))
	for v, d := range degree {
		rows[v], all = all[:0:d], all[d:]
	}
	for i, e := range edges {
		rows[e.from] = append(rows[e.from], arc{e.to, int32(i)})
		rows[e.to] = append(rows[e.to], arc{e.from, int32(i)})
	}
	for _, row := range rows {
		slices.SortFunc(row, func(a, b arc) int {
			if a.to != b.to {
				return int(a.to - b.to)
			}
			return int(a.edge - b.edge)
		})
	}
	return rows
}

// scoreBridge scores a block of one edge: every path between its sides passes it.
func (c *cutter) scoreBridge(b *block) {
	b.sums = []int64{2 * b.mass[0] * b.mass[1] * int64(c.scale.unit)}
}

// rescored puts a block where it belongs in the queue, after its sums have changed.
func (c *cutter) rescored(b *block) {
	c.choose(b)
	heap.Fix(&c.queue, b.at)
}

// cut cuts the edge of the highest score.
func (c *cutter) cut() Cut {
	b := c.queue[0]
	out := Cut{Edge: b.edges[b.best].whole, Score: c.scale.score(b.sum)}
	c.remove(b, b.best)
	out.Groups = c.groups
	return out
}

// remove takes an edge of a block out of the graph, and brings all scores up to date.
func (c *cutter) remove(b *block, e int32) {
	if b.isBridge() {
		c.split(b, e)
	} else {
		c.thin(b, e)
	}
}

// thin cuts an edge of a block of several edges.
func (c *cutter) thin(b *block, e int32) {
	ends := b.edges[e]
	b.drop(e)
	var parts []found
	whole := b.left > 1 && b.holds(ends.from, ends.to)
	if !whole {
		parts = decompose(&b.piece, []int32{ends.from})
		whole = len(parts) == 1 && b.left > 1
	}
	most := 0
	for i, f := range parts {
		if len(f.nodes) > len(parts[most].nodes) {
			most = i
		}
	}
	switch {
	case whole:
		b.scores.Drop(e)
		b.scores.Cut(b.alive, e)
		c.rescored(b)
	case c.shrinks(b, parts[most]):
		b.scores.Drop(e)
		c.shrink(b, parts[most], e)
		for i, f := range parts {
			if i != most {
				c.add(&b.piece, f)
			}
		}
	default:
		c.forget(b)
		for _, f := range parts {
			c.add(&b.piece, f)
		}
	}
}

// shrinks reports whether the scores of a block are to be kept for a part that a cut has left of it: if few nodes
// leave, and the memory is not mostly of nodes that have left. The device gives back what it would not take.
func (c *cutter) shrinks(b *block, to found) bool {
	if !b.shrinks || len(to.edges) == 1 || b.sums == nil && !c.device.Worth(len(to.nodes)) {
		return false
	}
	return 3*len(to.nodes) >= 2*len(b.alive) && 2*len(to.nodes) >= len(b.node)
}

// leave takes nodes of a block off the list of those in it.
func (c *cutter) leave(b *block, nodes []int32) {
	for _, v := range nodes {
		whole := b.node[v]
		c.at[whole] = slices.DeleteFunc(c.at[whole], func(s seat) bool { return s.block == b })
	}
}
