package communities

import (
	"container/heap"
	"slices"
	"time"
)

var spent time.Duration


// cutter holds what is left of a graph while its edges are cut.
type cutter struct {
	scale   scale
	workers []*worker
	at      [][]seat // by node of the graph: the blocks that it is in
	queue   queue
	newRows func(b *block) rows
	local   []int32 // scratch, by node of the piece at hand
	groups  int
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

// newCutter finds the blocks of a graph of single nodes' mass, and their scores.
func newCutter(whole *piece, threads int, newRows func(b *block) rows) *cutter {
	c := &cutter{at: make([][]seat, len(whole.node)), local: make([]int32, len(whole.node)), newRows: newRows}
	roots := make([]int32, len(whole.node))
	for v := range roots {
		roots[v] = int32(v)
	}
	found, largest := decompose(whole, roots), int64(1)
	for _, f := range found {
		total := int64(0)
		for _, m := range f.mass {
			total += m
		}
		largest = max(largest, total)
	}
	c.scale = scaleFor(int(largest))
	for range threads {
		c.workers = append(c.workers, &worker{unit: c.scale.unit})
	}
	c.groups = c.countGroups(whole, found)
	for _, f := range found {
		c.add(whole, f)
	}
	return c
}

// countGroups returns the number of components: blocks and nodes form a forest, so each block joins one less than its nodes.
func (c *cutter) countGroups(whole *piece, found []found) int {
	groups := len(whole.node)
	for _, f := range found {
		groups -= len(f.nodes) - 1
	}
	return groups
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
		b.rows = c.newRows(b)
		c.overSources(b, len(b.alive), func(w *worker, i int) { b.rows.fill(b, w, b.alive[i]) })
	}
	b.choose(c.scale)
	heap.Push(&c.queue, b)
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

// cut cuts the edge of the highest score. It returns the edge, by its number in the graph, and its score.
func (c *cutter) cut() (int32, float64) {
	b := c.queue[0]
	e := b.best
	whole, score := b.edges[e].whole, c.scale.score(b.sums[e])
	if b.isBridge() {
		c.split(b, e)
	} else {
		c.thin(b, e)
	}
	return whole, score
}

// thin cuts an edge of a block of several edges.
func (c *cutter) thin(b *block, e int32) {
	ends := b.edges[e]
	b.drop(e)
	begin := time.Now()
	parts := decompose(&b.piece, []int32{ends.from})
	spent += time.Since(begin)
	if len(parts) == 1 {
		c.update(b, b.alive, ends, e)
		c.rescored(b)
		return
	}
	most := 0
	for i, f := range parts {
		if len(f.nodes) > len(parts[most].nodes) {
			most = i
		}
	}
	if 3*len(parts[most].nodes) < 2*len(b.alive) {
		c.leave(b, b.alive)
		heap.Remove(&c.queue, b.at)
		for _, f := range parts {
			c.add(&b.piece, f)
		}
		return
	}
	c.shrink(b, parts[most], ends, e)
	for i, f := range parts {
		if i != most {
			c.add(&b.piece, f)
		}
	}
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
