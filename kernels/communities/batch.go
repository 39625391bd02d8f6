package communities

import (
	"cmp"
	"slices"

	"github.com/linchpin-graph/linchpin/internal/disjoint"
)

// fewInBatch is the number of edges of a batch that take less time one after another than all scores of the component take again.
const fewInBatch = 16

// candidate is an edge that may be cut: its ends and its number in the graph, its score, and what that is compared by.
type candidate struct {
	edge
	sum, rank int64
}

// atOnce returns how many edges of a component of so many are cut between two updates.
func (c *cutter) atOnce(edges int) int { return max(1, int(c.batch*float64(edges))) }

// cutBatch cuts a share of the edges of the component that has the highest score of all: those of its highest scores, as they are before
// the first cut. It ends early with the cut that leaves most groups, unless that is 0. A few edges are cut one by one. After more the blocks
// of the component are made again, with the same scores.
func (c *cutter) cutBatch(most int) []Cut {
	if c.batch == 0 {
		return []Cut{c.cut()}
	}
	top, edges, stored := c.queue[0], 0, true
	blocks := c.reach(top.node[top.alive[0]]).gates
	for _, s := range blocks {
		edges += s.block.left
		stored = stored && (s.block.isBridge() || s.block.shrinks)
	}
	count := c.atOnce(edges)
	switch {
	case count == 1:
		return []Cut{c.cut()}
	case count <= c.few && stored:
		return c.cutEach(c.candidates(blocks)[:count], most)
	}
	return c.cutTogether(blocks, count, most)
}

// candidates returns the edges of blocks, those of higher ranks first; of those that tie the one of the least number.
func (c *cutter) candidates(blocks []seat) []candidate {
	var all []candidate
	for _, s := range blocks {
		b, sums := s.block, s.block.sums
		if b.scores != nil {
			sums = b.scores.Sums()
		}
		for e, x := range b.edges {
			if !b.gone[e] {
				all = append(all, candidate{edge{b.node[x.from], b.node[x.to], x.whole}, sums[e], c.scale.rank(sums[e])})
			}
		}
	}
	slices.SortFunc(all, func(x, y candidate) int { return cmp.Or(cmp.Compare(y.rank, x.rank), cmp.Compare(x.whole, y.whole)) })
	return all
}

// cutEach cuts edges one after another.
func (c *cutter) cutEach(chosen []candidate, most int) (cuts []Cut) {
	for i, x := range chosen {
		c.remove(c.blockOf(x.edge))
		cuts = append(cuts, Cut{Edge: x.whole, Score: c.scale.score(x.sum), Groups: c.groups, Left: len(chosen) - i - 1})
		if c.groups == most {
			break
		}
	}
	return cuts
}

// blockOf returns the block that an edge of the graph is in, and its number there.
func (c *cutter) blockOf(x edge) (b *block, e int32) {
	for _, s := range c.at[x.from] {
		if slices.ContainsFunc(c.at[x.to], func(t seat) bool { return t.block == s.block }) {
			at, _ := slices.BinarySearchFunc(s.block.edges, x.whole, func(e edge, whole int32) int { return cmp.Compare(e.whole, whole) })
			return s.block, int32(at)
		}
	}
	panic("communities: an edge that is left is in no block")
}

// cutTogether cuts so many edges of a component, of which it then makes all blocks again.
func (c *cutter) cutTogether(blocks []seat, count, most int) []Cut {
	all, in := c.candidates(blocks), c.emptied(blocks)
	u := disjoint.New(len(in.node))
	for _, x := range all[count:] {
		u.Join(c.local[x.from], c.local[x.to])
	}
	cuts, others := make([]Cut, count), c.groups-1
	for i := count - 1; i >= 0; i-- {
		x := all[i]
		cuts[i] = Cut{Edge: x.whole, Score: c.scale.score(x.sum), Groups: others + u.Count, Left: count - i - 1}
		u.Join(c.local[x.from], c.local[x.to])
	}
	if i := slices.IndexFunc(cuts, func(x Cut) bool { return x.Groups == most }); i >= 0 {
		cuts = cuts[:i+1]
	}
	for _, x := range all[len(cuts):] {
		in.edges = append(in.edges, edge{c.local[x.from], c.local[x.to], x.whole})
	}
	in.row = rowsOf(len(in.node), in.edges)
	c.groups += len(in.node) - 1
	c.addAll(in)
	return cuts
}

// emptied takes the blocks of a component apart, and returns its nodes. Their numbers among these are in c.local.
func (c *cutter) emptied(blocks []seat) *piece {
	in := &piece{}
	for _, s := range blocks {
		for _, v := range s.block.alive {
			in.node = append(in.node, s.block.node[v])
		}
	}
	slices.Sort(in.node)
	in.node = slices.Compact(in.node)
	for i, v := range in.node {
		in.mass, c.local[v] = append(in.mass, 1), int32(i)
	}
	for _, s := range blocks {
		c.forget(s.block)
	}
	return in
}
