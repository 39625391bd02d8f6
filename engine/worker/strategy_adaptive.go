package worker

import (
	"context"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// adaptiveRun is an adaptive sample on its way; see kernels/traversal/adaptive.cu.
type adaptiveRun struct {
	*traverse
	sums, taken, wanted, stops gpu.Ptr
	// waiting is how many nodes of interest take more sources, wantedCount how many there are.
	waiting, wantedCount int
	// searched is how many sources' dependencies have been added.
	searched int
}

// adaptive searches from the sources in their order, a block each, until every node of interest has stopped.
func (r *traverse) adaptive() (Result, error) {
	r.prepare(8)
	n, b := r.job.Graph.N, int64(r.blocks)
	r.nodes, r.edges = r.zeros(8*n*b), 0
	space := r.newWorkspace(8)
	wanted := r.job.Wanted
	if wanted == nil {
		wanted = make([]int32, n)
		for v := range wanted {
			wanted[v] = int32(v)
		}
	}
	a := &adaptiveRun{
		traverse: r, sums: r.zeros(8 * n), taken: r.zeros(4 * n), wanted: uploaded(r, wanted), stops: r.alloc(8),
		waiting: len(wanted), wantedCount: len(wanted),
	}
	r.ready()
	args := r.args(r.method, r.sources, r.failed, r.depths, space)
	for first := 0; first < len(r.job.Sources) && a.waiting > 0 && r.err == nil; first += r.blocks {
		if r.ctx.Err() != nil {
			r.err = context.Cause(r.ctx)
			break
		}
		a.launch(args, first, min(r.blocks, len(r.job.Sources)-first))
		r.job.Progress(a.searched)
	}
	r.lostArc()
	if r.err == nil {
		r.job.Progress(len(r.job.Sources))
	}
	return Result{Ties: r.metric.ties, Preprocess: r.preprocess}, a.scores()
}

// launch searches from count sources and adds what they found, in their order. Those whose paths do not fit are
// searched from again in wide numbers, in between.
func (a *adaptiveRun) launch(args gpu.Ptr, first, count int) {
	widths := a.widths()
	f64, wide := widths[0], widths[len(widths)-1]
	a.err = a.traverse.launch(a.countKernel(f64), a.blocks, int64(first), int64(first+count), args)
	failed := a.flags(first, count)
	most := max(1, min(a.blocks, int(a.countBytes/(wide.bytes*a.job.Graph.N))))
	for at := 0; at < count && a.waiting > 0 && a.err == nil; {
		end := at + 1
		for end < count && failed[end] == failed[at] && (failed[at] == 0 || end-at < most) {
			end++
		}
		if failed[at] == 0 {
			a.add(at, end-at)
		} else { // their rows are as empty as those before them, which have been added
			a.err = a.traverse.launch(a.countKernel(wide), end-at, int64(first+at), int64(first+end), args)
			if still := a.flags(first+at, end-at); a.err == nil {
				for _, f := range still {
					if f != 0 {
						a.err = notOnGPU("path lengths are exact in 128-bit integers only, and some source has paths that float64 does not tell apart")
					}
				}
			}
			a.add(0, end-at)
		}
		at = end
	}
}

// flags returns which of count sources failed.
func (a *adaptiveRun) flags(first, count int) []int32 {
	flags := make([]int32, count)
	if a.err == nil {
		a.err = gpu.Download(a.device, flags, a.failed.At(4*int64(first)))
	}
	return flags
}

// add adds the rows of count blocks, from that number on, but none after the one with which the last node of interest
// stops.
func (a *adaptiveRun) add(block, count int) {
	if a.err == nil {
		a.err = a.device.Memset(a.stops, 0, 8)
	}
	n := a.job.Graph.N
	rows, threshold, shape := a.nodes.At(8*n*int64(block)), a.job.C*float64(n), forEach(n)
	if a.err == nil {
		a.err = a.device.Launch(kernelAdaptiveStops, shape, rows, n, int64(count), int64(a.searched), threshold, a.sums, a.taken, a.wanted, int64(a.wantedCount), a.stops)
	}
	stops := make([]int32, 2)
	if a.err == nil {
		a.err = gpu.Download(a.device, stops, a.stops)
	}
	if a.waiting -= int(stops[0]); a.waiting <= 0 {
		count = int(stops[1]) - a.searched
	}
	if a.err == nil {
		a.err = a.device.Launch(kernelAdaptiveAdd, shape, rows, n, int64(count), int64(a.searched), threshold, a.sums, a.taken)
	}
	a.searched += count
}

// scores fills the job's scores and numbers of sources.
func (a *adaptiveRun) scores() error {
	taken := make([]int32, a.job.Graph.N)
	if a.err == nil {
		a.err = gpu.Download(a.device, taken, a.taken)
	}
	if a.err == nil {
		a.err = gpu.Download(a.device, a.job.Nodes, a.sums)
	}
	if a.err != nil {
		return a.err
	}
	kernels.AdaptiveScores(a.job.Host, a.job.Request, a.job.Nodes, taken, a.searched)
	for v, count := range taken {
		a.job.Taken[v] = float64(count)
	}
	return nil
}
