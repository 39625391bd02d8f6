package triangles

import (
	"math"
	"math/bits"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// layout is what the memory of a run depends on.
type layout struct {
	nodes, edges int64
	score        int
	// counted reports whether the score is made of triangles, weighted whether their third nodes have weights, and
	// edgeScores whether edges have scores: wanted ones, or those of which the scores of nodes are means.
	counted, weighted, edgeScores bool
}

// arrays are the arrays of a run: see Triangles in triangles.cu.
type arrays struct {
	degrees, lengths, starts, heads, tails, weights, counts, nodeCounts, nodeScores, edgeScores gpu.Ptr
}

func layoutOf(j *device.Job) layout {
	score, _ := scoreOf(j.Want)
	return layout{
		nodes: j.Size.Nodes, edges: j.Size.Edges, score: score, counted: score != formanCurvature,
		weighted: score == adamicAdarIndex, edgeScores: j.Want.Edges || score > clusteringShares,
	}
}

// buffers lists the arrays of a run. An edge has a place at most.
func (l layout) buffers(a *arrays) device.Buffers {
	places := l.edges * device.One(l.counted)
	return device.Buffers{
		{Name: "degrees", Bytes: 4 * l.nodes, Into: &a.degrees},
		{Name: "lengths", Bytes: 4 * l.nodes * device.One(l.counted), Into: &a.lengths},
		{Name: "starts", Bytes: 8 * (l.nodes + 1) * device.One(l.counted), Into: &a.starts},
		{Name: "heads", Bytes: 4 * places, Into: &a.heads},
		{Name: "tails", Bytes: 4 * places, Into: &a.tails},
		{Name: "weights", Bytes: 8 * l.nodes * device.One(l.weighted), Into: &a.weights},
		{Name: "counts", Bytes: 8 * places, Zero: true, Into: &a.counts},
		{Name: "counts of nodes", Bytes: 8 * l.nodes * device.One(l.score <= clusteringShares), Zero: true,
			Into: &a.nodeCounts},
		{Name: "scores of nodes", Bytes: 8 * l.nodes, Into: &a.nodeScores},
		{Name: "scores of edges", Bytes: 8 * l.edges * device.One(l.edgeScores), Zero: true, Into: &a.edgeScores},
	}
}

// bytes bounds the device memory of a run.
func (l layout) bytes() int64 {
	const arguments = 1 << 12
	return l.buffers(&arrays{}).Bytes() + arguments
}

// run is one run of the engine.
type run struct {
	calls  *device.Calls
	job    *device.Job
	layout layout
	arrays arrays
	// places is how many edges there are, parallel ones once; unit divides the counts.
	places int64
	unit   float64
	args   gpu.Ptr
}

// arguments returns Triangles of triangles.cu.
func (r *run) arguments() gpu.Ptr {
	if r.args != 0 {
		return r.args
	}
	a, g := r.arrays, r.job.Graph
	r.args = device.Put(r.calls, trianglesArguments{
		n:          g.N,
		offsets:    g.Offsets,
		targets:    g.Targets,
		edges:      g.Edges,
		degrees:    a.degrees,
		lengths:    a.lengths,
		starts:     a.starts,
		heads:      a.heads,
		tails:      a.tails,
		places:     r.places,
		weights:    a.weights,
		counts:     a.counts,
		nodeCounts: a.nodeCounts,
		unit:       r.unit,
		score:      int64(r.layout.score),
		nodeScores: a.nodeScores,
		edgeScores: a.edgeScores,
	})
	return r.args
}

// perNode launches a kernel with a warp per node.
func (r *run) perNode(kernel gpu.Kernel) {
	r.calls.Launch(kernel, device.ForEach(32*r.layout.nodes), r.arguments())
}

// count finds all triangles.
func (r *run) count() {
	r.weigh()
	r.perNode(kernelTriangleLengths)
	lengths, starts := make([]uint32, r.layout.nodes), make([]int64, r.layout.nodes+1)
	device.Download(r.calls, lengths, r.arrays.lengths)
	for v, length := range lengths {
		starts[v+1] = starts[v] + int64(length)
	}
	r.calls.Do(func() error { return r.calls.Device.CopyIn(r.arrays.starts, gpu.Bytes(starts)) })
	r.places, r.args = starts[r.layout.nodes], 0
	r.perNode(kernelTriangleRows)
	progress := func(done int) { r.job.Progress(int(float64(len(r.job.Sources)) * float64(done) / float64(r.places))) }
	r.calls.Do(func() error {
		return device.Chunks(r.calls, int(r.places), chunk, progress, func(first, count int) error {
			shape := device.ForEach(32 * int64(count))
			return r.calls.Device.Launch(kernelTriangleCounts, shape, r.arguments(), int64(first), int64(first+count))
		})
	})
}

// chunk is the least number of edges whose triangles are found at a time.
const chunk = 1 << 18

// weigh gives nodes the weights of Adamic and Adar, in the units of kernels/structure.
func (r *run) weigh() {
	if !r.layout.weighted {
		return
	}
	degrees, most := make([]uint32, r.layout.nodes), uint32(0)
	device.Download(r.calls, degrees, r.arrays.degrees)
	for _, d := range degrees {
		most = max(most, d)
	}
	r.unit = math.Ldexp(1, 62-bits.Len32(most))
	weights := make([]uint64, len(degrees))
	for v, d := range degrees {
		if d > 1 { // as all third nodes have
			weights[v] = uint64(math.Round(r.unit / math.Log(float64(d))))
		}
	}
	r.calls.Do(func() error { return r.calls.Device.CopyIn(r.arrays.weights, gpu.Bytes(weights)) })
	r.args = 0
}

// score makes the scores, of edges first, and fills the job's partial result: nodes, and then edges where they are
// wanted.
func (r *run) score() {
	if r.layout.score <= clusteringShares {
		r.calls.Launch(kernelTriangleNodes, device.ForEach(r.places), r.arguments())
	}
	if r.layout.edgeScores {
		r.perNode(kernelTriangleEdgeScores)
	}
	r.perNode(kernelTriangleNodeScores)
	alone, n := r.job.Partial.Alone, r.layout.nodes
	device.Download(r.calls, alone[:n], r.arrays.nodeScores)
	if r.job.Want.Edges && r.layout.edges > 0 {
		device.Download(r.calls, alone[n:], r.arrays.edgeScores)
	}
}
