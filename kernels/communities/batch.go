package communities

import (
	"cmp"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/internal/disjoint"
)

// candidate is an edge that may be cut: its ends and its number in the graph, its score, and what that is compared by.
type candidate struct {
	edge
	sum, rank int64
}

// cutBatch cuts a share of the edges of the component that has the highest score of all: those of its highest scores,
// as they are before the first cut. It ends early with the cut that leaves most groups, unless that is 0. Edges are cut
// one by one for as long as that takes less time than all scores of the component took. The others are cut together,
// and its blocks are made again, with the same scores.
func (c *cutter) cutBatch(most int) []Cut {
	if c.batch == 0 {
		return []Cut{c.cut()}
	}
	top := c.queue[0]
	blocks, edges := c.reach(top.node[top.alive[0]]).gates, 0
	for _, s := range blocks {
		edges += s.block.left
	}
	count := max(1, int(c.batch*float64(edges)))
	if count == 1 {
		return []Cut{c.cut()}
	}
	all, nodes := c.candidates(blocks), nodesOf(blocks)
	cuts := c.cutEach(all[:count], blocks, most)
	if made := len(cuts); made < count && (made == 0 || c.groups != most) {
		cuts = append(cuts, c.cutTogether(nodes, all[made:], count-made, most)...)
	}
	return cuts
}

// isSlow predicts that a batch takes longer edge by edge than all scores took.
func isSlow(spent, filled time.Duration, made, count int) bool {
	return float64(spent)*float64(count) > float64(filled)*float64(made)
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
	slices.SortFunc(all, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.rank, x.rank), cmp.Compare(x.whole, y.whole))
	})
	return all
}

// cutEach cuts edges of a component with these blocks one after another, until the others are better cut together.
func (c *cutter) cutEach(chosen []candidate, blocks []seat, most int) (cuts []Cut) {
	filled := time.Duration(0)
	for _, s := range blocks {
		if b := s.block; !b.isBridge() && !b.shrinks {
			return nil // every cut computes all scores of the block
		}
		filled += s.block.filled
	}
	start := time.Now()
	for i, x := range chosen {
		if i > 0 && c.together(time.Since(start), filled, i, len(chosen)) {
			break
		}
		c.remove(c.blockOf(x.edge))
		cuts = append(cuts, c.cutOf(x, c.groups, len(chosen)-i-1))
		if c.groups == most {
			break
		}
	}
	return cuts
}

func (c *cutter) cutOf(x candidate, groups, left int) Cut {
	return Cut{Edge: x.whole, Score: c.scale.score(x.sum), Groups: groups, Left: left}
}

// blockOf returns the block that an edge of the graph is in, and its number there.
func (c *cutter) blockOf(x edge) (b *block, e int32) {
	for _, s := range c.at[x.from] {
		if slices.ContainsFunc(c.at[x.to], func(t seat) bool { return t.block == s.block }) {
			at, _ := slices.BinarySearchFunc(s.block.edges, x.whole, func(e edge, whole int32) int {
				return cmp.Compare(e.whole, whole)
			})
			return s.block, int32(at)
		}
	}
	panic("communities: an edge that is left is in no block")
}

// cutTogether cuts the first so many edges of all that some nodes have, and makes all blocks of these nodes again.
func (c *cutter) cutTogether(nodes []int32, all []candidate, count, most int) []Cut {
	in := c.takeApart(nodes)
	u := disjoint.New(len(nodes))
	for _, x := range all[count:] {
		u.Join(c.local[x.from], c.local[x.to])
	}
	cuts := make([]Cut, count)
	for i := count - 1; i >= 0; i-- {
		x := all[i]
		cuts[i] = c.cutOf(x, u.Count, count-i-1)
		u.Join(c.local[x.from], c.local[x.to])
	}
	for i := range cuts {
		cuts[i].Groups += c.groups - u.Count // those of other nodes
	}
	if i := slices.IndexFunc(cuts, func(x Cut) bool { return x.Groups == most }); i >= 0 {
		cuts = cuts[:i+1]
	}
	for _, x := range all[len(cuts):] {
		in.edges = append(in.edges, edge{c.local[x.from], c.local[x.to], x.whole})
	}
	in.row = rowsOf(len(nodes), in.edges)
	c.groups += len(nodes) - u.Count
	c.addAll(in)
	return cuts
}

// nodesOf returns the nodes of the graph that blocks have, ascending.
func nodesOf(blocks []seat) (nodes []int32) {
	for _, s := range blocks {
		for _, v := range s.block.alive {
			nodes = append(nodes, s.block.node[v])
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// takeApart takes the blocks of some nodes out of the clustering, and returns a piece of these nodes without edges.
// Their numbers there are in c.local.
func (c *cutter) takeApart(nodes []int32) *piece {
	in := &piece{node: nodes, mass: make([]int64, len(nodes))}
	for i, v := range nodes {
		in.mass[i], c.local[v] = 1, int32(i)
		for len(c.at[v]) > 0 {
			c.forget(c.at[v][0].block)
		}
	}
	return in
}
