package chains

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reduce/closeness"
	"github.com/linchpin-graph/linchpin/kernels/weighted"
)

// foldRun is one run of Folds, of a shard or of several one after another.
type foldRun struct {
	engine   *Folds
	calls    *device.Calls
	job      *device.Job
	searches *weighted.Distances
	layout   foldLayout
	blocks   int
	lists    *foldLists
	joined   components
	arrays   foldArrays
	// seen reports whether an earlier shard has folded the distances of all branch nodes.
	seen bool
}

// shard folds the distances of the nodes of a job's shard.
func (r *foldRun) shard(ctx context.Context, j *device.Job) (device.Result, error) {
	r.job, r.calls.Ctx = j, ctx
	l := r.layout
	note := fmt.Sprintf("searched from %d branch nodes, folded over %d chains", l.branches, l.chains)
	result := device.Result{Note: note}
	if j.Weighted {
		result.Ties = "exact"
	}
	if l.branches == 0 {
		return result, nil
	}
	if r.lists == nil {
		result.Preprocess = r.find()
	} else {
		r.clear()
	}
	if r.calls.Err != nil {
		return device.Result{}, r.calls.Err
	}
	r.foldAll()
	r.tell(r.download())
	return result, r.calls.Err
}

// find finds the distances between branch nodes, and returns the seconds that came before.
func (r *foldRun) find() (seconds float64) {
	begun := time.Now()
	r.begin()
	seconds = time.Since(begun).Seconds()
	r.search()
	if r.calls.Err == nil {
		r.layout.buffers(&r.arrays, r.lists).Take(r.calls)
	}
	return seconds
}

// clear forgets what an earlier shard found, except for what all of them need.
func (r *foldRun) clear() {
	a, l := &r.arrays, r.layout
	if !l.keepsSeen {
		r.calls.Clear(a.branch, 8*l.branches)
	}
	for _, x := range []struct {
		p     gpu.Ptr
		count int64
	}{{a.byU, l.bins}, {a.byV, l.bins}, {a.total, l.chains}, {a.inner, l.inner}} {
		if x.count > 0 {
			r.calls.Clear(x.p, 8*x.count)
		}
	}
}

// begin uploads the contracted graph and puts it into the order of batches.
func (r *foldRun) begin() {
	g, want := r.engine.core.Graph, r.engine.searches()
	ticks := r.engine.core.Ticks()
	job := &device.Job{
		Want: want, Request: kernels.Request{Params: want.Params, Nodes: true}, Host: g, Sources: order.All(g), All: true,
		TickMul: 1, TickDiv: 1, Ticks: ticks, Progress: func(done int) { r.job.Progress(done / 2) },
	}
	r.calls.Do(func() (err error) {
		job.Graph, err = device.UploadGraph(r.calls.Device, g, graphParts(), ticks)
		return err
	})
	if r.calls.Err == nil {
		r.searches.Begin(r.calls, job)
	}
}

// search finds the distances between branch nodes, while the host lays out the chains.
func (r *foldRun) search() {
	if r.calls.Err != nil {
		return
	}
	var laid sync.WaitGroup
	order, row := r.searches.Sources(), r.searches.Places()
	laid.Go(func() {
		r.lists = newFoldLists(r.engine, order, row)
		r.joined = newComponents(r.engine)
	})
	r.searches.Search()
	laid.Wait()
}

// batches and chains are the parts of the shard.
func (r *foldRun) batches() (first, last int) { return r.job.Shard.Part(r.layout.batches()) }
func (r *foldRun) chains() (first, last int)  { return r.job.Shard.Part(int(r.layout.chains)) }

// foldAll folds the distances of branch nodes, and then of inner nodes.
func (r *foldRun) foldAll() {
	branches, inner := kernelChainFoldsBranchesSum, kernelChainFoldsInnerSum
	if r.engine.fold == closeness.Greatest {
		branches, inner = kernelChainFoldsBranchesMax, kernelChainFoldsInnerMax
	}
	args, n := r.arguments(), r.engine.Sources()
	first, last := r.batches()
	if r.layout.keepsSeen { // inner nodes look up the folds of all
		first, last = 0, r.layout.batches()
	}
	if r.seen {
		first = last
	}
	r.seen = r.layout.keepsSeen
	r.over(branches, args, first*chainFoldParts, last*chainFoldParts, n/2, 0)
	first, last = r.chains()
	r.over(inner, args, first, last, n/2, n-n/2)
}

// over launches a kernel for items, after so many sources are reported done, and for so many more.
func (r *foldRun) over(kernel gpu.Kernel, args gpu.Ptr, from, to, done, more int) {
	c, count := r.calls, to-from
	if count == 0 {
		return
	}
	progress := func(i int) { r.job.Progress(done + int(int64(more)*int64(i)/int64(count))) }
	c.Do(func() error {
		return device.Chunks(c, count, foldUnit*r.blocks, progress, func(first, count int) error {
			shape := gpu.Shape{Grid: min(count, r.blocks), Block: chainFoldThreads}
			return c.Device.Launch(kernel, shape, args, int64(from+first), int64(from+first+count))
		})
	})
}

// arguments fills ChainFolds of chain_folds.cuh.
func (r *foldRun) arguments() gpu.Ptr {
	a := &r.arrays
	return device.Put(r.calls, chainFoldsArguments{
		nodes:  r.layout.branches,
		chains: r.layout.chains,
		dist:   r.searches.Rows(),
		row:    a.row,
		own:    a.own,
		list:   a.chains,
		ends:   a.ends,
		at:     a.at,
		before: a.before,
		after:  a.after,
		seen:   a.seen,
		branch: a.branch,
		byU:    a.byU,
		byV:    a.byV,
		total:  a.total,
		inner:  a.inner,
	})
}
