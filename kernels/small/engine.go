// Package small computes betweenness and the closeness family by weights on graphs that are so small that a thread
// block has all of a source in shared memory; see small.cuh and docs/design/batches-by-weights.md.
package small

import (
	"context"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

//go:generate go run ../../internal/kernelgen

// Engine is the engine; see device.Engine.
type Engine struct{}

// Name returns the engine's name.
func (Engine) Name() string { return "small" }

// Accepts reports whether the engine computes what is wanted.
func (Engine) Accepts(w device.Want, _ bool) bool {
	return w.Weighted && w.Within == 0 && !w.Profile && !w.Folded && !w.Chooses() &&
		(w.Kind() == kernels.Dependencies || w.Folds())
}

// Parts returns what the engine needs of the graph.
func (Engine) Parts(w device.Want, _ bool) device.Parts {
	return device.Parts{Edges: w.Edges, Transpose: true, Weights: true, Ticks: true, Tails: false}
}

// Suits reports whether the graph fits into the shared memory of a block.
func (Engine) Suits(j *device.Job, d gpu.Info) bool {
	return fit(j.Want, d).blocks > 0 && mostArcsIn(j.Host) <= math.MaxUint16
}

// Prepare gives each multiprocessor as many blocks as fit.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	if !e.Suits(j, d) {
		return nil, &device.Unsuited{Why: "the graph does not fit into the shared memory of a thread block"}
	}
	s := fit(j.Want, d)
	bytes := max(s.bytes(j.Want), shapeOf(j.Want, d, 8).bytes(j.Want))
	if bytes > free {
		return nil, &gpu.TooLarge{What: e.Name(), Need: bytes, Free: free}
	}
	return prepared{shape: s, wide: shapeOf(j.Want, d, 8), plan: device.Plan{
		HostBytes: 24*j.Size.Nodes + 32*device.Arcs(j.Size) + 8*int64(j.Want.Sources), DeviceBytes: bytes, Blocks: s.blocks,
		Note: "",
	}}, nil
}

// prepared is a run that was planned.
type prepared struct {
	// shape is for the smallest numbers that may do, wide for those of 8 bytes.
	shape, wide shape
	plan        device.Plan
}

// Plan returns what the run takes.
func (p prepared) Plan() device.Plan { return p.plan }

// Run computes the job; see device.Prepared.
func (p prepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	if j.Graph.N == 0 {
		return device.Result{}, nil
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	start := time.Now()
	r := &run{prepared: p, calls: &device.Calls{Ctx: ctx, Device: memory}, job: j}
	r.begin()
	result := device.Result{Preprocess: time.Since(start).Seconds(), Ties: r.metric.Ties}
	r.search(&result)
	r.collect(j.Room(result.Left))
	result.Note = r.note(len(result.Left))
	return result, r.calls.Err
}
