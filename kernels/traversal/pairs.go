package traversal

import (
	"context"
	"math/bits"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/device"
	onhost "github.com/linchpin-graph/linchpin/kernels/search"
)

// tally is the adaptive.Tally of a device; see pairs.cu. The graph and the counts stay on the device.
type tally struct {
	run *run
	// nodes is the number of nodes that are counted, entries that of nodes and edges.
	nodes, entries int64
	size           int64
}

// pairs has a sample drawn by the tally of the device.
func (r *run) pairs() {
	t := &tally{run: r, nodes: r.layout.countedNodes(), entries: r.layout.counted()}
	r.ready()
	if r.calls.Err != nil {
		return
	}
	if err := r.job.Sample(t); r.calls.Err == nil {
		r.calls.Err = err
	}
}

// countedNodes is the number of nodes that a sample of pairs counts, counted that of nodes and edges.
func (l layout) countedNodes() int64 {
	if l.want.Nodes {
		return l.want.Size.Nodes
	}
	return 0
}

func (l layout) counted() int64 {
	if l.want.Edges {
		return l.countedNodes() + l.want.Size.Edges
	}
	return l.countedNodes()
}

// pairBuffers lists what a sample of pairs takes.
func (l layout) pairBuffers(a *arrays) device.Buffers {
	n, b := l.want.Size.Nodes, int64(l.shape.blocks)
	return device.Buffers{
		{Name: "levels", Bytes: 4 * n * b, Zero: true, Into: &a.levels},
		{Name: "counts of paths", Bytes: 8 * n * b, Zero: true, Into: &a.counts},
		{Name: "nodes found", Bytes: 4 * n * b, Into: &a.stack},
		{Name: "counts of drawn paths", Bytes: 8 * l.counted(), Zero: true, Into: &a.drawn},
		{Name: "classes", Bytes: 4 * l.counted(), Zero: true, Into: &a.classes},
		{Name: "progress", Bytes: 24, Into: &a.totals},
	}
}

// Draw implements adaptive.Tally.
func (t *tally) Draw(_ context.Context, pairs []adaptive.Ends) (work int64, err error) {
	r, c, a, g := t.run, t.run.calls, t.run.arrays, t.run.job.Graph
	if c.Ctx.Err() != nil {
		return 0, context.Cause(c.Ctx)
	}
	ends := device.UploadBytes(c, pairs)
	c.Clear(a.totals, 24)
	args := device.Put(c, pairsArguments{
		n:          g.N,
		outOffsets: g.Offsets,
		outTargets: g.Targets,
		outEdges:   g.Edges,
		inOffsets:  g.In.Offsets,
		inTargets:  g.In.Targets,
		inEdges:    g.In.Edges,
		ends:       ends,
		count:      int64(len(pairs)),
		levels:     a.levels,
		paths:      a.counts,
		found:      a.stack,
		counts:     a.drawn,
		nodes:      t.nodes,
		edges:      device.One(r.job.Edges),
		endpoints:  device.One(r.job.Endpoints),
		lanes:      1 << min(5, max(2, bits.Len64(uint64(g.Arcs/max(g.N, 1))))), // from 4 threads for a node to a whole warp
		progress:   a.totals,
	})
	c.Launch(kernelPairsDraw, gpu.Shape{Grid: min(r.layout.shape.blocks, len(pairs)), Block: pairThreads}, args)
	progress := make([]int64, 3)
	device.Download(c, progress, a.totals)
	c.Free(args)
	c.Free(ends)
	if c.Err == nil && progress[2] != 0 {
		return progress[1], onhost.ErrWideCounts
	}
	return progress[1], c.Err
}

// Sort implements adaptive.Tally.
func (t *tally) Sort(size int64) (nodes, edges []int64, err error) {
	c, a := t.run.calls, t.run.arrays
	t.size = size
	all := make([]int64, 2*(size+1))
	sizes := c.Zeros(8 * int64(len(all)))
	c.Launch(kernelPairsSort, device.ForEach(t.entries), a.drawn, a.classes, t.nodes, t.entries, size, sizes)
	device.Download(c, all, sizes)
	c.Free(sizes)
	return all[:size+1], all[size+1:], c.Err
}

// Nearest implements adaptive.Tally.
func (t *tally) Nearest(at []adaptive.Split) ([]adaptive.Around, error) {
	c, a := t.run.calls, t.run.arrays
	around := make([]adaptive.Around, len(at))
	for i := range around {
		around[i] = adaptive.Around{
			UpToRising: adaptive.None, OverRising: adaptive.Never, UpToFalling: adaptive.None, OverFalling: adaptive.Never,
		}
	}
	splits, found := device.UploadBytes(c, at), device.UploadBytes(c, around)
	c.Launch(kernelPairsNearest, device.ForEach(t.entries), a.drawn, a.classes, t.entries, splits, found)
	device.DownloadBytes(c, around, found)
	c.Free(splits)
	c.Free(found)
	return around, c.Err
}

// Best implements adaptive.Tally.
func (t *tally) Best(edges bool, k int) ([]adaptive.Parted, error) {
	c, first, count := t.run.calls, int64(0), t.nodes
	if edges {
		first, count = t.nodes, t.entries-t.nodes
	}
	least, more := t.kth(first, count, -1, int64(k))
	last, _ := t.kth(first, count, least, more)
	parted := make([]adaptive.Parted, t.size+1)
	for i := range parted {
		parted[i] = adaptive.Parted{LeastBest: adaptive.Never, GreatestOther: adaptive.None}
	}
	into := device.UploadBytes(c, parted)
	a := t.run.arrays
	c.Launch(kernelPairsBest, device.ForEach(count), a.drawn.At(8*first), a.classes.At(4*first), count, least, last, into)
	device.DownloadBytes(c, parted, into)
	c.Free(into)
	return parted, c.Err
}

// kth returns the k-th greatest of the counts, and how many of those equal to it are among the k greatest. With a count
// of tied, it is the k-th least of the numbers of entries that have it.
func (t *tally) kth(first, count, tied, k int64) (at, rest int64) {
	c, bins := t.run.calls, make([]int64, 256)
	table := c.Alloc(8 * 256)
	defer c.Free(table)
	for digit := 56; digit >= 0 && c.Err == nil; digit -= 8 {
		c.Clear(table, 8*256)
		c.Launch(kernelPairsDigit, device.ForEach(count), t.run.arrays.drawn.At(8*first), count, tied,
			int64(digit), at, table)
		device.Download(c, bins, table)
		b := 0
		for ; b < 255 && k > bins[place(b, tied)]; b++ {
			k -= bins[place(b, tied)]
		}
		at = at<<8 | int64(place(b, tied))
	}
	return at, k
}

// place is the b-th place of a digit: from the greatest down for counts, from the least up for numbers of entries.
func place(b int, tied int64) int {
	if tied < 0 {
		return 255 - b
	}
	return b
}

// Counts implements adaptive.Tally.
func (t *tally) Counts() ([]int64, []int32, error) {
	c, a := t.run.calls, t.run.arrays
	counts, classes := make([]int64, t.entries), make([]int32, t.entries)
	device.Download(c, counts, a.drawn)
	device.Download(c, classes, a.classes)
	return counts, classes, c.Err
}
