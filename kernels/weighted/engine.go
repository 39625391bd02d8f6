// Package weighted computes betweenness, stress, the closeness family and distances by weights from 32 neighbouring
// sources at a time, with one lane per source; see weighted.cuh and docs/design/batches-by-weights.md.
package weighted

import (
	"context"
	"sync"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

//go:generate go run ../../internal/kernelgen

// Engine is the engine; see device.Engine.
type Engine struct{}

// Name returns the engine's name.
func (Engine) Name() string { return "weighted" }

// Accepts reports whether the engine computes what is wanted.
func (Engine) Accepts(w device.Want, _ bool) bool {
	return w.Weighted && !w.Chooses() && len(w.Ranges) == 0 &&
		(w.LevelsOnly() || w.Kind() == kernels.Dependencies || w.Kind() == kernels.PathCounts)
}

// Parts returns what the engine needs of the graph.
func (Engine) Parts(w device.Want, _ bool) device.Parts {
	return device.Parts{Edges: w.Edges, Transpose: true, Weights: true, Ticks: true, Tails: false}
}

// Prepare fits teams into memory.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	if err := j.Resolves(); err != nil {
		return nil, err
	}
	team, least := fitTeams(j.Want, d, free)
	if team.teams == 0 {
		return nil, &gpu.TooLarge{What: e.Name(), Need: least, Free: free}
	}
	return &prepared{team: team, plan: device.Plan{
		HostBytes: hostBytes(j.Want, team), DeviceBytes: team.bytes(j.Want), Blocks: team.teams * team.blocks,
		Note: "",
	}}, nil
}

// hostBytes bounds what ordering takes of host memory, and rows of distances.
func hostBytes(w device.Want, t teams) int64 {
	bytes := batches.HostBytes(w) + 40*w.Size.Nodes + 32*device.Arcs(w.Size)
	if wantsRows(w) {
		bytes += int64(t.teams) * weightedLanes * w.Size.Nodes * 8
	}
	return bytes
}

type prepared struct {
	team teams
	plan device.Plan
	// begun is done once an order is in the making; all parts and passes of the run share it.
	begun    sync.Once
	ordering *order.ByWeights
}

// Plan returns what the run takes.
func (p *prepared) Plan() device.Plan { return p.plan }

// Begin orders the nodes on threads of their own; see device.Beginner.
func (p *prepared) Begin(j *device.Job) (wait func()) {
	if j.Host.N() == 0 {
		return func() {}
	}
	return p.order(j).Wait
}

// order returns the order in the making.
func (p *prepared) order(j *device.Job) *order.ByWeights {
	p.begun.Do(func() { p.ordering = beginOrder(j) })
	return p.ordering
}

// beginOrder begins to order a job, from a copy of it, so that others may read and change the job.
func beginOrder(j *device.Job) *order.ByWeights {
	of := *j
	return order.BeginByWeights(of.Host, of.Sources, weightedLanes, of.LevelsOnly(), of.Depth, of.Once)
}

// Run computes the job; see device.Prepared.
func (p *prepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	if j.Graph.N == 0 {
		return device.Result{}, nil
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &run{calls: &device.Calls{Ctx: ctx, Device: memory}, job: j, team: p.team}
	return r.all(p.order(j))
}
