// Package chains computes measures on what exact reductions with chains leave of an undirected graph; see
// docs/design/reductions.md. Its engines are made for one reduced graph: they read no graph and no sources of a job.
package chains

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

//go:generate go run ../../internal/kernelgen

// Betweenness computes betweenness on a graph that was reduced by chains: it searches by lengths from the branch nodes
// alone. See device.Engine. A job's Only and a result's Left are branch nodes, by their numbers in the flat graph. Its
// Partial is one of NewPartial, and LeadBack makes scores of that of all shards.
//
// Shards cut the demands and backward passes. The rows of distances that these read are found by each shard: those of
// its own branch nodes, and of the other ends of their chains.
type Betweenness struct {
	plan *reduce.Reduced
	flat *reduce.Flat
}

// New returns the engine for one plan and the same in arrays.
func New(plan *reduce.Reduced, flat *reduce.Flat) *Betweenness {
	return &Betweenness{plan: plan, flat: flat}
}

// Name returns the engine's name.
func (*Betweenness) Name() string { return kernels.Chains }

// Accepts reports whether the engine computes what is wanted.
func (*Betweenness) Accepts(w device.Want, directed bool) bool {
	return w.Kind() == kernels.Dependencies && !directed && !w.Chooses()
}

// Parts returns what the engine needs of a job's graph: nothing.
func (*Betweenness) Parts(device.Want, bool) device.Parts { return device.Parts{} }

// Sources returns the number of searches.
func (e *Betweenness) Sources() int { return len(e.flat.Omega) }

// Prepare gives each multiprocessor as many blocks as it can run, or as fit into memory besides the rows, which all
// must.
func (e *Betweenness) Prepare(j *device.Job, d gpu.Info, free int64) (device.Prepared, error) {
	l := newLayout(e.flat)
	want := max(1, d.SMs*device.ResidentThreads/searchThreads)
	blocks, least := l.fit(want, free)
	if blocks == 0 {
		return nil, &gpu.TooLarge{What: e.Name(), Need: least, Free: free}
	}
	l.blocks = blocks
	plan := device.Plan{HostBytes: l.hostBytes(j.Size), DeviceBytes: l.bytes(), Blocks: blocks, Note: ""}
	if blocks < want {
		plan.Note = "fewer blocks than the device runs, because memory is short: sums may differ in the last bits"
	}
	return &prepared{engine: e, layout: l, plan: plan}, nil
}

// prepared is a run of Betweenness that was planned.
type prepared struct {
	engine *Betweenness
	layout layout
	plan   device.Plan
}

// Plan returns what the run takes.
func (p *prepared) Plan() device.Plan { return p.plan }

// Run adds the sums of the job's shard to its partial result; see device.Prepared.
func (p *prepared) Run(ctx context.Context, d gpu.Device, j *device.Job) (_ device.Result, err error) {
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := newRun(p, &device.Calls{Ctx: ctx, Device: memory}, j)
	result := r.all()
	if r.calls.Err != nil {
		return device.Result{}, r.calls.Err
	}
	return result, j.Partial.Join(r.sums)
}

// LeadBack adds the scores of the whole graph, as sums over ordered pairs, to its partial result; part is that of all
// shards. The error is a reduce.ErrOptions where the sums cannot be right.
func (e *Betweenness) LeadBack(part, into *kernels.Partial) error {
	flows := e.flat.Flows()
	edgeWithin, nodeWithin := within(e.flat, part)
	for core := range flows {
		chains := flows[core].Chains
		for t := range chains {
			bin := binOf(e.flat, e.flat.FirstChain[core]+int32(t))
			copy(chains[t].EdgeWithin, edgeWithin[bin:])
			copy(chains[t].NodeWithin, nodeWithin[bin:])
		}
	}
	if err := e.flat.Unflatten(flows, sums(part)); err != nil {
		return err
	}
	nodes, edges := e.plan.Scores(flows)
	if err := e.plan.Check(nodes, edges); err != nil {
		return err
	}
	addTwice(into.Nodes, nodes)
	addTwice(into.Edges, edges)
	into.Totals = kernels.Totals{Pairs: e.plan.Info.Pairs, NoDistance: true}
	return nil
}
