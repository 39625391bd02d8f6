package chains

import (
	"context"
	"errors"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/weighted"
)

// Folds folds the distances of all nodes on what trees leave of a graph, from the distances between branch nodes alone;
// see chain_folds.cuh and device.Engine. A job's Partial is of the graph that trees left, as for engines that take its
// Masses and Insides.
//
// The fold of a node is complete in one shard: shards cut batches of branch nodes, and chains. Each of them needs the
// distances between all branch nodes, and their folds over all chains where these are kept, because inner nodes read
// them. Shards on one device share them.
type Folds struct {
	core            *closeness.Contracted
	fold            closeness.Fold
	masses, insides []float64
}

// NewFolds returns the engine for one contracted graph, whose nodes stand for so many nodes and have so much behind
// them: Omega and Inside of closeness.Trees.
func NewFolds(core *closeness.Contracted, fold closeness.Fold, masses, insides []float64) *Folds {
	return &Folds{core, fold, masses, insides}
}

// Name returns the engine's name.
func (*Folds) Name() string { return kernels.Chains }

// Accepts reports whether the engine computes what is wanted.
func (*Folds) Accepts(w device.Want, directed bool) bool {
	return w.Folds() && !w.Edges && !directed && !w.Chooses()
}

// Parts returns what the engine needs of a job's graph: nothing.
func (*Folds) Parts(device.Want, bool) device.Parts { return device.Parts{} }

// Sources returns the number of searches.
func (e *Folds) Sources() int { return len(e.core.Branch) }

// searches is what is wanted of searches by weights.
func (e *Folds) searches() device.Want {
	return device.Want{
		Measure: "closeness", Params: kernels.Params{Weighted: true}, Nodes: true, Sources: e.Sources(),
		Size: device.SizeOf(e.core.Graph),
	}
}

// graphParts are those of the contracted graph that searches need.
func graphParts() device.Parts {
	return device.Parts{Ticks: true, Transpose: true, Edges: false, Tails: false, Weights: false}
}

// Prepare keeps all distances, and the folds of branch nodes over chains where they fit; the rest is for searches.
func (e *Folds) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	l := newFoldLayout(e.core, e.fold)
	own := l.bytes() + device.GraphBytes(device.SizeOf(e.core.Graph), graphParts())
	searches, err := weighted.PlanDistances(e.searches(), d, free-own)
	if tooLarge := (*gpu.TooLarge)(nil); errors.As(err, &tooLarge) {
		return nil, &gpu.TooLarge{What: e.Name(), Need: own + tooLarge.Need, Free: free}
	} else if err != nil {
		return nil, err
	}
	bytes := own + searches.DeviceBytes()
	if more := l.seenBytes(); bytes+more <= free {
		l.keepsSeen, bytes = true, bytes+more
	}
	lists := int64(len(e.core.Inner) + len(e.core.Chains))
	return &preparedFolds{engine: e, searches: searches, layout: l, plan: device.Plan{
		HostBytes: searches.HostBytes() + 160*lists + 32*j.Size.Nodes, DeviceBytes: bytes,
		Blocks: max(1, d.SMs*device.ResidentThreads/chainFoldThreads),
		Note:   "",
	}}, nil
}

// preparedFolds is a run of Folds that was planned.
type preparedFolds struct {
	engine   *Folds
	searches *weighted.Distances
	layout   foldLayout
	plan     device.Plan
	// memory is where shards leave what they share, and kept the run that has found it; nil for nothing to keep.
	memory *gpu.Arena
	kept   *foldRun
}

// Plan returns what the run takes.
func (p *preparedFolds) Plan() device.Plan { return p.plan }

// Keep has the first shard leave the distances between branch nodes on the device for the others; see device.Keeper.
func (p *preparedFolds) Keep(d gpu.Device) (release func() error) {
	memory := &gpu.Arena{Device: d}
	p.memory = memory
	return func() error {
		p.memory, p.kept = nil, nil
		return memory.Release()
	}
}

// Run adds the folds of the nodes of the job's shard, and of how many others they are; see device.Prepared.
func (p *preparedFolds) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	if p.memory == nil {
		memory := &gpu.Arena{Device: d}
		defer memory.ReleaseAfter(&err)
		return p.newRun(memory).shard(ctx, j)
	}
	if p.kept == nil {
		p.kept = p.newRun(p.memory)
	}
	return p.kept.shard(ctx, j)
}

func (p *preparedFolds) newRun(memory gpu.Device) *foldRun {
	return &foldRun{
		engine: p.engine, searches: p.searches, layout: p.layout, blocks: p.plan.Blocks, calls: &device.Calls{Device: memory},
	}
}
