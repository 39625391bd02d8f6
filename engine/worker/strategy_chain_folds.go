package worker

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
)

// chainFolds computes folds of the distances of all nodes on what trees leave of a graph, from the distances between branch nodes alone, which are found in
// batches by weights; see kernels/chains/chain_folds.cuh. It is made for one graph.
type chainFolds struct {
	core *closeness.Contracted
	fold closeness.Fold
}

func (*chainFolds) Name() string             { return kernels.Chains }
func (*chainFolds) Fits(w Want, _ bool) bool { return w.folds() }
func (*chainFolds) Parts(Want, bool) Parts   { return Parts{} }

// searches is what is asked of the batches.
func (c *chainFolds) searches() Want {
	n := len(c.core.Branch)
	return Want{Measure: "closeness", Params: kernels.Params{Weighted: true}, Nodes: true, Sources: n, Size: sizeOf(c.core.Graph)}
}

// distanceBytes is the memory of all distances.
func (c *chainFolds) distanceBytes() int64 {
	n := len(c.core.Branch)
	return 4 * weightedLanes * int64(n) * batchesOf(n)
}

// foldBytes bounds the memory of the folds.
func (c *chainFolds) foldBytes() int64 {
	n, chains, inner := int64(len(c.core.Branch)), int64(len(c.core.Chains)), int64(len(c.core.Inner))
	return (inner+chains)*(2*bestBytes+2*8) + inner*(4+8) + chains*(20+16+8) + n*(4+4+8) + 1<<16
}

// seenBytes is the memory of the folds over each chain from each branch node.
func (c *chainFolds) seenBytes() int64 {
	return 8 * int64(len(c.core.Branch)) * int64(len(c.core.Chains))
}

// graphBytes is the memory of the contracted graph.
func (c *chainFolds) graphBytes() int64 {
	return GraphBytes(sizeOf(c.core.Graph), Parts{Ticks: true, Transpose: true})
}

// Plan keeps all distances, and folds over chains where they fit (Lanes is 1 then); the rest is for teams of batches.
func (c *chainFolds) Plan(_ kernels.Size, w Want, d gpu.Info, free int64) (Plan, error) {
	once := c.distanceBytes() + c.foldBytes() + c.graphBytes()
	size := sizeOf(c.core.Graph)
	team, least := fitWeightedTeams(size, c.searches(), d, free-once)
	if team.teams == 0 {
		return Plan{}, &gpu.TooLarge{What: c.Name(), Need: once + least, Free: free}
	}
	lanes := 0
	if with := once + c.seenBytes(); with+team.bytes(size, c.searches()) <= free {
		once, lanes = with, 1
	}
	inner := int64(len(c.core.Inner))
	return Plan{
		HostBytes:   batched{}.hostBytes(size, c.searches()) + 40*size.Nodes + 32*arcs(size) + 160*(inner+int64(len(c.core.Chains))) + 32*w.Size.Nodes,
		DeviceBytes: once + team.bytes(size, c.searches()), Blocks: max(1, d.SMs*residentThreads/chainFoldThreads), Threads: chainFoldThreads, Lanes: lanes,
	}, nil
}

// Run computes folds, and of how many nodes they are; see Strategy.
func (c *chainFolds) Run(ctx context.Context, d gpu.Device, job *Job) (_ Result, err error) {
	memory := &gpu.Arena{Device: d}
	defer memory.ReleaseAfter(&err)
	r := &chainFoldRun{chainFolds: c, traverse: traverse{ctx: ctx, device: memory, job: job, begun: time.Now()}}
	return r.all()
}

// chainFoldRun is one run of chainFolds.
type chainFoldRun struct {
	traverse
	*chainFolds
	batches *weightedRun
	arrays  chainFoldArrays
	layout  chainLayout
}

func (r *chainFoldRun) all() (Result, error) {
	r.search()
	r.takeMemory()
	r.foldAll()
	result := Result{Preprocess: r.preprocess, Note: fmt.Sprintf("searched from %d branch nodes, folded over %d chains", len(r.core.Branch), len(r.core.Chains))}
	return result, r.leadBack()
}

// search finds the distances between branch nodes, while the host lays out the chains.
func (r *chainFoldRun) search() {
	g, n, ticks := r.core.Graph, len(r.core.Branch), r.core.Ticks()
	job := &Job{
		Want: r.searches(), Request: kernels.Request{Params: r.searches().Params, Nodes: true}, Host: g, Sources: order.All(g), All: true,
		TickMul: 1, TickDiv: 1, Ticks: ticks, Progress: func(done int) { r.job.Progress(done / 2) },
	}
	job.Plan.DeviceBytes = r.job.Plan.DeviceBytes - r.distanceBytes() - r.foldBytes() - r.graphBytes() - int64(r.job.Plan.Lanes)*r.seenBytes()
	if job.Graph, r.err = upload(r.device, g, Parts{Ticks: true, Transpose: true}, ticks); r.err != nil {
		return
	}
	b := &weightedRun{reordered: reordered{traverse: traverse{traversal: batched{}.narrowest(), ctx: r.ctx, device: r.device, job: job}}}
	r.batches, b.apart = b, passForward
	if r.err = b.begin(); r.err == nil && b.metric.name != "ticks32" {
		r.err = fmt.Errorf("%d branch nodes whose distances need %s", n, b.metric.name) // contract saw to it
	}
	r.preprocess = time.Since(r.begun).Seconds()
	if r.err != nil {
		return
	}
	var laid sync.WaitGroup
	laid.Go(func() { r.layout = r.newLayout(order.Arrange(job.Sources, b.turns, job.Host.N())) })
	b.pass(kernelBatchedFoldsTicks32, b.places(), 0)
	laid.Wait()
	r.err = b.err
}

// foldAll folds the distances of branch nodes, and then of inner nodes.
func (r *chainFoldRun) foldAll() {
	branches, inner := kernelChainFoldsBranchesSum, kernelChainFoldsInnerSum
	if r.fold == closeness.Greatest {
		branches, inner = kernelChainFoldsBranchesMax, kernelChainFoldsInnerMax
	}
	args, n, chains := r.chainFoldArgs(), len(r.core.Branch), len(r.core.Chains)
	r.over(branches, args, int(batchesOf(n))*chainFoldParts, n/2, 0)
	r.over(inner, args, chains, n/2, n-n/2)
}

// over launches a kernel for count items, after so many sources are reported done, and for so many more.
func (r *chainFoldRun) over(kernel gpu.Kernel, args gpu.Ptr, count, done, more int) {
	if r.err != nil || count == 0 {
		return
	}
	p := r.job.Plan
	part := &Job{Sources: make([]int32, count), Progress: func(i int) { r.job.Progress(done + int(int64(more)*int64(i)/int64(count))) }}
	r.err = part.Chunks(r.ctx, r.device, chainFoldUnit*p.Blocks, func(first, count int) error {
		return r.device.Launch(kernel, gpu.Shape{Grid: min(count, p.Blocks), Block: p.Threads}, args, int64(first), int64(first+count))
	})
}
