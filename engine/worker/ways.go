package worker

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// ways lists the ways to compute a task on a device, the best first. They are made one after the other, because
// reductions take long: who takes the first that fits does not wait for others. After an error there are no more.
func (t *task) ways(ctx context.Context, d gpu.Info) iter.Seq2[*way, error] {
	return func(yield func(*way, error) bool) {
		reduced := t.reducedWays
		if t.job.Folds() {
			reduced = t.foldedWays
		}
		var about *kernels.Reduction
		if t.job.Within == 0 && !t.job.Chooses() { // what a node stands for may lie beyond, or count otherwise
			var more bool
			if about, more = reduced(ctx, d, yield); !more {
				return
			}
		}
		if t.taking().AsksForChains() {
			yield(nil, notByChains(about))
			return
		}
		t.plainWays(d, about, yield)
	}
}

// notByChains is the error of strategy chains on a graph that it does not suit.
func notByChains(about *kernels.Reduction) error {
	why := "reductions are off"
	if about != nil {
		why = strings.TrimPrefix(about.Reason, "not reduced: ")
	}
	return notOnGPU("strategy %s does not suit this graph: %s", kernels.Chains, why)
}

// plainWays are those on the graph as it is. about says why it is not reduced; nil for nothing to say.
func (t *task) plainWays(d gpu.Info, about *kernels.Reduction, yield func(*way, error) bool) {
	job := t.job
	engines, why, err := t.choose(&job, d)
	if err != nil {
		yield(nil, err)
		return
	}
	for i, e := range inTurn(engines, &job, d) {
		if i > 0 {
			why = "auto: the next that fits into memory"
		}
		of, note := inPrecision(job, e)
		w := t.on(e, of, why+note)
		w.reduction = about
		if !yield(w, nil) {
			return
		}
	}
}

// on is the way of an engine on the graph as it is.
func (t *task) on(e device.Engine, job device.Job, why string) *way {
	w := &way{engine: e, job: job, why: why, rest: restOf(e), plain: t.measure.Name != "",
		room: &device.Values{Nodes: t.nodes, Edges: t.edges}}
	if len(t.job.Want.Ranges) > 0 {
		w.inRanges(t)
		return w
	}
	w.job.Partial = t.partial(job.Request)
	w.finish = func(p *kernels.Partial) (kernels.Totals, error) {
		if t.measure.Name == "" {
			return p.Totals, nil
		}
		return p.Totals, p.Finish(t.measure, t.job.Host, t.job.Request, t.nodes, t.edges)
	}
	if t.job.Weighted && !w.job.Weighted { // by hops, because all weights are equal
		w.inUnits(t)
	}
	return w
}

// inUnits makes scores by hops those by weights that are all equal.
func (w *way) inUnits(t *task) {
	weight, _ := equalWeights(t.job.Host)
	w.why += fmt.Sprintf("; by hops, because all weights are %g", weight)
	w.ties, w.plain = "exact", false
	byHops := w.finish
	w.finish = func(p *kernels.Partial) (kernels.Totals, error) {
		totals, err := byHops(p)
		totals.Distance *= weight
		factor := kernels.InUnits(t.measure.Name, weight)
		for _, scores := range [][]float64{t.nodes, t.edges} {
			if err == nil {
				err = inUnits(scores, factor)
			}
		}
		return totals, err
	}
}

// inPrecision is a job in the precision that an engine does it in. The note says why that is not single where float32
// would not be right to 1e-5; "" otherwise.
func inPrecision(j device.Job, e device.Engine) (of device.Job, note string) {
	if j.Chooses() || !j.Kind().Divides() || !j.Weighted && !plan.IsBatched(e.Name()) { // these engines know no other
		j.Single = false
	}
	if !j.Single || j.Profile || j.Kind() != kernels.Dependencies || !j.Weighted && !j.Deep() {
		return j, ""
	}
	levels := j.Depth().Levels
	if levels <= kernels.SingleLevels {
		return j, ""
	}
	j.Single = false
	return j, fmt.Sprintf("; in double precision, because %d levels are too many for float32", levels)
}
