// Package lanes computes betweenness and stress on the CPU from up to 64 sources at a time. See
// docs/notes/027-lanes-on-a-cpu.md and docs/notes/039-distances-first-on-a-cpu.md.
package lanes

import (
	"math/bits"
	"slices"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// MaxLanes is the greatest number of sources of a batch.
const MaxLanes = 64

const (
	// From alikeFrom sources on batches of sources that are alike pay on shallow graphs, and from ballsFrom on balls of
	// neighbours as the order of nodes.
	alikeFrom, ballsFrom = 256, 1024
	// leastMemory bounds the rows of all threads, in bytes, unless threadMemory for each is more. Lanes become fewer
	// before a run takes more.
	leastMemory  = 1 << 30
	threadMemory = 1 << 28
)

// Batches are a graph and its sources in the orders in which they are searched.
type Batches struct {
	graph layout
	// Sources are in the order in which they make batches.
	Sources []int32
}

// In puts a graph and its sources in order for a way that is not Single. ids reports whether the numbers of edges are
// wanted.
func In(way Way, g *export.Graph, l lengths.Lengths, sources []int32, ids bool) *Batches {
	if way == Levels {
		return New(g, sources, ids)
	}
	return ByDistance(g, l, sources, ids)
}

// New puts a graph and its sources in order. ids reports whether the numbers of edges are wanted.
func New(g *export.Graph, sources []int32, ids bool) *Batches {
	nodes, turns := inOrder(g, sources, order.DepthOf(g))
	return &Batches{newLayout(g, nodes, nil, ids), turns}
}

// inOrder returns the order of the nodes for searches by hops, and that in which the sources make batches.
func inOrder(g *export.Graph, sources []int32, d order.Depth) (nodes, turns []int32) {
	nodes, ends := order.ByHops(g, sources, d, MaxLanes, ballsFrom)
	turns = order.Arrange(sources, nodes, g.N())
	if !d.Deep && len(sources) >= alikeFrom {
		turns = order.Alike(order.HopsTo(g, ends, turns), turns, MaxLanes, true)
	}
	return nodes, turns
}

// ByDistance is New for searches that find distances first: by weights in ticks, or by hops.
func ByDistance(g *export.Graph, l lengths.Lengths, sources []int32, ids bool) *Batches {
	depth := order.DepthOf(g)
	ticks, weighted := l.(*lengths.Ticks)
	if !weighted {
		nodes, turns := inOrder(g, sources, depth)
		return hopsByDistance(g, nodes, turns, depth.Deep, ids)
	}
	by := order.BeginByWeights(g, sources, MaxLanes, false, func() order.Depth { return depth }, nil)
	by.Wait()
	b := &Batches{newLayout(g, by.Nodes, ticks.Arc, ids), order.Arrange(sources, by.Turns, g.N())}
	b.graph.unit, b.graph.deep = ticks.Unit, depth.Deep
	return b
}

// OfSample puts a graph in order for searches by hops that find distances first, from sources that lie apart: in an
// order of its nodes in which those near one another follow one another.
func OfSample(g *export.Graph, nodes []int32) *Batches {
	return hopsByDistance(g, nodes, nil, order.LikelyDepth(g).Deep, false)
}

// hopsByDistance is a graph by hops, with its nodes and sources in the given orders, for searches that find distances
// first.
func hopsByDistance(g *export.Graph, nodes, turns []int32, deep, ids bool) *Batches {
	b := &Batches{newLayout(g, nodes, slices.Repeat([]int64{1}, g.Arcs()), ids), turns}
	b.graph.deep = deep
	return b
}

// Weigh makes a pair of nodes count the product of their masses, as many times as that, instead of once.
func (b *Batches) Weigh(masses []float64) {
	b.graph.masses = make([]float64, len(masses))
	for v, mass := range masses {
		b.graph.masses[b.graph.places[v]] = mass
	}
}

// Width returns how many lanes a batch has, 8 at least: few where the rows of a thread would take much memory, and else
// so many that all threads have as many batches.
func Width(nodes int64, sources, threads int) int {
	most := MaxLanes
	for most > group && nodes*int64(8*most) > max(leastMemory/int64(threads), threadMemory) {
		most /= 2
	}
	each := (sources + threads - 1) / threads
	rounds := max(1, (each+most-1)/most)
	share := (each + rounds - 1) / rounds
	return max(group, (share+group-1)/group*group)
}

// rowWidth is how many numbers a row has for a batch of so many lanes: a power of two.
func rowWidth(width int) int { return 1 << bits.Len(uint(width-1)) }

// Bytes bounds the memory of the batches, and of the searches of so many threads.
func Bytes(nodes, edges int64, sources, threads int, directed, ids bool) int64 {
	arcs, each := 2*edges, nodes*int64(entryBytes*rowWidth(Width(nodes, sources, threads))+nodeBytes)
	layout := orderBytes*nodes + 12*arcs
	if directed {
		layout += 8*nodes + 4*arcs
	}
	if ids {
		each += wordBytes * edges
		layout += 4 * arcs
	}
	if arcs <= mostArcs {
		each += nodes*distanceBytes + 2*8*arcs
		layout += 2 * 2 * arcs
	}
	return layout + int64(threads)*each
}

const (
	entryBytes = 8 + 4 + 8 // of a lane at a node: its number, and the entry that it may have to itself
	wordBytes  = 24
	nodeBytes  = 3*8 + wordBytes
	orderBytes = 160 // of a node while it is put in order
	// distanceBytes are those of a node whose distances are found first: a row, what it waits for, its lists.
	distanceBytes = 2*MaxLanes + 40
)
