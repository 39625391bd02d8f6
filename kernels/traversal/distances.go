package traversal

import (
	"context"

	"github.com/linchpin-graph/linchpin/kernels/device"
)

// distances computes the rows of all sources, or the summary of all distances.
func (r *run) distances() {
	c, a := r.calls, r.arrays
	args := device.Put(c, rowsArguments{
		rows:     a.rows,
		hops:     a.hopPlots,
		farthest: a.farthest,
	})
	l := r.list(r.sequence())
	r.ready()
	blocks := r.layout.shape.blocks
	s := r.search(l, &blockSums{join: func(int, int) {}, clear: func() {}}, distanceKernel(r.formOf()), blocks, args)
	if r.job.Summary {
		s.bySamples()
		copy(r.job.Hops, c.Join(device.KernelSumBlocks, a.hopPlots, r.job.Graph.N, blocks))
		copy(r.job.Farthest, c.Join(device.KernelMaxBlocks, a.farthest, 1, blocks))
	} else {
		r.rows(s)
	}
	r.addTotals()
	c.Free(args)
	r.freeList(l)
}

// rows fills the rows of all sources, of which the first ones may decide on the method.
func (r *run) rows(s search) {
	e, count := r.layout.engine, s.cut.count
	first := min(r.probed(), count)
	s.rows(e.policy, 0, first)
	policy := e.policy
	if first > 0 && first < count && s.depthsAreLow(first) {
		policy = bigLevels
	}
	s.rows(policy, first, count)
}

// rows launches the kernel for one source per block at most, and copies their rows to the host after each launch.
func (s search) rows(policy int64, from, to int) {
	r, c := s.run, s.run.calls
	if c.Err != nil || from >= to {
		return
	}
	args, n := s.arguments(policy), int(r.job.Graph.N)
	for first := from; first < to && c.Err == nil; first += s.blocks {
		if c.Ctx.Err() != nil {
			c.Err = context.Cause(c.Ctx)
			return
		}
		last := min(first+s.blocks, to)
		s.launch(args, first, last)
		device.Download(c, r.job.Rows[first*n:last*n], r.arrays.rows)
		r.job.Progress(last)
	}
	c.Free(args)
}
