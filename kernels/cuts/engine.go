// Package cuts finds communities by edge betweenness with a device: kernels/communities cuts the edges, and the device
// keeps the scores of large blocks. A block goes onto the device once, where the searches from all its nodes stay, and
// edges are removed there.
package cuts

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/communities"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

//go:generate go run ../../internal/kernelgen

// Engine cuts edges by hops; see device.Engine.
type Engine struct {
	// least is the size from which blocks are on the device; 0 for leastNodes.
	least int
}

// Name returns the engine's name.
func (Engine) Name() string { return "cuts" }

// Accepts reports whether the engine computes what is wanted.
func (Engine) Accepts(w device.Want, _ bool) bool {
	return w.Kind() == kernels.Communities && !w.Weighted
}

// Parts returns what the engine needs of the graph: nothing, because it uploads blocks.
func (Engine) Parts(device.Want, bool) device.Parts {
	return device.Parts{Edges: false, Tails: false, Weights: false, Ticks: false, Transpose: false}
}

// Prepare bounds the memory of a run: of all blocks, or else of the largest.
func (e Engine) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	p := prepared{least: cmp.Or(e.least, leastNodes), slots: d.SMs * cutBlocks, host: communities.Bytes(j.Size, false)}
	arcs, all := device.Arcs(kernels.Size{Nodes: j.Size.Nodes, Edges: j.Size.Edges, Directed: false}), int64(0)
	for _, n := range communities.Blocks(j.Host) {
		if int(n) >= p.least {
			p.largest = max(p.largest, n)
			all += blockBytes(n, arcs)
		}
	}
	if p.largest > 0 {
		p.bytes = p.scratch(new(cutsArguments)).Bytes() + blockBytes(p.largest, arcs)
		if more := p.bytes + all; more <= free { // what leaves a block that stays takes less than another as large
			p.bytes = more
		}
	}
	if p.bytes > free {
		return nil, &gpu.TooLarge{What: e.Name(), Need: p.bytes, Free: free}
	}
	return p, nil
}

type prepared struct {
	least, slots int
	// largest is the number of nodes of the largest block, and bytes what all arrays may take.
	largest, bytes int64
	host           int64 // bytes
}

// Plan returns what the run takes.
func (p prepared) Plan() device.Plan {
	return device.Plan{Blocks: p.slots, DeviceBytes: p.bytes, HostBytes: p.host, Note: ""}
}

// Run computes the job; see device.Prepared. It is not divided: the first shard does it all.
func (p prepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	if j.Shard.Index > 0 {
		return device.Result{}, nil
	}
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	k := newKeeper(&device.Calls{Ctx: ctx, Device: memory}, p)
	request := j.Request
	request.Progress = func(done, total int) { j.Progress(len(j.Sources) * done / max(total, 1)) }
	run, err := communities.NewRun(j.Host, request, runtime.GOMAXPROCS(0), k)
	if err != nil {
		return device.Result{}, err
	}
	groups, edges := j.Partial.Alone[:j.Host.N()], j.Partial.Alone[j.Host.N():]
	if err := run.Cut(ctx, groups); err != nil {
		return device.Result{}, err
	}
	if j.Want.Edges {
		all, _ := run.Grouping(groups)
		copy(edges, all.Flags(j.Host))
	}
	return device.Result{Note: fmt.Sprintf("%d blocks on the device, smaller ones on the CPU", k.kept)}, nil
}
