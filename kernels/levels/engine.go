// Package levels computes betweenness by hops from up to 128 neighbouring sources at a time, level by level, with one lane per
// source; see levels.cuh and docs/design/batches-by-hops.md.
package levels

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/batches"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/profile"
)

//go:generate go run ../../internal/kernelgen

// Engine is the engine; see device.Engine.
type Engine struct{}

// Name returns the engine's name.
func (Engine) Name() string { return "levels" }

// Accepts reports whether the engine computes what is wanted.
func (Engine) Accepts(w device.Want, _ bool) bool {
	return !w.Weighted && w.Kind() == kernels.Dependencies
}

// Parts returns what the engine needs of the graph.
func (Engine) Parts(w device.Want, _ bool) device.Parts {
	return device.Parts{Edges: w.Edges, Transpose: true, Tails: false, Weights: false, Ticks: false}
}

// Prepare fits teams into memory.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	team, least := fitTeams(j.Want, d, j.Deep(), free)
	if team.teams == 0 {
		return nil, &gpu.TooLarge{What: e.Name(), Need: least, Free: free}
	}
	return prepared{team: team, plan: device.Plan{
		HostBytes: batches.HostBytes(j.Want), DeviceBytes: team.bytes(j.Want), Blocks: team.teams * team.blocks,
		Note: "",
	}}, nil
}

type prepared struct {
	team teams
	plan device.Plan
}

// Plan returns what the run takes.
func (p prepared) Plan() device.Plan { return p.plan }

// The passes of a run. Sources whose counts do not fit one are left to the next, and those of the last to another engine.
const (
	singlePass = iota
	doublePass
	passes
)

// Run computes the job; see device.Prepared.
func (p prepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	if j.Graph.N == 0 {
		return device.Result{}, nil
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	start := time.Now()
	r := &run{calls: &device.Calls{Ctx: ctx, Device: memory}, job: j, team: p.team}
	r.graph = batches.ByHops(r.calls, j, r.team.lanes, false)
	r.masses = r.graph.Moved(j.Masses)
	r.team.buffers(j.Want, &r.arrays).Take(r.calls)
	r.calls.Sync()
	result := device.Result{Preprocess: time.Since(start).Seconds()}
	r.search(&result)
	r.graph.AddNodes(j.Partial.Nodes, r.arrays.nodes)
	r.graph.AddEdges(j.Partial.Edges, r.arrays.edges)
	batches.AddTotals(r.calls, j.Partial, r.arrays.totals, r.team.teams)
	result.Profile = r.profile
	result.Note = r.note(len(result.Left))
	return result, r.calls.Err
}

// run is one run of the engine.
type run struct {
	calls  *device.Calls
	job    *device.Job
	team   teams
	graph  *batches.Ordered
	arrays arrays
	masses gpu.Ptr
	// counters is what the kernels of a profile count in, or 0; profile is what they counted.
	counters gpu.Ptr
	profile  *profile.Profile
}

// search runs the job's passes over its part of the sources, whole batches of it. A part of a run ends with its first pass, since
// the next one batches what all parts left.
func (r *run) search(result *device.Result) {
	j := r.job
	first := j.Pass
	if !j.Single && first == singlePass {
		first = doublePass
	}
	left := r.part(r.graph.Sources(), first)
	done := 0
	for pass := first; pass < passes && len(left) > 0; pass++ {
		if pass > first && !j.Shard.Whole() {
			result.Pass = pass
			break
		}
		count := len(left)
		left = r.pass(pass, left, done)
		done += count - len(left)
	}
	result.Left = r.graph.Old(left)
}

// part is the job's shard of the sources, in whole batches.
func (r *run) part(sources []int32, pass int) []int32 {
	lanes := int(r.lanes(pass))
	first, last := r.job.Shard.Part((len(sources) + lanes - 1) / lanes)
	return sources[min(first*lanes, len(sources)):min(last*lanes, len(sources))]
}

// lanes is the number of sources of a batch.
func (r *run) lanes(pass int) int64 {
	if pass == singlePass {
		return r.team.lanes
	}
	return min(r.team.lanes, doubleLanes)
}

// pass runs the nodes given by their new numbers, and returns those that failed. done sources are done before.
func (r *run) pass(pass int, nodes []int32, done int) []int32 {
	if pass == singlePass && r.job.Profile {
		left, numbers, seconds := batches.Counted(r.calls, r.team.teams*r.team.blocks, &r.counters, func() []int32 {
			return r.launch("f32", r.lanes(pass), true, nodes, done)
		})
		r.profile = r.team.profile(numbers, seconds, r.job.Graph.N)
		return left
	}
	return r.launch([]string{"f32", "f64"}[pass], r.lanes(pass), false, nodes, done)
}

func (r *run) launch(numbers string, lanes int64, counting bool, nodes []int32, done int) []int32 {
	return batches.Launch{
		Kernel: kernelOf(form{number: numbers, lanes: lanes, profile: counting, masses: r.masses != 0, edges: r.arrays.edges != 0}),
		Shape:  gpu.Shape{Grid: r.team.teams * r.team.blocks, Block: batchedThreads, Cooperative: r.team.blocks > 1},
		Teams:  r.team.teams, Lanes: int(lanes), Shared: r.arrays.shared, Arguments: r.arguments,
		Progress: func(count int) { r.job.Progress(done + count) },
	}.Run(r.calls, nodes)
}

func (r *run) note(left int) string {
	kind := "shallow"
	if r.job.Deep() {
		kind = "deep"
	}
	note := fmt.Sprintf("%d lanes, %d teams of %d blocks, because the graph is %s", r.team.lanes, r.team.teams, r.team.blocks, kind)
	if left > 0 {
		note += fmt.Sprintf("; %d sources counted again one by one", left)
	}
	return note
}

// arguments fills Batched of levels.cuh.
func (r *run) arguments(sources, failed, control gpu.Ptr) gpu.Ptr {
	a, g, scale := r.arrays, r.graph, r.job.Partial.Scale()
	return device.Put(r.calls, batchedArguments{
		n:          r.job.Graph.N,
		arcs:       r.job.Graph.Arcs,
		outOffsets: g.Out.Offsets,
		outTargets: g.Out.Targets,
		inOffsets:  g.In.Offsets,
		inTargets:  g.In.Targets,
		sources:    sources,
		rows:       a.rows,
		masks:      a.masks,
		stamps:     a.stamps,
		stackNodes: a.stackNodes,
		stackMasks: a.stackMasks,
		ends:       a.ends,
		scaled:     a.scaled,
		nodes:      a.nodes,
		edges:      a.edges,
		failed:     failed,
		totals:     a.totals,
		teams:      a.shared,
		masses:     r.masses,
		cap:        r.team.entries,
		blocks:     int64(r.team.blocks),
		endpoints:  device.One(r.job.Endpoints),
		denseShare: int64(sweepShare),
		hub:        max(g.Out.Hub(mostHubs), g.In.Hub(mostHubs)),
		hubs:       device.One(g.Out.Long || g.In.Long),
		unit:       scale.Unit,
		fine:       scale.Fine,
		control:    control,
		profile:    r.counters,
	})
}
