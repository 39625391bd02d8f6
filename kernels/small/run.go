package small

import (
	"fmt"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// run is one run of the engine.
type run struct {
	prepared
	calls  *device.Calls
	job    *device.Job
	metric device.Metric
	width  float64 // of a bucket
	arrays arrays
	// sums is the allocation of what starts as zeros.
	sums gpu.Ptr
}

// begin takes what the run needs.
func (r *run) begin() {
	c, j := r.calls, r.job
	if r.metric = device.NewMetric(c, j); c.Err != nil {
		return
	}
	if r.metric.Name != "ticks32" {
		r.shape = r.wide
	}
	var packed gpu.Ptr
	r.shape.buffers(j.Want, r.metric.Name, &r.sums, &packed, &r.arrays).Take(c)
	r.shape.split(j.Want, r.sums, &r.arrays)
	r.pack(packed)
	if j.Masses != nil {
		r.arrays.masses = device.Upload(c, j.Masses)
	}
	if j.Edges && j.Folds() {
		source, target := j.Host.Ends()
		r.arrays.tails, r.arrays.heads = device.Upload(c, source), device.Upload(c, target)
	}
	if r.width = bucketArcs * r.metric.Width; j.Bucket > 0 {
		r.width = j.Bucket * r.metric.Width
	}
	c.Sync()
}

// pack makes the rows and arcs that the kernels read.
func (r *run) pack(packed gpu.Ptr) {
	g, weight, kernel := r.job.Graph, keyBytes(r.metric.Name), kernelSmallArcsx8
	if weight == 4 {
		kernel = kernelSmallArcsx4
	}
	r.arrays.arcs, r.arrays.rows = packed, packed.At(2*weight*g.Arcs)
	r.calls.Launch(kernel, device.ForEach(32*g.N), uint32(g.N), g.Offsets, g.Targets, r.metric.Out, r.arrays.rows,
		r.arrays.arcs)
}

// form is the numbers of one pass: how paths are counted, and of how many arcs they may be whose lengths are told
// apart, 0 for any.
type form struct {
	number string
	arcs   int64
}

// forms lists the passes. Sources that one leaves are left to the next, those of the last to another engine.
func (r *run) forms() []form {
	if r.job.Folds() {
		return []form{{number: "folds"}}
	}
	all := []form{{"f32", r.metric.Certain}, {"f64", r.metric.Certain}}
	if !r.metric.Unique {
		return all
	}
	for _, arcs := range device.ArcBounds(r.metric.Certain) {
		all = append(all, form{"f64", arcs})
	}
	return all
}

// search runs the job's passes over its part of the sources. A part of a run ends with its first pass, since the next
// one does what all parts left.
func (r *run) search(result *device.Result) {
	j, forms := r.job, r.forms()
	pass := j.Pass
	if pass == 0 && len(forms) > 1 && !j.Single {
		pass = 1
	}
	left, done := r.sources(), 0
	for ; pass < len(forms) && len(left) > 0 && r.calls.Err == nil; pass++ {
		before := len(left)
		left = r.pass(forms[pass], left, done)
		if done += before - len(left); !j.Shard.Whole() {
			break
		}
	}
	if result.Left = left; len(left) > 0 && pass+1 < len(forms) && !j.Shard.Whole() {
		result.Pass = pass + 1
	}
	result.Doubtful = len(left) > 0 && r.metric.Unique
}

// sources are those of the job, or those that are left, in its order.
func (r *run) sources() []int32 {
	if r.job.Only == nil {
		return r.job.Sources
	}
	wanted := map[int32]bool{}
	for _, v := range r.job.Only {
		wanted[v] = true
	}
	return slices.DeleteFunc(slices.Clone(r.job.Sources), func(v int32) bool { return !wanted[v] })
}

// pass runs the shard's atoms of the sources, and returns those that failed. done sources are done before.
func (r *run) pass(f form, sources []int32, done int) (left []int32) {
	s := r.shape
	if f.number == "f64" {
		s = r.wide
	}
	if f.arcs > 0 {
		r.metric.TellApart(f.arcs)
	}
	grid := min(r.shape.blocks, s.blocks)
	atom := atomSources * grid
	first, last := r.job.Shard.Part((len(sources) + atom - 1) / atom)
	for i := first; i < last; i++ {
		some := sources[i*atom : min((i+1)*atom, len(sources))]
		left = append(left, batches.Launch{
			Kernel: r.kernel(f.number), Shape: gpu.Shape{Grid: grid, Block: s.threads, Shared: s.shared}, Teams: grid, Lanes: 1,
			Arguments: func(sources, failed, control gpu.Ptr) gpu.Ptr { return r.arguments(s, sources, failed, control) },
			Progress:  func(count int) { r.job.Progress(done + (i-first)*atom + count) },
		}.Run(r.calls, slices.Clone(some))...)
		r.join()
	}
	return left
}

// kernel is that of a form.
func (r *run) kernel(number string) gpu.Kernel {
	if number == "folds" {
		return foldKernel(r.metric.Name)
	}
	return countKernel(r.metric.Name, number)
}

// greatest reports whether folds are the greatest distances, which are joined at the end.
func (r *run) greatest() bool {
	fold, ok := kernels.FoldOf(r.job.Measure)
	return ok && fold == kernels.FoldGreatest
}

// join adds the sums of the blocks to the exact sums, and clears them for the next atom.
func (r *run) join() {
	if r.greatest() {
		return
	}
	c, a, g, b, scale := r.calls, &r.arrays, r.job.Graph, r.shape.blocks, r.job.Partial.Scale()
	c.AddBlocks(a.nodes, g.N, b, scale, a.joinedNodes)
	c.Clear(a.nodes, 8*g.N*int64(b))
	if !r.job.Edges {
		return
	}
	if r.job.Folds() {
		m := r.job.Size.Edges
		c.AddBlocks(a.edges, m, b, scale, a.joinedEdges)
		c.Clear(a.edges, 8*m*int64(b))
		return
	}
	c.AddArcs(a.edges, g, b, scale, a.joinedEdges)
	c.Clear(a.edges, 8*g.Arcs*int64(b))
}

// collect adds what the blocks found to the job's partial result, and reports an arc that does not lengthen a path.
// There is room for values as in device.Job.
func (r *run) collect(values device.Values) {
	c, a, p, b := r.calls, &r.arrays, r.job.Partial, r.shape.blocks
	all := make([]int64, 1+2*b) // lost, pairs and lengths, which lie together
	if device.Download(c, all, a.lost); c.Err != nil {
		return
	}
	if all[0] != 0 {
		c.Err = r.metric.Lost(r.job, all[0]-1)
		return
	}
	lengths := make([]float64, b)
	for i := range lengths {
		lengths[i] = math.Float64frombits(uint64(all[1+b+i]))
	}
	p.AddTotals(all[1:1+b], lengths)
	c.AddExact(p.Nodes, r.job.Host.N(), a.joinedNodes, 0, values.Nodes)
	c.AddExact(p.Edges, r.job.Host.M(), a.joinedEdges, 0, values.Edges)
	c.JoinCounts(p.NodeCounts, a.nodeCounts, b)
	c.JoinCounts(p.EdgeCounts, a.edgeCounts, b)
	c.JoinGreatest(p.MostNodes, a.nodes, b)
	c.JoinGreatest(p.MostEdges, a.edges, b)
}

func (r *run) note(left int) string {
	note := fmt.Sprintf("%d blocks with a source each in %d bytes of shared memory, %s, buckets of %.3g",
		r.shape.blocks, r.shape.shared, r.metric.Name, r.width*r.metric.Mul/r.metric.Div)
	if left > 0 {
		note += fmt.Sprintf("; %d sources left", left)
	}
	return note
}

// arguments fills BatchedSmall of small.cuh.
func (r *run) arguments(s shape, sources, failed, control gpu.Ptr) gpu.Ptr {
	m, a, g := r.metric, r.arrays, r.job.Graph
	edges, fold := int64(0), kernels.Fold(0)
	if r.job.Folds() {
		edges = r.job.Size.Edges
		fold, _ = kernels.FoldOf(r.job.Measure)
	}
	return device.Put(r.calls, batchedSmallArguments{
		n:          g.N,
		arcs:       g.Arcs,
		rows:       a.rows,
		outArcs:    a.arcs,
		sources:    sources,
		nodes:      a.nodes,
		edges:      a.edges,
		nodeCounts: a.nodeCounts,
		edgeCounts: a.edgeCounts,
		heads:      a.heads,
		tails:      a.tails,
		m:          edges,
		ends:       a.ends,
		failed:     failed,
		lost:       a.lost,
		pairs:      a.pairs,
		totals:     a.lengths,
		masses:     a.masses,
		tolerance:  m.Tol,
		mul:        m.Mul,
		div:        m.Div,
		unique:     m.Certain,
		endpoints:  device.One(r.job.Endpoints),
		width:      r.width,
		longRow:    int64(longRow),
		sweep:      max(1, g.Arcs/sweepShare),
		room:       int64(s.room),
		fold:       int64(fold),
		control:    control,
	})
}
