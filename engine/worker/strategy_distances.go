package worker

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
)

// distances computes the rows of all sources, a block a source at a time, or the summary of all distances.
func (r *traverse) distances() (Result, error) {
	r.prepare(0)
	space := r.newWorkspace(0)
	n, b := r.job.Graph.N, int64(r.blocks)
	kernel := distanceKernel(r.kernel)
	if r.job.Weighted {
		kernel = distanceKernel(r.metric.name)
	}
	var rows, hops, farthest gpu.Ptr
	if r.job.Rows != nil {
		rows = r.alloc(8 * n * b)
	} else {
		hops, farthest = r.zeros(8*n*b), r.zeros(8*b)
	}
	wanted := putArguments(r, rowsArguments{
		rows:     rows,
		hops:     hops,
		farthest: farthest,
	})
	r.ready()
	method, start := r.method, 0
	if r.probe {
		start = min(len(r.job.Sources), (samplingSources+r.blocks-1)/r.blocks*r.blocks)
		r.rowRun(kernel, method, wanted, rows, 0, start, space)
		if start < len(r.job.Sources) && r.depthsAreLow(start) {
			method = bigLevels
		}
	}
	r.rowRun(kernel, method, wanted, rows, start, len(r.job.Sources), space)
	r.lostArc()
	if r.job.Rows == nil {
		r.summary(hops, farthest)
	}
	return Result{Totals: r.sumTotals(), Ties: r.metric.ties, Preprocess: r.preprocess}, r.err
}

// rowRun searches from the sources numbered from to to. With rows, each launch is of one source a block at most, and its
// rows are copied to the host after it.
func (r *traverse) rowRun(kernel gpu.Kernel, method int64, wanted, rows gpu.Ptr, from, to int, space workspace) {
	if r.err != nil || from >= to {
		return
	}
	args := r.args(method, r.sources, r.failed, r.depths, space)
	if rows == 0 {
		r.sweep(from, to, r.blocks, true, func(first, last int64) error {
			return r.launch(kernel, r.blocks, first, last, args, wanted)
		})
		r.free(args)
		return
	}
	n := int(r.job.Graph.N)
	for first := from; first < to && r.err == nil; first += r.blocks {
		if r.ctx.Err() != nil {
			r.err = context.Cause(r.ctx)
			return
		}
		last := min(first+r.blocks, to)
		if r.err = r.launch(kernel, r.blocks, int64(first), int64(last), args, wanted); r.err == nil {
			r.err = gpu.Download(r.device, r.job.Rows[first*n:last*n], rows)
		}
		r.job.Progress(last)
	}
	r.free(args)
}

// summary joins the blocks' hop plots and greatest distances.
func (r *traverse) summary(hops, farthest gpu.Ptr) {
	copy(r.job.Hops, r.join(kernelSumBlocks, hops, r.job.Graph.N))
	copy(r.job.Farthest, r.join(kernelMaxBlocks, farthest, 1))
}
