package traversal

import "fmt"

// dependencies computes betweenness: all sources in the narrowest numbers, and again in wider ones those whose counts
// do not fit them.
func (r *run) dependencies() {
	r.ready()
	sums, all := r.dependencySums(), r.passes()
	if r.job.Demand {
		sums = r.demandSums()
	}
	nodes, number := r.spread(r.sequence()), r.job.Pass
	for {
		left, next := r.passOver(number, all, nodes, sums)
		if next == 0 || len(left) == 0 || !r.job.Shard.Whole() {
			r.result.Left, r.result.Pass, r.result.Doubtful = left, next, r.metric.Unique
			break
		}
		if nodes, number = r.spread(left), next; !r.metric.Unique {
			r.note(fmt.Sprintf("%d sources counted again in %s numbers", len(left), all[next].width.name))
		}
	}
	if r.job.Demand {
		return
	}
	r.addTotals()
	values := r.job.Room(r.result.Left)
	r.calls.AddExact(r.job.Partial.Nodes, r.job.Host.N(), r.arrays.joinedNodes, r.arrays.to, values.Nodes)
	r.calls.AddExact(r.job.Partial.Edges, r.job.Host.M(), r.arrays.joinedEdges, 0, values.Edges)
}

// dependencySums joins dependencies to exact sums.
func (r *run) dependencySums() *blockSums {
	a, g, c, blocks := &r.arrays, r.graph, r.calls, r.layout.shape.blocks
	clearSums := func() {
		if a.nodes != 0 {
			c.Clear(a.nodes, 8*g.N*int64(blocks))
		}
		if a.edges != 0 {
			c.Clear(a.edges, 8*g.Arcs*int64(blocks))
		}
	}
	return &blockSums{
		clear: clearSums,
		discard: func() {
			clearSums()
			r.clearTotals()
		},
		join: func(int, int) {
			if a.nodes != 0 {
				c.AddBlocks(a.nodes, g.N, blocks, r.job.Partial.Scale(), a.joinedNodes)
			}
			if a.edges != 0 {
				c.AddArcs(a.edges, g, blocks, r.job.Partial.Scale(), a.joinedEdges)
			}
		},
	}
}
