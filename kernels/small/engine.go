// Package small computes betweenness and the closeness family by weights on graphs so small that a thread block has all
// of a source in shared memory; see small.cuh and docs/design/batches-by-weights.md.
package small

import (
	"context"
	"fmt"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

//go:generate go run ../../internal/kernelgen

// Engine is the engine; see device.Engine.
type Engine struct{}

// Name returns the engine's name.
func (Engine) Name() string { return "small" }

// Accepts reports whether the engine computes what is wanted, on graphs that are small enough.
func (Engine) Accepts(w device.Want, _ bool) bool {
	return w.Weighted && !w.Profile && !w.Folded && (w.Folds() || w.Kind() == kernels.Dependencies)
}

// Parts returns what the engine needs of the graph.
func (Engine) Parts(w device.Want, _ bool) device.Parts {
	return device.Parts{Edges: w.Edges, Transpose: true, Weights: true, Ticks: true}
}

// Suits reports whether a device has the shared memory for the job.
func (e Engine) Suits(j *device.Job, d gpu.Info) bool {
	return e.Accepts(j.Want, j.Host.Directed) && fit(j.Want, d).blocks > 0 && mostArcsIn(j.Host) <= mostPending
}

// Prepare shares the device out among searches.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	if !e.Suits(j, d) {
		why := "a search of %d nodes and %d edges does not fit into the shared memory of a thread block"
		return nil, &device.Unsuited{Why: fmt.Sprintf(why, j.Size.Nodes, j.Size.Edges)}
	}
	if err := j.Resolves(); err != nil {
		return nil, err
	}
	s := fit(j.Want, d)
	bytes := s.bytes(j.Want)
	if bytes > free {
		return nil, &gpu.TooLarge{What: e.Name(), Need: bytes, Free: free}
	}
	return prepared{shape: s, plan: device.Plan{HostBytes: hostBytes(j.Want), DeviceBytes: bytes, Blocks: s.blocks}}, nil
}

// hostBytes bounds what lists of sources and results take of host memory.
func hostBytes(w device.Want) int64 {
	return 32*w.Size.Nodes + 32*w.Size.Edges + 16*device.Arcs(w.Size) + 16*int64(w.Sources)
}

type prepared struct {
	shape shape
	plan  device.Plan
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
	r := &run{calls: &device.Calls{Ctx: ctx, Device: memory}, job: j, shape: p.shape}
	return r.all()
}
