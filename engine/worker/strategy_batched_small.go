package worker

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// smallRun is one run of batched by weights on a graph so small that a block has all of a source in shared memory, for betweenness
// or the closeness family; see kernels/small/small.cuh.
type smallRun struct {
	traverse
	shape      smallShape
	fold       kernels.Fold
	folding    bool
	width      float64
	rows, arcs gpu.Ptr // of the graph, as the kernels of small graphs read them
	// ends are where levels end, of the blocks; nodeCounts and edgeCounts are of folds, tails and heads the ends of edges.
	ends, nodeCounts, edgeCounts, tails, heads gpu.Ptr
}

// smallShape is how a device is shared out among searches in shared memory: blocks of so many threads, with so many bytes each, of which
// some are room for the targets of so many tight arcs.
type smallShape struct{ blocks, threads, shared, room int }

// smallForm says whether batched may search small graphs in shared memory. Tests turn it off.
var smallForm = true

// smallBytes is the shared memory of SmallSearch in kernels/small/small.cuh, with keys and counts of up to so many bytes and, where paths are
// counted, room for the targets of so many tight arcs.
func smallBytes(n, arcs, number, room int64, counted bool) int64 {
	state := (number*n + 7) / 8 * 8
	bits, words := 4*((arcs+31)/32), 4*((n+31)/32)
	lists, counting := 4*n, bits+bits/2+4*((n+1)/2)+2*n+2*room
	if !counted {
		counting = 0
	}
	return state + 3*words + max(lists, counting)
}

// fitSmall returns the shape of searches in shared memory, with the smallest numbers that may do; no blocks where what is wanted has no such
// form, or does not fit with the largest.
func fitSmall(size kernels.Size, w Want, d gpu.Info) smallShape {
	counted := w.kind() == kernels.Dependencies
	if !smallForm || !w.Weighted || w.Profile || w.Folded || !counted && !w.folds() {
		return smallShape{}
	}
	widest := shapeSmall(size, w, d, 8)
	if widest.blocks == 0 || counted && !w.Single {
		return widest
	}
	return shapeSmall(size, w, d, 4)
}

// shapeSmall is the shape with numbers of so many bytes.
func shapeSmall(size kernels.Size, w Want, d gpu.Info, number int64) smallShape {
	n, a := size.Nodes, arcs(size)
	if n > tinyGraph || a > math.MaxInt32/2 {
		return smallShape{}
	}
	room := min(a, n+n/smallTies)
	shared := int(smallBytes(n, a, number, room, !w.folds()))
	if shared+smallStatic > d.SharedBlock {
		return smallShape{}
	}
	perSM := min(mostSmall, (d.SharedBlock+blockShared)/(shared+smallStatic+blockShared))
	s := smallShape{blocks: min(d.SMs*perSM, max(1, w.Sources)), threads: min(sharedThreads, residentShared/perSM/64*64), shared: shared}
	if spare := (d.SharedBlock+blockShared)/perSM - smallStatic - blockShared - shared; !w.folds() {
		more := min(a, room+int64(spare/2), math.MaxUint16, max(room, n*mostTies)) - room
		s.room, s.shared = int(room+more), shared+int(2*more)
	}
	return s
}

// bytes bounds the device memory of the run.
func (s smallShape) bytes(size kernels.Size, w Want) int64 {
	n, a, m := size.Nodes, arcs(size), size.Edges
	block := 4*(n+2) + 16 + 8*n
	once := 20*a + 24*n + 20*int64(w.Sources) + 1<<17 // packed and narrow arcs, rows, joined sums, masses
	if size.Directed {
		once += 4 * a
	}
	if w.folds() {
		block += 4 * n
	}
	if w.Edges {
		once += 24 * m
		if w.folds() {
			block += 12 * m
		} else {
			block += 8 * a
		}
	}
	return int64(s.blocks)*block + once
}

// small says how the job is searched in shared memory, if at all.
func (j *Job) small(d gpu.Info) smallShape {
	size := sizeOf(j.Host)
	shape := fitSmall(size, j.Want, d)
	if shape.blocks == 0 || shape.bytes(size, j.Want) > j.Plan.DeviceBytes || mostArcsIn(j.Host) > math.MaxUint16 {
		return smallShape{}
	}
	return shape
}

// mostArcsIn bounds the number of arcs that enter a node.
func mostArcsIn(g *export.Graph) int64 {
	if g.Arcs() <= math.MaxUint16 {
		return int64(g.Arcs())
	}
	most := int64(0)
	if !g.Directed {
		for v := range int32(g.N()) {
			most = max(most, g.Degree(v))
		}
		return most
	}
	in := make([]int64, g.N())
	for _, v := range g.Targets {
		in[v]++
		most = max(most, in[v])
	}
	return most
}

// runSmall computes betweenness or a measure of the closeness family.
func (b batched) runSmall(ctx context.Context, d gpu.Device, job *Job, shape smallShape) (_ Result, left []int32, err error) {
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &smallRun{traverse: traverse{traversal: b.narrowest(), ctx: ctx, device: memory, job: job}, shape: shape}
	return r.all()
}

// all runs every source, and returns those that no pass could do.
func (r *smallRun) all() (Result, []int32, error) {
	start := time.Now()
	r.begin()
	result := Result{Preprocess: time.Since(start).Seconds(), Ties: r.metric.ties}
	var left []int32
	if r.folding {
		r.pass(smallFoldKernel(r.metric.name), r.job.Sources, 0)
	} else {
		left = r.passes()
	}
	result.Totals = r.outcome()
	result.Note = fmt.Sprintf("%d blocks with a source each in %d bytes of shared memory, %s, buckets of %.3g", r.blocks, r.shape.shared, r.metric.name, r.width*r.metric.mul/r.metric.div)
	if r.err != nil {
		return result, left, r.err
	}
	if r.folding {
		sums := r.folded(foldArrays{fold: r.fold, nodes: r.nodes, nodeCounts: r.nodeCounts, edges: r.edges, edgeCounts: r.edgeCounts})
		if r.err != nil {
			return result, nil, r.err
		}
		return result, nil, sums.Scores(r.job.Measure, r.job.Host, r.job.Request, r.job.Nodes, r.job.Edges)
	}
	nodes, edges := kernels.BetweennessFactors(r.job.Host, r.job.Request)
	r.nodeSums(nodes)
	r.edgeSums(edges)
	return r.uncertain(result, left)
}

// begin takes what the run needs.
func (r *smallRun) begin() {
	r.fold, r.folding = kernels.FoldOf(r.job.Measure)
	if r.metric, r.err = r.newMetric(); r.err != nil {
		return
	}
	if r.metric.name != "ticks32" {
		r.shape = shapeSmall(sizeOf(r.job.Host), r.job.Want, r.device.Info(), 8)
	}
	r.blocks = r.shape.blocks
	n, b, m := r.job.Graph.N, int64(r.blocks), int64(r.job.Host.M())
	g := r.job.Graph
	r.pack(g)
	counts := int64(0)
	if r.folding {
		counts = 4 * n * b
	}
	sums := r.zeros(8 + 16*b + 8*n*b + 4*(n+2)*b + counts) // at once: an allocation takes longer than the search of a source
	r.lost, r.totals, r.lengths, r.nodes = sums, sums.At(8), sums.At(8+8*b), sums.At(8+16*b)
	r.ends = r.nodes.At(8 * n * b)
	if r.folding {
		r.nodeCounts = r.ends.At(4 * (n + 2) * b)
	}
	if r.job.Masses != nil {
		r.masses = uploaded(&r.traverse, r.job.Masses)
	}
	switch {
	case r.job.Edges == nil:
	case r.folding:
		r.edges, r.edgeCounts = r.zeros(8*m*b), r.zeros(4*m*b)
		source, target := r.job.Host.Ends()
		r.tails, r.heads = uploaded(&r.traverse, source), uploaded(&r.traverse, target)
	default:
		r.edges = r.zeros(8 * g.Arcs * b)
	}
	if r.width = smallArcs * r.metric.width; r.job.Bucket > 0 {
		r.width = r.job.Bucket * r.metric.width
	}
	if r.err == nil {
		r.err = r.device.Sync()
	}
}

// outcome adds up the blocks' totals, and reports an arc that does not lengthen a path.
func (r *smallRun) outcome() (out kernels.Totals) {
	if r.err != nil {
		return out
	}
	b := r.blocks
	all := make([]int64, 1+2*b) // lost, totals and lengths, which lie together
	if r.err = gpu.Download(r.device, all, r.lost); r.err != nil {
		return out
	}
	if all[0] != 0 {
		r.lostAt(all[0] - 1)
	}
	for i := range b {
		out.Pairs += all[1+i]
		out.Distance += math.Float64frombits(uint64(all[1+b+i]))
	}
	return out
}

// pack makes the rows and arcs that the kernels of small graphs read.
func (r *smallRun) pack(g *Graph) {
	weight, pack := int64(8), kernelSmallArcsx8
	if r.metric.name == "ticks32" {
		weight, pack = 4, kernelSmallArcsx4
	}
	r.arcs = r.alloc(2*weight*g.Arcs + 4*(g.N+1))
	r.rows = r.arcs.At(2 * weight * g.Arcs)
	if r.err == nil {
		r.err = r.device.Launch(pack, forEach(32*g.N), uint32(g.N), g.Offsets, g.Targets, r.metric.out, r.rows, r.arcs)
	}
}

// passes runs the sources in single precision, where that is allowed, and those that fail, or else all, in double.
func (r *smallRun) passes() []int32 {
	left := r.job.Sources
	if r.job.Single {
		left = r.pass(smallKernel(r.metric.name, "f32"), left, 0)
		r.shape = shapeSmall(sizeOf(r.job.Host), r.job.Want, r.device.Info(), 8)
	}
	double := func(left []int32) []int32 {
		return r.pass(smallKernel(r.metric.name, "f64"), left, len(r.job.Sources)-len(left))
	}
	return r.doubtful(double(left), double)
}

// pass runs the sources, and returns those that failed. done sources are done before.
func (r *smallRun) pass(kernel gpu.Kernel, sources []int32, done int) []int32 {
	shape := gpu.Shape{Grid: min(r.blocks, r.shape.blocks), Block: r.shape.threads, Shared: r.shape.shared}
	return r.launchBatches(kernel, shape, shape.Grid, 1, 0, sources, done, r.smallArgs)
}

// smallArgs fills BatchedSmall of kernels/small/small.cuh.
func (r *smallRun) smallArgs(sources, failed, control gpu.Ptr) gpu.Ptr {
	m, edges := r.metric, int64(0)
	if r.folding {
		edges = int64(r.job.Host.M())
	}
	return putArguments(&r.traverse, batchedSmallArguments{
		n:          r.job.Graph.N,
		arcs:       r.job.Graph.Arcs,
		rows:       r.rows,
		outArcs:    r.arcs,
		sources:    sources,
		nodes:      r.nodes,
		edges:      r.edges,
		nodeCounts: r.nodeCounts,
		edgeCounts: r.edgeCounts,
		heads:      r.heads,
		tails:      r.tails,
		m:          edges,
		ends:       r.ends,
		failed:     failed,
		lost:       r.lost,
		pairs:      r.totals,
		totals:     r.lengths,
		masses:     r.masses,
		tolerance:  m.tol,
		mul:        m.mul,
		div:        m.div,
		unique:     m.certain,
		endpoints:  one(r.job.Endpoints),
		width:      r.width,
		longRow:    int64(smallRow),
		sweep:      max(1, r.job.Graph.Arcs/smallSweep),
		room:       int64(r.shape.room),
		fold:       int64(r.fold),
		control:    control,
	})
}
