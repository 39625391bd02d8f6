package pull

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/inparts"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/rank"
)

// run is one run of the engine.
type run struct {
	calls    *device.Calls
	job      *device.Job
	equation *rank.Equation
	rows     *rows
	layout   layout
	arrays   arrays
	args     gpu.Ptr
	// sums is the shape of a launch of pull_sums.
	sums gpu.Shape
	// took is how long the iterations took.
	took time.Duration
}

// newRun puts the graph of a job into order on the device.
func newRun(c *device.Calls, j *device.Job, e *rank.Equation) *run {
	r := &run{calls: c, job: j, equation: e, rows: newRows(j.Host)}
	r.layout = layoutOf(j.Host, r.rows, e)
	r.layout.buffers(&r.arrays, contents{r.rows, e.Strengths, r.rows.moved(e.Restart), r.rows.moved(e.Share)}).Take(c)
	most := c.Device.Info().SharedBlock * hotMemory / 4 / 8
	hot := r.rows.hottest(j.Host, most)
	r.args = r.arguments(hot)
	r.sums = gpu.Shape{Grid: 1, Block: sumThreads, Shared: 8 * hot}
	c.Do(func() error {
		resident, err := c.Device.Resident(kernelPullSums, r.sums)
		r.sums.Grid = int(max(1, min(int64(resident*c.Device.Info().SMs), (r.rows.warps()+sumThreads/32-1)/(sumThreads/32))))
		return err
	})
	c.Launch(kernelPullRows, device.ForEach(32*r.layout.nodes), r.args)
	c.Launch(kernelPullBegin, device.ForEach(r.layout.nodes), r.args)
	return r
}

// moved returns values of nodes in the order of their new numbers; nil for nil.
func (r *rows) moved(values []float64) []float64 {
	if values == nil {
		return nil
	}
	out := make([]float64, len(values))
	inparts.Do(len(values), func(first, last int) {
		for v := first; v < last; v++ {
			out[r.numbers[v]] = values[v]
		}
	})
	return out
}

// arguments fills Pull of pull.cu.
func (r *run) arguments(hot int) gpu.Ptr {
	a, e, in := r.arrays, r.equation, r.job.Graph.In
	_, wanted := r.job.Request.IterationLimits()
	return device.Put(r.calls, pullArguments{
		n:          r.layout.nodes,
		offsets:    in.Offsets,
		targets:    in.Targets,
		weights:    in.Weights,
		strengths:  a.strengths,
		damping:    e.Damping,
		rows:       a.rows,
		numbers:    a.numbers,
		rowStarts:  a.rowStarts,
		columns:    a.columns,
		factors:    a.factors,
		itemStarts: a.itemStarts,
		places:     a.places,
		ends:       a.ends,
		longRows:   r.layout.longRows,
		pieces:     a.pieces,
		own:        a.own,
		base:       e.Base,
		share:      a.share,
		all:        e.All,
		scores:     a.scores,
		before:     a.before,
		sent:       a.sent,
		sums:       a.sums,
		hot:        int64(hot),
		residuals:  a.residuals,
		wanted:     wanted,
	})
}

// solve iterates, and fills the job's partial result with scores.
func (r *run) solve() (kernels.Convergence, error) {
	r.calls.Sync()
	start := time.Now()
	ended, err := r.iterate()
	r.took = time.Since(start)
	if err != nil {
		return ended, err
	}
	r.calls.Launch(kernelPullEnd, device.ForEach(r.layout.nodes), r.args, r.arrays.out)
	if device.Download(r.calls, r.job.Partial.Alone, r.arrays.out); r.calls.Err == nil {
		r.equation.Finish(r.job.Request, r.job.Partial.Alone)
	}
	return ended, r.calls.Err
}

// iterate iterates until the residual is small. Several iterations are launched at a time: those after the last do
// nothing.
func (r *run) iterate() (ended kernels.Convergence, err error) {
	most, wanted := r.job.Request.IterationLimits()
	weight, residuals := 1.0, make([]float64, chunk)
	for ended.Iterations < most {
		if r.calls.Ctx.Err() != nil {
			return ended, context.Cause(r.calls.Ctx)
		}
		steps := residuals[:min(chunk, most-ended.Iterations)]
		r.calls.Clear(r.arrays.residuals, 8*chunk)
		for k := range steps {
			r.step(uint32(k), weight)
			weight = r.equation.Accelerated(weight)
		}
		if device.Download(r.calls, steps, r.arrays.residuals); r.calls.Err != nil {
			return ended, r.calls.Err
		}
		for _, residual := range steps {
			ended = kernels.Convergence{Iterations: ended.Iterations + 1, Residual: residual}
			switch {
			case residual <= wanted:
				return ended, nil
			case !(residual <= math.MaxFloat64):
				return ended, &kernels.NotConverged{Convergence: ended, Wanted: wanted}
			}
		}
		r.job.Progress(len(r.job.Sources) * ended.Iterations / rank.Expected(r.job.Request, ended))
	}
	return ended, &kernels.NotConverged{Convergence: ended, Wanted: wanted}
}

// step launches an iteration, with the weight of its scores.
func (r *run) step(number uint32, weight float64) {
	r.calls.Launch(kernelPullSums, r.sums, r.args, number)
	if r.layout.longRows > 0 {
		r.calls.Launch(kernelPullPieces, device.ForEach(32*r.layout.longRows), r.args, number)
	}
	r.calls.Launch(kernelPullStep, device.ForEach(r.layout.nodes), r.args, number, weight)
}

// note is one line on how fast the iterations were.
func (r *run) note(ended kernels.Convergence) string {
	bytes := float64(r.layout.moved()) * float64(ended.Iterations)
	return fmt.Sprintf("%d iterations, %.3g GB/s", ended.Iterations, bytes/r.took.Seconds()/1e9)
}
