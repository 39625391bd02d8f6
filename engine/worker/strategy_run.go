package worker

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/lengths"
)

// traverse is one run of a traversal.
type traverse struct {
	traversal
	ctx    context.Context
	device gpu.Device
	job    *Job
	// err is the first error of the helpers below, which do nothing after it.
	err error
	// begun is when Run was called; preprocess the seconds until the first search.
	begun      time.Time
	preprocess float64

	blocks, threads, shared int
	sources, failed, depths gpu.Ptr
	// counts is the memory for counts of paths, of countBytes bytes.
	counts     gpu.Ptr
	countBytes int64
	nodes      gpu.Ptr
	edges      gpu.Ptr
	totals     gpu.Ptr // of blocks: pairs and distances by hops, pairs by weights
	lengths    gpu.Ptr // of blocks: sums of distances by weights
	lost       gpu.Ptr
	masses     gpu.Ptr // of nodes, or 0
	metric     metric
}

// alloc, zeros and upload keep the first error.
func (r *traverse) alloc(bytes int64) gpu.Ptr {
	if r.err != nil {
		return 0
	}
	var p gpu.Ptr
	p, r.err = r.device.Alloc(max(bytes, 8))
	return p
}

func (r *traverse) zeros(bytes int64) gpu.Ptr {
	p := r.alloc(bytes)
	if r.err == nil {
		r.err = r.device.Memset(p, 0, max(bytes, 8))
	}
	return p
}

func uploaded[T gpu.Number](r *traverse, s []T) gpu.Ptr {
	if r.err != nil {
		return 0
	}
	var p gpu.Ptr
	p, r.err = gpu.Upload(r.device, s)
	return p
}

// prepare takes what every measure needs. number is the size of a count of paths in bytes.
func (r *traverse) prepare(number int64) {
	p, n := r.job.Plan, r.job.Graph.N
	r.blocks, r.threads, r.shared = p.Blocks, p.Threads, p.Lanes
	r.sources = uploaded(r, r.job.Sources)
	r.failed = r.zeros(4 * int64(len(r.job.Sources)))
	r.depths = r.zeros(4 * int64(len(r.job.Sources)))
	r.totals = r.zeros(16 * int64(r.blocks))
	r.lengths = r.zeros(8 * int64(r.blocks))
	r.lost = r.zeros(8)
	if r.job.Masses != nil {
		r.masses = uploaded(r, r.job.Masses)
	}
	// One block must be able to count again in wide numbers, of 16 bytes.
	r.countBytes = max(number*int64(r.blocks), 16) * n
	if number > 0 {
		r.counts = r.alloc(r.countBytes)
	}
	if r.job.Weighted && r.err == nil {
		if r.metric, r.err = r.newMetric(); r.err == nil {
			r.lightestArcs()
		}
	}
}

// ready marks the end of what does not depend on the number of sources.
func (r *traverse) ready() {
	if r.err == nil {
		r.err = r.device.Sync()
	}
	r.preprocess = time.Since(r.begun).Seconds()
}

// bitmaps is how many of the two bitmaps a block keeps in shared memory.
func (r *traverse) bitmaps() int64 { return int64(r.shared) / bitmapBytes(r.job.Graph.N) }

// pathArgs fills Paths of kernels/traversal/paths.cuh for the given number of blocks.
func (r *traverse) pathArgs(method int64, sources, failed, depths gpu.Ptr, w workspace) gpu.Ptr {
	g := r.job.Graph
	in := g.In
	return putArguments(r, pathsArguments{
		n:             g.N,
		arcs:          g.Arcs,
		outOffsets:    g.Offsets,
		outTargets:    g.Targets,
		outRows:       g.Tails,
		inOffsets:     in.Offsets,
		inTargets:     in.Targets,
		inRows:        in.Tails,
		sources:       sources,
		counts:        r.counts,
		stack:         w.stack,
		ends:          w.ends,
		levels:        w.levels,
		bits:          w.bits,
		nodes:         r.nodes,
		edges:         r.edges,
		failed:        failed,
		depths:        depths,
		totals:        r.totals,
		policy:        method,
		alpha:         int64(hybridChange),
		beta:          int64(hybridFrontier),
		endpoints:     one(r.job.Endpoints),
		lanes:         r.lanes,
		outEdges:      g.Edges,
		inEdges:       in.Edges,
		predecessors:  w.predecessors,
		shares:        w.shares,
		m:             int64(r.job.Host.M()),
		masses:        r.masses,
		sharedBitmaps: r.bitmaps(),
	})
}

// one is a flag as kernels take it.
func one(flag bool) int64 {
	if flag {
		return 1
	}
	return 0
}

// workspace is the memory of searches besides counts and sums.
type workspace struct {
	stack, ends, levels, bits, predecessors, shares gpu.Ptr
	distances, open, longRows                       gpu.Ptr
}

// newWorkspace takes it for the run's blocks; number is the size of a share in bytes.
func (r *traverse) newWorkspace(number int64) workspace {
	n, b := r.job.Graph.N, int64(r.blocks)
	w := workspace{stack: r.alloc(4 * n * b), ends: r.alloc(4 * (n + 2) * b), bits: r.alloc(2 * bitmapBytes(n) * b)}
	if r.job.Weighted {
		w.distances, w.open = r.alloc(8*n*b), r.alloc(16*n*b)
		w.longRows = r.alloc(4 * longRowsEach(r.job.Graph.Arcs, r.longRow()) * b)
		return w
	}
	w.levels = r.alloc(4 * (n + 2) * b)
	if r.kernel == "pull" && number > 0 {
		w.predecessors = r.alloc(bitmapBytes(r.job.Graph.Arcs) * b)
		w.shares = r.alloc(max(number*b, 8) * int64(r.job.Host.M()))
	}
	return w
}

// sweep launches the kernel for chunks of sources[from:to), of which from is a multiple of unit.
func (r *traverse) sweep(from, to, unit int, progress bool, launch func(first, last int64) error) {
	if r.err != nil || from >= to {
		return
	}
	part := &Job{Sources: r.job.Sources[from:to], Progress: func(done int) {
		if progress {
			r.job.Progress(from + done)
		}
	}}
	r.err = part.Chunks(r.ctx, r.device, unit, func(first, count int) error {
		return launch(int64(from+first), int64(from+first+count))
	})
}

// launch starts a traversal kernel over the sources numbered first to last.
func (r *traverse) launch(kernel gpu.Kernel, blocks int, first, last int64, args ...any) error {
	all := append(args, first, last)
	return r.device.Launch(kernel, gpu.Shape{Grid: blocks, Block: r.threads, Shared: r.shared}, all...)
}

// depthsAreLow says whether the median depth of the first count sources is under Algorithm 5's bound.
func (r *traverse) depthsAreLow(count int) bool {
	if r.err != nil {
		return false
	}
	depths := make([]int32, count)
	if r.err = gpu.Download(r.device, depths, r.depths); r.err != nil {
		return false
	}
	slices.Sort(depths)
	return float64(depths[count/2]) < samplingDepth*math.Log2(float64(r.job.Graph.N))
}

// failures returns which of count sources failed.
func (r *traverse) failures(p gpu.Ptr, count int) []int32 {
	if r.err != nil {
		return nil
	}
	flags := make([]int32, count)
	r.err = gpu.Download(r.device, flags, p)
	var which []int32
	for i, f := range flags {
		if f != 0 {
			which = append(which, int32(i))
		}
	}
	return which
}

// sumTotals adds up the blocks' totals.
func (r *traverse) sumTotals() kernels.Totals {
	var out kernels.Totals
	if r.err != nil {
		return out
	}
	raw := make([]byte, 16*r.blocks)
	lengths := make([]float64, r.blocks)
	if r.err = r.device.CopyOut(raw, r.totals); r.err != nil {
		return out
	}
	r.err = gpu.Download(r.device, lengths, r.lengths)
	at := func(i int) int64 { return int64(binary.LittleEndian.Uint64(raw[8*i:])) }
	for b := range r.blocks {
		if r.job.Weighted {
			out.Pairs += at(b)
			out.Distance += lengths[b]
			continue
		}
		out.Pairs += at(2 * b)
		out.Distance += float64(at(2*b + 1))
	}
	return out
}

// lostArc reports an arc that does not lengthen a path.
func (r *traverse) lostArc() {
	if r.err != nil || !r.job.Weighted {
		return
	}
	var arc [1]int64
	if r.err = gpu.Download(r.device, arc[:], r.lost); r.err != nil || arc[0] == 0 {
		return
	}
	r.lostAt(arc[0] - 1)
}

// lostAt is the error of arc number i, which does not lengthen a path.
func (r *traverse) lostAt(i int64) {
	if r.metric.unique {
		r.err = notOnGPU("path lengths are exact in 128-bit integers only, and float64 does not tell them apart")
		return
	}
	r.err = lengths.LostWeight(r.job.Host, i)
}

// notOnGPU marks what the CPU can do and the device cannot.
func notOnGPU(format string, args ...any) error {
	return refusal{fmt.Errorf(format, args...), protocol.NotOnGPU}
}
