// Package triangles counts the triangles of nodes and edges on a device, and makes of them what kernels/structure makes
// on the CPU: clustering, similarity and curvature.
package triangles

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

//go:generate go run ../../internal/kernelgen

// Engine is one pass over the triangles of a graph; see device.Engine.
type Engine struct{}

// Name returns the engine's name.
func (Engine) Name() string { return "triangles" }

// Accepts reports whether the engine computes what is wanted.
func (Engine) Accepts(w device.Want, _ bool) bool {
	_, ok := scoreOf(w)
	return ok
}

// scoreOf returns what is made of the triangles, one of Score in triangles.cu.
func scoreOf(w device.Want) (score int, ok bool) {
	m, _ := kernels.Lookup(w.Measure)
	scores := map[kernels.Kind]map[string]int{
		kernels.Triangles:  {"": triangleCounts},
		kernels.Clustering: {"": clusteringShares},
		kernels.Similarity: {kernels.Jaccard: jaccardIndex, kernels.Overlap: overlapIndex,
			kernels.AdamicAdar: adamicAdarIndex},
		kernels.Curvature: {kernels.Forman: formanCurvature, kernels.Augmented: augmentedCurvature},
	}
	score, ok = scores[m.Kind][m.VariantOf(w.Params)]
	return score, ok
}

// Parts returns what the engine needs of the graph: the edge of each arc.
func (Engine) Parts(device.Want, bool) device.Parts {
	return device.Parts{Edges: true, Tails: false, Weights: false, Ticks: false, Transpose: false}
}

// Prepare bounds the memory of a run. It refuses directed graphs, on which triangles have no meaning.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	m, _ := kernels.Lookup(j.Measure)
	if err := m.CheckGraph(j.Host); err != nil {
		return nil, err
	}
	l := layoutOf(j)
	if l.bytes() > free {
		return nil, &gpu.TooLarge{What: e.Name(), Need: l.bytes(), Free: free}
	}
	plan := device.Plan{Blocks: device.ForEach(32 * l.nodes).Grid, DeviceBytes: l.bytes(),
		HostBytes: 32*l.nodes + 16*l.edges, Note: ""}
	return prepared{l, plan}, nil
}

type prepared struct {
	layout layout
	plan   device.Plan
}

// Plan returns what the run takes.
func (p prepared) Plan() device.Plan { return p.plan }

// Run computes the job; see device.Prepared. It is not divided: the first shard does it all.
func (p prepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	if j.Shard.Index > 0 || j.Graph.N == 0 {
		return device.Result{}, nil
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &run{calls: &device.Calls{Ctx: ctx, Device: memory}, job: j, layout: p.layout}
	r.layout.buffers(&r.arrays).Take(r.calls)
	r.perNode(kernelTriangleDegrees)
	if r.layout.counted {
		r.count()
	}
	r.score()
	return device.Result{}, r.calls.Err
}
