package communities

import (
	"container/heap"
	"slices"

	"github.com/linchpin-graph/linchpin/internal/stopper"
)

// cutter holds what is left of a graph while its edges are cut.
type cutter struct {
	scale   scale
	workers []*worker
	at      [][]seat // by node of the graph: the blocks that it is in
	queue   queue
	lengths edgeLengths
	free    int64 // bytes for rows that are left
	stop    *stopper.Stopper
	local   []int32 // scratch, by node of the piece at hand
	groups  int
	wide    bool // a block has more than mostHops nodes
	// affected is scratch of update.
	affected []through
}

// through is a source with a shortest path along an edge, from its near end to its far end.
type through struct{ source, near, far int32 }

// seat is a node's place in a block.
type seat struct {
	block *block
	local int32
}

// newCutter finds the blocks of a graph, and their scores. Rows take at most so many bytes.
func newCutter(whole *piece, s scale, threads int, lengths edgeLengths, bytes int64, stop *stopper.Stopper) *cutter {
	c := &cutter{
		at: make([][]seat, len(whole.node)), local: make([]int32, len(whole.node)),
		lengths: lengths, free: bytes, stop: stop, scale: s, groups: len(whole.node),
	}
	for range threads {
		c.workers = append(c.workers, &worker{unit: s.unit})
	}
	for _, f := range decompose(whole, whole.node) {
		c.groups -= len(f.nodes) - 1 // blocks and nodes form a forest
		c.add(whole, f)
	}
	return c
}

// add makes a block of what was found in a piece, and scores its edges.
func (c *cutter) add(in *piece, f found) {
	b := c.newBlock(in, f)
	for v, whole := range b.node {
		c.at[whole] = append(c.at[whole], seat{b, int32(v)})
	}
	if b.isBridge() {
		c.scoreBridge(b)
	} else {
		c.fill(b)
	}
	b.choose(c.scale)
	heap.Push(&c.queue, b)
}

// fill searches from all nodes of a block, keeps their rows if these fit, and scores the edges.
func (c *cutter) fill(b *block) {
	if _, hops := c.lengths.(inHops); hops && len(b.node) > mostHops {
		c.wide = true
		return
	}
	if b.rows == nil || !b.rows.stored() {
		need := c.lengths.rowBytes() * int64(len(b.node)) * int64(len(b.node))
		if need <= c.free {
			c.free -= need
			b.bytes = need
		}
		b.rows = c.lengths.newRows(b, b.bytes > 0)
	}
	clear(b.sums)
	c.overSources(b, len(b.alive), func(w *worker, i int) { b.rows.fill(b, w, b.alive[i]) })
}

// forget takes a block out of the queue and off its nodes.
func (c *cutter) forget(b *block) {
	c.leave(b, b.alive)
	heap.Remove(&c.queue, b.at)
	c.free += b.bytes
}

func (c *cutter) newBlock(in *piece, f found) *block {
	b := &block{left: len(f.edges), sums: make([]int64, len(f.edges)), gone: make([]bool, len(f.edges))}
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
	for e := range b.edges {
		if !b.gone[e] {
			b.sums[e] = 2 * b.mass[b.alive[0]] * b.mass[b.alive[1]] * int64(c.scale.unit)
		}
	}
}

// rescored puts a block where it belongs in the queue, after its sums have changed.
func (c *cutter) rescored(b *block) {
	b.choose(c.scale)
	heap.Fix(&c.queue, b.at)
}

// cut cuts the edge of the highest score.
func (c *cutter) cut() Cut {
	b := c.queue[0]
	e := b.best
	out := Cut{Edge: b.edges[e].whole, Score: c.scale.score(b.sums[e])}
	if b.isBridge() {
		c.split(b, e)
	} else {
		c.thin(b, e)
	}
	out.Groups = c.groups
	return out
}

// thin cuts an edge of a block of several edges.
func (c *cutter) thin(b *block, e int32) {
	ends := b.edges[e]
	b.drop(e)
	parts := decompose(&b.piece, []int32{ends.from})
	most := 0
	for i, f := range parts {
		if len(f.nodes) > len(parts[most].nodes) {
			most = i
		}
	}
	switch {
	case len(parts) == 1 && b.rows.stored():
		c.update(b, b.alive, ends, e)
		c.rescored(b)
	case len(parts) == 1:
		c.fill(b)
		c.rescored(b)
	case b.rows.stored() && c.shrinks(b, parts[most]):
		c.shrink(b, parts[most], ends, e)
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

// shrinks reports whether a block is to keep its rows for a part that a cut has left of it: if few nodes leave, and its memory is
// not mostly of nodes that have left.
func (c *cutter) shrinks(b *block, to found) bool {
	return 3*len(to.nodes) >= 2*len(b.alive) && 2*len(to.nodes) >= len(b.node)
}

// update brings the rows of sources up to date after an edge was cut: those with a shortest path along it.
func (c *cutter) update(b *block, sources []int32, ends edge, e int32) {
	// All are found before one row changes, for what is looked at are rows of other sources.
	c.affected = c.affected[:0]
	for _, s := range sources {
		if near, far, ok := b.rows.affected(s, ends.from, ends.to, e); ok {
			c.affected = append(c.affected, through{s, near, far})
		}
	}
	c.overSources(b, len(c.affected), func(w *worker, i int) {
		at := c.affected[i]
		b.rows.cut(b, w, at.source, at.near, at.far)
	})
}

// leave takes nodes of a block off the list of those in it.
func (c *cutter) leave(b *block, nodes []int32) {
	for _, v := range nodes {
		whole := b.node[v]
		c.at[whole] = slices.DeleteFunc(c.at[whole], func(s seat) bool { return s.block == b })
	}
}
