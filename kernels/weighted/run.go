package weighted

import (
	"fmt"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/profile"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// run is one run of the engine.
type run struct {
	calls  *device.Calls
	job    *device.Job
	team   teams
	metric device.Metric
	fold   kernels.Fold
	graph  *batches.Ordered
	layout layout
	arrays batchedWeightedArrays
	// outWeights and inWeights are those of the arcs, in the order of batches.
	outWeights, inWeights gpu.Ptr
	// width is how far a bucket reaches, in units of the metric.
	width float64
	// masses, insides and demands are of nodes in the order of batches, oldNumbers the nodes themselves for rows; or 0.
	masses, insides, demands, oldNumbers gpu.Ptr
	// apart is the pass to launch with rows of every batch kept; 0 for both passes with rows of every team.
	apart int64
	// counters is what the kernels of a profile count in, or 0; profile is what they counted.
	counters gpu.Ptr
	profile  *profile.Profile
}

// all runs the job's part of the sources, with an order that is in the making.
func (r *run) all(ordering *order.ByWeights) (device.Result, error) {
	start := time.Now()
	r.begin(ordering)
	result := device.Result{Preprocess: time.Since(start).Seconds(), Ties: r.metric.Ties}
	if r.calls.Err != nil {
		return result, r.calls.Err
	}
	r.search(&result)
	r.findLost()
	r.addResults(r.job.Room(result.Left))
	result.Profile, result.Note = r.profile, r.note()
	return result, r.calls.Err
}

func (r *run) note() string {
	m := &r.metric
	note := fmt.Sprintf("%d lanes, %d teams of %d blocks, %s, buckets of %.3g",
		weightedLanes, r.team.teams, r.team.blocks, m.Name, r.width*m.Mul/m.Div)
	if r.layout.bounded {
		note += ", with bounds"
	}
	return note
}

// begin takes what the run needs, the graph in the order of batches.
func (r *run) begin(ordering *order.ByWeights) {
	defer ordering.Wait()
	j, c := r.job, r.calls
	if r.fold, _ = kernels.FoldOf(j.Measure); j.Measure == device.Distances {
		r.fold = kernels.FoldGreatest
	}
	if r.metric = device.NewMetric(c, j); c.Err == nil {
		r.narrowFurther()
	}
	if r.metric.Unique {
		r.metric.TellApart(device.CertainRounds)
	}
	if j.Pass >= longPass {
		r.team, _ = r.team.longer(j.Graph.N)
	}
	r.takeMemory() // while nodes are ordered
	r.ready()
	ordering.Wait()
	j.SetDepth(ordering.Depth)
	r.graph = batches.InOrder(c, j, ordering.Nodes, ordering.Turns, false)
	r.moveWeights()
	r.masses, r.insides = r.graph.Moved(j.Masses), r.graph.Moved(j.Insides)
	if wantsRows(j.Want) {
		r.oldNumbers = device.Upload(c, r.graph.Nodes)
	}
	c.Sync()
}

// ready has the device load the kernels of the first pass, while nodes are ordered.
func (r *run) ready() {
	if r.calls.Err != nil {
		return
	}
	kernel := r.countingKernel("f64", false)
	switch {
	case wantsRows(r.job.Want) || r.job.LevelsOnly():
		kernel = foldKernel(r.metric.Name, r.layout.bounded)
	case r.firstPass() == singlePass:
		kernel = r.countingKernel("f32", r.job.Profile)
	}
	batches.Ready(r.calls, r.job.Graph.N)
	r.calls.Ready(batches.KernelRelabelWeights, device.ForEach(32*r.job.Graph.N))
	r.calls.Ready(kernel, r.shape())
}

// takeMemory allocates the arrays for the lengths at hand.
func (r *run) takeMemory() {
	if r.calls.Err != nil {
		return
	}
	r.layout = layout{key: 8, bounded: r.keepsBounds()}
	if r.metric.Name == "ticks32" {
		r.layout.key = 4
	}
	r.layout.hubs, r.layout.segments = longRows(r.job.Host)
	if r.apart != 0 {
		r.layout.kept = batchesOf(len(r.job.Sources))
	}
	r.buffers().Take(r.calls)
}

// buffers lists the arrays of the run.
func (r *run) buffers() device.Buffers { return r.team.buffers(r.job.Want, r.layout).list(&r.arrays) }

// narrowFurther measures in 32-bit ticks also where a path of all nodes would not fit, but no shortest path of an
// undirected graph is too long: none is longer than twice the farthest of a component from any one node.
func (r *run) narrowFurther() {
	if r.metric.Name != "ticks64" || r.job.Host.Directed || r.job.Within > 0 {
		// an arc out of a range is no part of a shortest path
		return
	}
	ticks := device.HostTicks(r.calls, r.job)
	if r.calls.Err != nil {
		return
	}
	for _, t := range ticks {
		if t >= math.MaxUint32/2 {
			return
		}
	}
	if search.LongestTicks(r.job.Host, ticks) < math.MaxUint32-1 {
		r.metric.Narrow(r.calls, r.job.Graph)
	}
}

// moveWeights puts the weights into the order of batches.
func (r *run) moveWeights() {
	g, c, words := r.job.Graph, r.calls, r.layout.key/4
	from := device.Upload(c, r.graph.Nodes)
	move := func(g *device.Graph, weights gpu.Ptr, rows batches.Rows) gpu.Ptr {
		out := c.Alloc(4 * words * g.Arcs)
		c.Launch(batches.KernelRelabelWeights, device.ForEach(32*g.N),
			uint32(g.N), g.Offsets, weights, uint32(words), from, rows.Offsets, out)
		return out
	}
	r.outWeights = move(g, r.metric.Out, r.graph.Out)
	if r.inWeights = r.outWeights; g.In != g {
		r.inWeights = move(g.In, r.metric.In, r.graph.In)
	}
	c.Free(from)
	r.width = r.bucketWidth() * r.metric.Width
}

// findLost reports an arc that does not lengthen a path. The device has its place in the order of batches.
func (r *run) findLost() {
	var arc [1]int64
	if device.Download(r.calls, arc[:], r.arrays.lost); r.calls.Err != nil || arc[0] == 0 {
		return
	}
	at, begins, i := uint32(arc[0]-1), r.graph.Out.Begins(), 0
	for begins[i+1] <= at {
		i++
	}
	r.calls.Err = r.metric.Lost(r.job, r.job.Host.Offsets[r.graph.Nodes[i]]+int64(at-begins[i]))
}
