// Package hops computes what follows from distances by hops, without counts of paths: the closeness family, the summary
// of distances, and volumes. It searches from up to 1,024 neighbouring sources at a time, with one bit per source; see
// hops.cuh and docs/design/batches-by-hops.md.
package hops

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

//go:generate go run ../../internal/kernelgen

// Engine is the engine; see device.Engine.
type Engine struct{}

// Name returns the engine's name.
func (Engine) Name() string { return "hops" }

// Accepts reports whether the engine computes what is wanted. What it knows of edges rests on the distances of both
// ends, one of which may lie beyond a range.
func (Engine) Accepts(w device.Want, _ bool) bool {
	return !w.Weighted && !w.Folded && !w.Chooses() && w.MasksOnly() && len(w.Ranges) == 0 && !(w.Within > 0 && w.Edges)
}

// Parts returns what the engine needs of the graph.
func (Engine) Parts(w device.Want, _ bool) device.Parts {
	return device.Parts{Edges: w.Edges, Transpose: true, Tails: false, Weights: false, Ticks: false}
}

// Prepare fits teams into memory.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	s, least, ok := fit(j.Want, d, j.Deep(), free)
	if !ok {
		return nil, &gpu.TooLarge{What: e.Name(), Need: least, Free: free}
	}
	ballsFrom := order.DistancesBalls
	if s.kind == lanes { // bounds say which sources make a batch
		ballsFrom = math.MaxInt
	}
	return &prepared{
		shape: s, order: batches.ByHops{Lanes: s.team.lanes, BallsFrom: ballsFrom},
		plan: device.Plan{
			HostBytes: hostBytes(j.Want), DeviceBytes: least, Blocks: s.team.teams * s.team.blocks,
			Note: "",
		},
	}, nil
}

// hostBytes bounds the host memory of a run.
func hostBytes(w device.Want) int64 {
	bytes := batches.HostBytes(w) + 40*w.Size.Nodes
	if w.Edges {
		bytes += (device.WordBytes + longBytes + 4) * w.Size.Edges
	}
	return bytes
}

type prepared struct {
	shape shape
	order batches.ByHops
	plan  device.Plan
}

// Plan returns what the run takes.
func (p *prepared) Plan() device.Plan { return p.plan }

// Run computes the job; see device.Prepared. The summary of distances is added to Job.Hops.
func (p *prepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	seeks := p.shape.kind == lanes
	if j.Graph.N == 0 || seeks && j.Shard.Index > 0 { // the first shard finds the highest of all
		return device.Result{}, nil
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	start := time.Now()
	r := &run{calls: &device.Calls{Ctx: ctx, Device: memory}, job: j, shape: p.shape}
	r.graph = p.order.Put(r.calls, j, true)
	r.findSides()
	r.shape.search(j.Want, &r.arrays).Take(r.calls)
	if r.shape.kind.pairs() {
		r.listPairs()
	}
	if !seeks {
		r.findSources()
	}
	args := r.arguments()
	r.calls.Sync()
	result := device.Result{Preprocess: time.Since(start).Seconds(), Note: p.note()}
	if seeks {
		searched := r.seek(args)
		result.Note += fmt.Sprintf(", searched from %d nodes", searched)
		return result, r.calls.Err
	}
	r.search(args, len(r.sources), func(done int) { r.job.Progress(r.skipped + done) })
	r.results()
	return result, r.calls.Err
}

func (p *prepared) note() string {
	return fmt.Sprintf("%d lanes, %d teams of %d blocks", p.shape.team.lanes, p.shape.team.teams, p.shape.team.blocks)
}
