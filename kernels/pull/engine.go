// Package pull solves the equations of PageRank, ArticleRank and Katz's index on a device: each node adds up what the
// nodes before it send, in a fixed order, again and again. It stops where kernels/rank stops on the CPU.
package pull

import (
	"context"
	"runtime"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/rank"
)

//go:generate go run ../../internal/kernelgen

// Engine multiplies vectors by the matrix of the arcs; see device.Engine.
type Engine struct{}

// Name returns the engine's name.
func (Engine) Name() string { return "pull" }

// Accepts reports whether the engine computes what is wanted.
func (Engine) Accepts(w device.Want, _ bool) bool {
	k := w.Kind()
	return k == kernels.PageRanks || k == kernels.ArticleRanks || k == kernels.KatzSums
}

// Parts returns what the engine needs of the graph: the arcs that enter each node.
func (Engine) Parts(w device.Want, _ bool) device.Parts {
	return device.Parts{Edges: false, Tails: false, Weights: w.Weighted, Ticks: false, Transpose: true}
}

// Prepare bounds the memory of a run.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	l := bound(j)
	if l.bytes() > free {
		return nil, &gpu.TooLarge{What: e.Name(), Need: l.bytes(), Free: free}
	}
	return prepared{device.Plan{Blocks: d.SMs, DeviceBytes: l.bytes(), HostBytes: hostBytes * j.Size.Nodes, Note: ""}}, nil
}

// hostBytes are the bytes per node of tables, of an equation, and of scores.
const hostBytes = 72

type prepared struct{ plan device.Plan }

// Plan returns what the run takes.
func (p prepared) Plan() device.Plan { return p.plan }

// Run computes the job; see device.Prepared. It is not divided: the first shard does it all.
func (p prepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	if j.Shard.Index > 0 {
		return device.Result{}, nil
	}
	if j.Graph.N == 0 {
		return device.Result{Convergence: &kernels.Convergence{}}, nil
	}
	m, _ := kernels.Lookup(j.Measure)
	e, err := rank.EquationOf(m, j.Host, j.Request)
	if err != nil {
		return device.Result{}, err
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := newRun(&device.Calls{Ctx: ctx, Device: memory}, j, e)
	ended, err := r.solve()
	if err != nil {
		return device.Result{}, e.Explained(err, m, j.Host, runtime.GOMAXPROCS(0))
	}
	return device.Result{Convergence: &ended, Note: r.note(ended)}, nil
}
