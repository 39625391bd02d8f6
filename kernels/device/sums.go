package device

import (
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/exact"
)

// ForEach is the shape of a launch that gives count things a thread each.
func ForEach(count int64) gpu.Shape {
	return gpu.Shape{Grid: int(max(1, min(SumBlocks, (count+SumThreads-1)/SumThreads))), Block: SumThreads}
}

// ForSums is the shape of a launch that joins the blocks' parts of count values; see kernels/device/sums.cu.
func ForSums(count int64) gpu.Shape { return ForEach(count * SumThreads / 32) }

// Joined launches a kernel that joins the parts of so many blocks of count values, and returns where they are.
func (c *Calls) Joined(kernel gpu.Kernel, parts gpu.Ptr, count int64, blocks int, bytes int64) gpu.Ptr {
	out := c.Alloc(count * bytes)
	c.Launch(kernel, ForSums(count), parts, count, int64(blocks), out)
	return out
}

// Join returns the joined values of so many blocks.
func (c *Calls) Join(kernel gpu.Kernel, parts gpu.Ptr, count int64, blocks int) []float64 {
	out := c.Joined(kernel, parts, count, blocks, 8)
	values := make([]float64, count)
	Download(c, values, out)
	c.Free(out)
	return values
}

// JoinEdges returns the joined values of so many blocks, of the arcs of g, for each of m edges.
func (c *Calls) JoinEdges(kernel gpu.Kernel, parts gpu.Ptr, g *Graph, blocks int, m int) []float64 {
	values := make([]float64, m)
	out := c.Zeros(8 * int64(m))
	c.Launch(kernel, ForSums(g.Arcs), parts, g.Arcs, int64(blocks), g.Edges, out)
	Download(c, values, out)
	c.Free(out)
	return values
}

// AddBlocks adds the sums of so many blocks to count exact sums.
func (c *Calls) AddBlocks(parts gpu.Ptr, count int64, blocks int, s exact.Scale, into gpu.Ptr) {
	c.Launch(KernelAddBlocks, ForSums(count), parts, count, int64(blocks), s.Unit, s.Fine, into)
}

// AddArcs adds the sums of so many blocks, of the arcs of g, to the exact sums of edges.
func (c *Calls) AddArcs(parts gpu.Ptr, g *Graph, blocks int, s exact.Scale, into gpu.Ptr) {
	c.Launch(KernelAddArcs, ForSums(g.Arcs), parts, g.Arcs, int64(blocks), g.Edges, s.Unit, s.Fine, into)
}

// Exact returns room for count exact sums, all 0.
func (c *Calls) Exact(count int64) gpu.Ptr { return c.Zeros(WordBytes * count) }

// WordBytes is the size of an exact sum.
const WordBytes = 24

// Words returns count exact sums.
func (c *Calls) Words(from gpu.Ptr, count int64) []exact.Word {
	out := make([]exact.Word, count)
	DownloadBytes(c, out, from)
	return out
}

// EdgeSums joins the sums of the arcs of g, whose digits lie apart, to those of m edges: see join_arcs.
func (c *Calls) EdgeSums(arcs gpu.Ptr, g *Graph, m int) gpu.Ptr {
	sums := c.Exact(int64(m))
	c.Launch(KernelJoinArcs, ForEach(g.Arcs), arcs, g.Arcs, g.Edges, sums)
	return sums
}

// AddExact adds n exact sums in device memory to those of the host; nil takes none. Sum number i lies at places[i], or
// at i where places is
// 0. With room for values, nothing else is ever added, and the device makes them.
func (c *Calls) AddExact(into *exact.Sums, n int, from, places gpu.Ptr, values []float64) {
	if c.Err != nil || into == nil {
		return
	}
	count := int64(n)
	switch {
	case values != nil:
		s, out := into.Scale, c.Alloc(8*count)
		c.Launch(KernelExactValues, ForEach(count), from, places, count, int64(s.Digit()), 1/s.Unit, 1/s.Fine, out)
		Download(c, values, out)
		c.Free(out)
		into.Known = values
	case places != 0:
		moved := c.Alloc(WordBytes * count)
		c.Launch(KernelMoveSums, ForEach(count), from, places, count, moved)
		into.JoinWords(c.Words(moved, count))
		c.Free(moved)
	default:
		into.JoinWords(c.Words(from, count))
	}
}

// JoinCounts adds the counts of so many blocks to those of the host.
func (c *Calls) JoinCounts(into []int64, parts gpu.Ptr, blocks int) {
	if c.Err != nil || len(into) == 0 {
		return
	}
	for i, x := range c.Join(KernelSumBlockCounts, parts, int64(len(into)), blocks) {
		into[i] += int64(x)
	}
}

// JoinGreatest takes the greatest of what the host has and of the numbers of so many blocks, which are not negative.
func (c *Calls) JoinGreatest(into []float64, parts gpu.Ptr, blocks int) {
	if c.Err != nil || len(into) == 0 {
		return
	}
	for i, x := range c.Join(KernelMaxBlocks, parts, int64(len(into)), blocks) {
		into[i] = max(into[i], x)
	}
}
