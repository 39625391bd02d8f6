package worker

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// traversal is a strategy that searches from one source a block; see kernels/traversal/paths.cuh and kernels/device/weighted_search.cuh.
type traversal struct {
	name   string
	method int64
	// kernel is the family of kernels: node, warp, arcs, pull.
	kernel string
	// lanes is the number of threads a node.
	lanes int64
	// weighted says that the strategy has a form for weights.
	weighted bool
	// probe says that the first sources decide on the method (McLaughlin & Bader, Algorithm 5).
	probe bool
}

func (t traversal) Name() string { return t.name }

func (t traversal) Fits(w Want, _ bool) bool {
	return !w.Folded && (w.levelsOnly() || w.counts() || w.kind() == kernels.PathCounts) && (t.weighted || !w.Weighted)
}

// levelsOnly says whether searches count no paths.
func (w Want) levelsOnly() bool {
	_, folds := kernels.FoldOf(w.Measure)
	return folds || w.Measure == distances
}

// counts says whether the kernels of betweenness compute it.
func (w Want) counts() bool { return w.kind() == kernels.Dependencies || w.Measure == adaptive }

func (t traversal) Parts(w Want, _ bool) Parts {
	return Parts{
		Edges: !w.levelsOnly() && (w.Edges || t.kernel == "pull"), Tails: t.kernel == "arcs",
		Weights: w.Weighted, Ticks: w.Weighted, Transpose: true,
	}
}

// state is the device memory of one block of a traversal, in bytes, and what all blocks share.
type state struct {
	counts, lists, bits, nodes, edges, shares, hops int64
	once                                            int64
}

func (s state) block() int64 {
	return s.counts + s.lists + s.bits + s.nodes + s.edges + s.shares + s.hops
}

// state bounds what a block needs; number is the size of a count of paths, sum that of a sum of scores.
func (t traversal) state(size kernels.Size, w Want, number, sum int64) state {
	n, m, a := size.Nodes, size.Edges, arcs(size)
	_, folds := kernels.FoldOf(w.Measure)
	s := state{lists: 12*n + 64, once: 20*int64(w.Sources) + 32*n + 1<<20}
	if w.Weighted {
		s.lists = 32*n + 64 + 4*longRowsEach(a, t.longRow())
		s.once += 16*n + 20*a // lightest arcs; weights as 32-bit ticks of both directions, and the download that finds whether they fit
	}
	s.bits = 2 * bitmapBytes(n)
	if w.Measure == distances {
		s.nodes = 8*n + 8
		return s
	}
	if folds {
		s.nodes = 12 * n
		if w.Edges {
			s.edges, s.hops = 12*m, 4*n
			s.once += 24 * m
		}
		return s
	}
	s.counts = number * n
	if w.Measure == adaptive {
		s.once += 16*n + 1<<16 // sums, sources taken, nodes of interest
	}
	if w.Nodes {
		s.nodes = sum * n
	}
	if w.Edges {
		s.edges = sum * a
		s.once += 16 * a
	}
	if t.kernel == "pull" {
		s.shares = number*m + bitmapBytes(a)
	}
	return s
}

// Plan gives each multiprocessor as many blocks as it can run, or as fit into memory.
func (t traversal) Plan(size kernels.Size, w Want, d gpu.Info, free int64) (Plan, error) {
	number, sum := int64(8), int64(8)
	if w.Single && w.kind() == kernels.Dependencies {
		number = 4
	}
	s := t.state(size, w, number, sum)
	shared := t.shared(size.Nodes, w, d)
	threads := t.threads(size, w, d, shared)
	perSM := max(1, min(residentThreads/threads, d.SharedBlock/(shared+staticShared)))
	blocks := min(d.SMs*perSM, max(1, w.Sources))
	plan := Plan{Threads: threads, Lanes: shared, HostBytes: t.hostBytes(size, w)}
	// A block of wide numbers must fit too: its counts and, for stress, sums take twice as much.
	least := t.state(size, w, 16, map[bool]int64{true: 16, false: 8}[w.kind() == kernels.PathCounts])
	if least.block()+least.once > free {
		return Plan{}, &gpu.TooLarge{What: t.name, Need: least.block() + least.once, Free: free}
	}
	if fit := (free - s.once) / s.block(); fit < int64(blocks) {
		blocks = int(max(1, fit))
		plan.Note = "fewer blocks than the device runs, because memory is short: sums may differ in the last bits"
	}
	plan.Blocks = blocks
	plan.DeviceBytes = max(int64(blocks)*s.block()+s.once, least.block()+least.once)
	return plan, nil
}

func (t traversal) hostBytes(size kernels.Size, w Want) int64 {
	bytes := 24*size.Nodes + 8*int64(w.Sources)
	if w.Edges {
		bytes += 24 * arcs(size)
	}
	if w.Weighted {
		bytes += 32 * arcs(size)
	}
	return bytes
}

// threads is the size of a block: larger where shared memory holds the bitmaps of few blocks.
func (t traversal) threads(size kernels.Size, w Want, d gpu.Info, shared int) int {
	threads := largeThreads
	switch {
	case w.Weighted && size.Nodes > tinyGraph && arcs(size) >= denserDegree*size.Nodes:
		threads = denseThreads
	case w.Weighted:
		threads = weightedThreads
	case size.Nodes <= smallGraph:
		threads = smallThreads
	}
	// With few sources, larger blocks use the threads that more blocks would.
	for threads < residentThreads && 2*w.Sources*threads <= d.SMs*residentThreads {
		threads *= 2
	}
	for threads < residentThreads && d.SharedBlock/(shared+staticShared) < residentThreads/threads {
		threads *= 2
	}
	return threads
}

// shared is the number of bytes of bitmaps that a block keeps in shared memory: two, one, or none.
func (t traversal) shared(n int64, w Want, d gpu.Info) int {
	if w.Weighted && t.method == workEfficient {
		return 0
	}
	one := int(bitmapBytes(n))
	for _, count := range []int{2, 1} {
		if count*one+staticShared <= d.SharedBlock {
			return count * one
		}
	}
	return 0
}

func bitmapBytes(n int64) int64 { return (n + 31) / 32 * 4 }

// Run computes the job; see Strategy.
func (t traversal) Run(ctx context.Context, d gpu.Device, job *Job) (Result, error) {
	if job.Graph.N == 0 {
		return Result{}, nil
	}
	r := &traverse{traversal: t, ctx: ctx, device: d, job: job, begun: time.Now()}
	_, folds := kernels.FoldOf(job.Measure)
	switch {
	case folds:
		return r.folds()
	case job.Measure == distances:
		return r.distances()
	case job.Measure == adaptive:
		return r.adaptive()
	case job.kind() == kernels.PathCounts:
		return r.stress()
	}
	return r.betweenness()
}
