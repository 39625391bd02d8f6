package traversal

import (
	"fmt"

	"github.com/linchpin-graph/linchpin/kernels/device"
)

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
		if r.eachAlone(len(left)); r.calls.Err != nil {
			return
		}
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
	for i, of := range r.job.Each() {
		values, words, m := of.Room(r.result.Left), device.WordBytes*int64(i), r.job.Host.M()
		r.calls.AddExact(of.Partial.Nodes, r.job.Host.N(), r.arrays.joinedNodes.At(r.graph.N*words), r.arrays.to,
			values.Nodes)
		r.calls.AddExact(of.Partial.Edges, m, r.arrays.joinedEdges.At(int64(m)*words), 0, values.Edges)
	}
}

// dependencySums joins dependencies to exact sums.
func (r *run) dependencySums() *blockSums {
	a, g, c, blocks := &r.arrays, r.graph, r.calls, r.layout.shape.blocks
	clearSums := func() {
		all := 8 * int64(blocks*r.layout.ranges)
		if a.nodes != 0 {
			c.Clear(a.nodes, g.N*all)
		}
		if a.edges != 0 {
			c.Clear(a.edges, g.Arcs*all)
		}
	}
	return &blockSums{
		clear: clearSums,
		discard: func() {
			clearSums()
			r.clearTotals()
		},
		join: func(int, int) {
			for i, of := range r.job.Each() {
				before, words := 8*int64(i*blocks), device.WordBytes*int64(i)
				if a.nodes != 0 {
					c.AddBlocks(a.nodes.At(g.N*before), g.N, blocks, of.Partial.Scale(), a.joinedNodes.At(g.N*words))
				}
				if a.edges != 0 {
					c.AddArcs(a.edges.At(g.Arcs*before), g, blocks, of.Partial.Scale(), a.joinedEdges.At(int64(r.job.Host.M())*words))
				}
			}
		},
	}
}
