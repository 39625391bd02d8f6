// Package traversal is the strategies of the papers: each thread block searches from one source at a time, by hops
// (paths.cuh) or by weights (kernels/device/weighted_search.cuh). They compute betweenness, stress, the closeness
// family, distances, adaptive samples, and samples of pairs (pairs.cu) and of sources (moments.cu).
package traversal

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

//go:generate go run ../../internal/kernelgen

// Engine is one strategy; see device.Engine.
type Engine struct {
	name string
	// policy is the method that a level takes: Policy of paths.cuh.
	policy int64
	// sharing is how the threads of a block share work, which is a family of kernels: node, warp, arcs or pull.
	sharing string
	// lanes is the number of threads per node.
	lanes int64
	// weighted reports whether the strategy has a form for weights, probes whether the first sources decide on the method
	// (McLaughlin & Bader, Algorithm 5), masses whether nodes may stand for several.
	weighted, probes, masses bool
	// renumbersFrom is from how many nodes on they get other numbers; 0 for never. See renumber.go.
	renumbersFrom int64
	// cellDegree is from how many arcs per node on rows go into cells; 0 for never. See cells.go.
	cellDegree int64
}

// Engines lists the strategies, for auto the best first.
func Engines() []device.Engine {
	all := []device.Engine{
		Engine{
			name: "work-efficient", policy: workEfficient, sharing: "node", lanes: 1, weighted: true,
			renumbersFrom: renumbersFrom, cellDegree: denserDegree,
		},
		Engine{name: "hybrid", policy: hybrid, sharing: "arcs", lanes: 1},
		Engine{name: "sampling", policy: workEfficient, sharing: "arcs", lanes: 1, probes: true},
		Engine{name: "vertex-parallel", policy: vertexParallel, sharing: "node", lanes: 1, weighted: true},
		Engine{name: "edge-parallel", policy: edgeParallel, sharing: "arcs", lanes: 1},
		Engine{name: "vertex-pull", policy: vertexPull, sharing: "pull", lanes: 1},
	}
	for _, lanes := range []int64{4, 8, 16, 32} {
		all = append(all,
			Engine{
				name: fmt.Sprintf("work-efficient-warp-%d", lanes), policy: workEfficient, sharing: "warp", lanes: lanes,
				weighted: true, renumbersFrom: renumbersFrom,
			},
			Engine{
				name: fmt.Sprintf("vertex-warp-%d", lanes), policy: vertexParallel, sharing: "warp", lanes: lanes,
				weighted: true,
			},
		)
	}
	return all
}

// OneByOne is for the sources that other engines leave: it counts in numbers of any size, and takes the memory of one
// block where there is no more.
func OneByOne() device.Engine {
	return Engine{name: "work-efficient", policy: workEfficient, sharing: "node", lanes: 1, weighted: true, masses: true}
}

// Name returns the engine's name.
func (e Engine) Name() string { return e.name }

// Accepts reports whether the engine computes what is wanted.
func (e Engine) Accepts(w device.Want, _ bool) bool {
	if w.Folded && !(e.masses && w.Kind() == kernels.Dependencies) {
		return false
	}
	switch w.Measure {
	case device.Pairs:
		return e.name == OneByOne().Name() && !w.Weighted
	case device.Sources:
		return e.sharing == "node" || e.sharing == "warp" // others leave no halves
	}
	if len(w.Ranges) > 0 && !e.acceptsRanges(w) {
		return false
	}
	return (w.LevelsOnly() || w.CountsPaths() || w.Kind() == kernels.PathCounts) && (e.weighted || !w.Weighted)
}

// Parts returns what the engine needs of the graph.
func (e Engine) Parts(w device.Want, _ bool) device.Parts {
	if w.Measure == device.Pairs {
		return device.Parts{Edges: w.Edges, Tails: false, Weights: false, Ticks: false, Transpose: true}
	}
	return device.Parts{
		Edges: w.Edges || e.sharing == "pull" && !w.LevelsOnly(), Tails: e.sharing == "arcs",
		Weights: w.Weighted, Ticks: w.Weighted, Transpose: true,
	}
}

// Prepare gives each multiprocessor as many blocks as it can run, or as fit into memory.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	l := e.layout(j.Want, j.Host, j.Masses != nil, d)
	note, alone := "", l // of one of the ranges
	alone.ranges, alone.want.Ranges = 1, nil
	switch most := l.shape.blocks; {
	case !l.fit(free):
		return nil, &gpu.TooLarge{What: e.name, Need: l.bytes(), Free: free}
	case l.ranges > 1 && alone.fit(free) && alone.shape.blocks > l.shape.blocks:
		// sums would differ from those of one range in the last bits
		l.shape.blocks = alone.shape.blocks
		return nil, &gpu.TooLarge{What: e.name + " of several ranges", Need: l.bytes(), Free: free}
	case l.shape.blocks < most:
		note = "fewer blocks than the device runs, because memory is short: sums may differ in the last bits"
	}
	plan := device.Plan{HostBytes: l.hostBytes(), DeviceBytes: l.bytes(), Blocks: l.shape.blocks, Note: note}
	return prepared{layout: l, plan: plan}, nil
}

type prepared struct {
	layout layout
	plan   device.Plan
}

// Plan returns what the run takes.
func (p prepared) Plan() device.Plan { return p.plan }

// Run computes the job; see device.Prepared.
func (p prepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	if j.Graph.N == 0 {
		return device.Result{}, nil
	}
	if !j.Shard.Whole() && (len(j.Ranges) > 0 || j.Measure == device.Distances || j.Measure == device.Adaptive ||
		j.Measure == device.Pairs || j.Measure == device.Sources) {
		return device.Result{}, &device.Unsuited{Why: j.Want.String() + " cannot be cut into shards"}
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &run{calls: &device.Calls{Ctx: ctx, Device: memory}, job: j, layout: p.layout, graph: j.Graph, begun: time.Now()}
	r.take()
	r.compute()
	r.lostArc()
	r.result.Ties = r.metric.Ties
	return r.result, r.calls.Err
}
