package small

import (
	"fmt"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// run is one run of the engine.
type run struct {
	calls  *device.Calls
	job    *device.Job
	shape  shape
	metric device.Metric
	fold   kernels.Fold
	// blocks is the number of blocks that have sums.
	blocks int
	width  float64
	arrays arrays
	places places
	// used reports that the blocks' sums are not zeros.
	used bool
	// rows are where rows of arcs begin; masses is of nodes, tails and heads are the ends of edges for folds; or 0.
	rows, masses, tails, heads gpu.Ptr
}

// all runs the job's part of the sources.
func (r *run) all() (device.Result, error) {
	start := time.Now()
	r.begin()
	result := device.Result{Preprocess: time.Since(start).Seconds(), Ties: r.metric.Ties}
	if r.calls.Err != nil {
		return result, r.calls.Err
	}
	r.search(&result)
	r.addResults()
	m := &r.metric
	result.Note = fmt.Sprintf("%d blocks with a source each in %d bytes of shared memory, %s, buckets of %.3g",
		r.blocks, r.shape.shared, m.Name, r.width*m.Mul/m.Div)
	return result, r.calls.Err
}

// begin takes what the run needs.
func (r *run) begin() {
	j, c := r.job, r.calls
	r.fold, _ = kernels.FoldOf(j.Measure)
	if r.metric = device.NewMetric(c, j); c.Err != nil {
		return
	}
	key := int64(4)
	if r.metric.Name != "ticks32" {
		key, r.shape = 8, r.wide()
	}
	r.blocks, r.places = r.shape.blocks, r.shape.places(j.Want)
	r.shape.buffers(j.Want, key, &r.arrays).Take(c)
	r.pack(key)
	if j.Masses != nil {
		r.masses = device.Upload(c, j.Masses)
	}
	if j.Edges && j.Folds() {
		source, target := j.Host.Ends()
		r.tails, r.heads = device.Upload(c, source), device.Upload(c, target)
	}
	if r.width = bucketArcs * r.metric.Width; j.Bucket > 0 {
		r.width = j.Bucket * r.metric.Width
	}
	c.Sync()
}

// wide is the shape with numbers of 8 bytes.
func (r *run) wide() shape { return fitNumbers(r.job.Want, r.calls.Device.Info(), 8) }

// pack makes the rows and arcs that the kernels read.
func (r *run) pack(key int64) {
	g, pack := r.job.Graph, kernelSmallArcsx8
	if key == 4 {
		pack = kernelSmallArcsx4
	}
	r.rows = r.arrays.arcs.At(2 * key * g.Arcs)
	r.calls.Launch(pack, device.ForEach(32*g.N), uint32(g.N), g.Offsets, g.Targets, r.metric.Out, r.rows, r.arrays.arcs)
}

// The passes of a run that counts paths, and those from doubtPass on: sources of whose ties float64 leaves doubt are
// searched from again, with one tolerance in each pass.
const (
	singlePass = iota
	doublePass
	doubtPass
)

// search runs the job's passes over its part of the sources. A part of a run ends with its first pass, as the next one
// shares out what all parts left.
func (r *run) search(result *device.Result) {
	j := r.job
	left := j.Sources
	if j.Only != nil {
		left = slices.Sorted(slices.Values(j.Only))
	}
	if j.Folds() {
		r.launch(foldKernel(r.metric.Name), left, 0)
		return
	}
	pass, done := j.Pass, 0
	if pass == singlePass && !j.Single {
		pass = doublePass
	}
	for r.calls.Err == nil && len(left) > 0 {
		count := len(left)
		left = r.pass(pass, left, done)
		done += count - len(left)
		if pass = r.after(pass); pass == 0 {
			break
		}
		if len(left) > 0 && !j.Shard.Whole() {
			result.Pass = pass
			break
		}
		slices.Sort(left)
	}
	result.Left = left
	result.Doubtful = result.Pass == 0 && len(left) > 0 && r.metric.Unique
}

// after is the pass for the sources that a pass leaves; 0 for none.
func (r *run) after(pass int) int {
	if pass == singlePass || r.metric.Unique && pass+1-doubtPass < len(r.doubts()) {
		return pass + 1
	}
	return 0
}

// doubts are bounds on the arcs of paths for the passes from doubtPass on.
func (r *run) doubts() []int64 { return device.ArcBounds(r.metric.Certain) }

// pass runs the job's part of the sources, and returns those that failed. done sources are done before.
func (r *run) pass(pass int, sources []int32, done int) []int32 {
	if pass == singlePass {
		return r.launch(countKernel(r.metric.Name, "f32"), sources, done)
	}
	r.shape = r.wide()
	if pass >= doubtPass {
		defer func(before device.Metric) { r.metric = before }(r.metric)
		r.metric.TellApart(r.doubts()[pass-doubtPass])
	}
	return r.launch(countKernel(r.metric.Name, "f64"), sources, done)
}

// launch runs the job's part of the sources by one kernel, joins what the blocks add up, and returns the sources that
// failed.
func (r *run) launch(kernel gpu.Kernel, sources []int32, done int) []int32 {
	if r.calls.Err != nil {
		return nil
	}
	nodes, grid := part(sources, min(r.blocks, r.shape.blocks), r.job.Shard)
	if r.used {
		r.clearParts()
	}
	left := batches.Launch{
		Kernel: kernel, Shape: gpu.Shape{Grid: grid, Block: r.shape.threads, Shared: r.shape.shared},
		Teams: grid, Lanes: 1, Arguments: r.arguments, Progress: func(count int) { r.job.Progress(done + count) },
	}.Run(r.calls, nodes)
	if r.used = len(nodes) > 0; r.used {
		r.join(grid)
	}
	return left
}

// part is the shard of the sources that so many blocks share out: source i is of block i modulo their number, and a
// shard has whole blocks, with all sources of each. It returns them in the order in which as many blocks as there are
// in the shard take turns.
func part(sources []int32, blocks int, s device.Shard) (nodes []int32, grid int) {
	grid = min(blocks, len(sources))
	if s.Whole() {
		return sources, grid
	}
	first, last := s.Part(grid)
	for row := 0; row < len(sources); row += blocks {
		nodes = append(nodes, sources[min(row+first, len(sources)):min(row+last, len(sources))]...)
	}
	return nodes, last - first
}
