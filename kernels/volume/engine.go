// Package volume computes volumes within a radius: by searches with a bitmap, a block per node, or by merging sorted
// lists of neighbours (Cabral et al.), a warp per node. Up to radius 2 the former needs no search: see near.go.
package volume

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

//go:generate go run ../../internal/kernelgen

// Engine is one way to compute volumes; see device.Engine.
type Engine struct {
	// lists asks for sorted lists of neighbours in place of a bitmap.
	lists bool
}

// Engines lists the engines, for auto the best first.
func Engines() []device.Engine {
	return []device.Engine{Engine{}, Engine{lists: true}}
}

// Name returns the engine's name.
func (e Engine) Name() string {
	if e.lists {
		return "volume-lists"
	}
	return "volume-bitmap"
}

// Accepts reports whether the engine computes what is wanted.
func (e Engine) Accepts(w device.Want, _ bool) bool { return w.Kind() == kernels.Balls }

// Parts returns what the engine needs of the graph.
func (e Engine) Parts(device.Want, bool) device.Parts { return device.Parts{} }

// Prepare fits blocks into memory.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	l := e.layout(j.Want, d)
	if !l.fit(free) {
		return nil, &gpu.TooLarge{What: e.Name(), Need: l.bytes(), Free: free}
	}
	plan := device.Plan{Blocks: l.blocks, DeviceBytes: l.bytes(), HostBytes: 8 * int64(j.Want.Sources), Note: ""}
	return prepared{engine: e, layout: l, plan: plan}, nil
}

type prepared struct {
	engine Engine
	layout layout
	plan   device.Plan
}

// Plan returns what the run takes.
func (p prepared) Plan() device.Plan { return p.plan }

// Run computes the job; see device.Prepared. Volumes are whole numbers of one source each, so that a shard is any range
// of sources.
func (p prepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	if j.Graph.N == 0 {
		return device.Result{}, nil
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &run{calls: &device.Calls{Ctx: ctx, Device: memory}, job: j, layout: p.layout, nodes: j.Sources}
	if j.Only != nil {
		r.nodes = j.Only
	}
	r.first, r.last = j.Shard.Part(len(r.nodes))
	r.layout.buffers(&r.arrays).Take(r.calls)
	switch near := j.Want.Radius() <= nearRadius; {
	case p.engine.lists:
		r.balls(kernelVolumeLists)
	case near:
		r.near()
	default:
		r.balls(kernelVolumeBitmap)
	}
	r.add()
	return device.Result{}, r.calls.Err
}

// run is one run of an engine.
type run struct {
	calls  *device.Calls
	job    *device.Job
	layout layout
	arrays arrays
	// nodes are the sources, of which the run has those numbered first to last.
	nodes       []int32
	first, last int
}

// all reports whether the sources are all nodes in their order.
func (r *run) all() bool { return r.job.All && r.job.Only == nil }

// chunks calls launch for ranges of the run's sources, of so many at least.
func (r *run) chunks(unit int, launch func(first, last int64)) {
	if r.calls.Err != nil {
		return
	}
	r.calls.Err = device.Chunks(r.calls, r.last-r.first, unit, r.job.Progress, func(first, count int) error {
		launch(int64(r.first+first), int64(r.first+first+count))
		return r.calls.Err
	})
}

// add adds the volumes to the sums of the job. What a run does not write is 0.
func (r *run) add() {
	volumes := make([]float64, len(r.nodes))
	if device.Download(r.calls, volumes, r.arrays.volumes); r.calls.Err != nil {
		return
	}
	r.job.Partial.Nodes.Fill(int(r.job.Graph.N))
	for i, x := range volumes {
		r.job.Partial.Nodes.Add(int(r.nodes[i]), x)
	}
}
