package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// work is one order on its way.
type work struct {
	order   protocol.Order
	host    Host
	speaker *speaker
	// open opens a device, which is not to be closed.
	open func(index int) (gpu.OpenDevice, error)
	// kept is the run of the order before, if it was cut into shards.
	kept *keptRun
	// rates are those of the device that is open.
	rates func(gpu.Info) *plan.Rates
}

// do computes the order and leaves the scores in their file, or the partial result of a shard in another.
func (w *work) do(ctx context.Context) (*protocol.Result, error) {
	if w.order.Shard != nil || w.order.Joined != "" {
		return w.part(ctx)
	}
	if err := w.kept.drop(); err != nil {
		return nil, err
	}
	snapshot, err := openSnapshot(w.order)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	t, err := w.task(snapshot)
	if err != nil {
		return nil, err
	}
	scores, err := w.scores(t)
	if err != nil {
		return nil, err
	}
	defer scores.close()
	d, err := w.open(w.order.Device)
	if err != nil {
		return nil, err
	}
	return t.compute(ctx, d, 1, w.speaker.planned)
}

// part does a shard of a run, or makes scores of what all shards found. The run is kept for the next order.
func (w *work) part(ctx context.Context) (*protocol.Result, error) {
	run, err := runOf(w.order)
	if err == nil && run != w.kept.run {
		err = w.kept.drop()
	}
	if err != nil {
		return nil, err
	}
	d, err := w.open(w.order.Device)
	if err == nil && w.kept.run == "" {
		err = w.kept.begin(run, w.order, d, w.task)
	}
	if err != nil {
		return nil, err
	}
	if w.order.Shard != nil {
		return w.kept.shard(ctx, w.order, w.speaker.planned)
	}
	scores, err := w.scores(w.kept.task)
	if err != nil {
		return nil, err
	}
	defer scores.close()
	return w.kept.join(ctx, w.order, w.speaker.planned)
}

// openSnapshot opens the snapshot of an order. Its fingerprint is that of a graph that linchpin has in memory, and has
// checked.
func openSnapshot(o protocol.Order) (*export.Mapped, error) {
	snapshot, err := export.OpenSealed(o.Snapshot)
	if err != nil {
		return nil, refusal{err, protocol.BadSnapshot}
	}
	if protocol.Fingerprint(snapshot.Graph) != o.Graph {
		other := fmt.Errorf("snapshot %s holds another graph than the one to compute on", o.Snapshot)
		return nil, refusal{errors.Join(other, snapshot.Close()), protocol.BadSnapshot}
	}
	return snapshot, nil
}

// task is what the order asks for.
func (w *work) task(snapshot *export.Mapped) (*task, error) {
	t, err := newTask(w.order, snapshot.Graph, w.host.Engines, w.speaker.done)
	if err == nil {
		t.rates = w.ratesOf
	}
	return t, err
}

// scores maps the file of scores, of which parts become those that a task fills.
func (w *work) scores(t *task) (*scoreFile, error) {
	scores, err := mapScores(w.order.Scores, protocol.ScoreBytes(t.job.Host, w.order, len(t.job.Sources)))
	if err != nil {
		return nil, fmt.Errorf("file of scores: %w", err)
	}
	t.share(scores.values, w.order)
	return scores, nil
}

// ratesOf returns the rates that the order was ranked by, or those that are kept.
func (w *work) ratesOf(d gpu.Info) *plan.Rates {
	if r, ok := plan.By(w.order.Calibration, d); ok {
		return r
	}
	return w.rates(d)
}

// planned reports what is about to be done.
func (s *speaker) planned(p protocol.Planned) error {
	return s.say(protocol.Event{Event: protocol.EventPlanned, Planned: &p})
}

// compute takes the first way that fits the device and turns out to be right, and fills the task's scores. planned is
// told what is about to be done.
func (t *task) compute(
	ctx context.Context, d gpu.Device, shards int, planned func(protocol.Planned) error,
) (*protocol.Result, error) {
	start := time.Now()
	defer t.sample.begin(t.job.Host)()
	var first error
	givenUp := ""
	for w, err := range t.ways(ctx, d.Info()) {
		if err != nil {
			return nil, cmpError(first, err)
		}
		if err = w.prepare(t, d.Info()); err == nil {
			w.planned.Reason += givenUp
			err = planned(w.planned)
		}
		var result *protocol.Result
		if err == nil {
			prepared := time.Since(start).Seconds()
			if result, err = w.result(ctx, d, shards); err == nil {
				if t.sample != nil { // a sample of pairs has no totals to check
					result.Sampled, result.NoDistance = t.sample.sampled, t.job.Measure == device.Pairs
				}
				result.Preprocess += prepared
				result.Compute = time.Since(start).Seconds()
				result.PeakBytes = d.Peak()
				return result, nil
			}
		}
		if !t.goesOn(w, err) {
			return nil, w.explained(err)
		}
		first = cmpError(first, err)
		givenUp += fmt.Sprintf("; not by %s: %v", w.engine.Name(), err)
	}
	return nil, first
}

// cmpError is the first of two errors that is one.
func cmpError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// goesOn reports whether another way may do what this one could not: for auto where it does not fit, or where the sums
// over chains cannot be right.
func (t *task) goesOn(w *way, err error) bool {
	if t.taking().Named() {
		return false
	}
	tooLarge := (*gpu.TooLarge)(nil)
	return errors.As(err, &tooLarge) || w.doesNotSuit(err)
}

// doesNotSuit reports whether an error says that the way does not suit the graph.
func (w *way) doesNotSuit(err error) bool { return w.unfit != nil && errors.Is(err, w.unfit) }

// explained is the error of the way for a person.
func (w *way) explained(err error) error {
	if w.doesNotSuit(err) {
		return notOnGPU("strategy %s does not suit this graph: %v", w.engine.Name(), err)
	}
	return err
}

// result runs the way.
func (w *way) result(ctx context.Context, d gpu.Device, shards int) (*protocol.Result, error) {
	result, totals, err := w.compute(ctx, d, shards)
	if err != nil {
		return nil, err
	}
	return w.told(result, totals), nil
}

// told is what a result says besides the scores.
func (w *way) told(result device.Result, totals kernels.Totals) *protocol.Result {
	out := &protocol.Result{
		Pairs: totals.Pairs, Distance: totals.Distance, NoDistance: totals.NoDistance, Demand: totals.Demand,
		DemandDistance: totals.DemandDistance, Reduction: w.reduction, Ties: result.Ties,
		Single: w.job.Single, Note: result.Note, Profile: result.Profile, Preprocess: result.Preprocess,
		Convergence: result.Convergence,
	}
	for _, of := range w.job.Ranges {
		out.Ranges = append(out.Ranges,
			protocol.RangeTotals{Pairs: of.Partial.Totals.Pairs, Distance: of.Partial.Totals.Distance})
	}
	return out
}

// notOnGPU marks what the CPU can do and the device cannot.
func notOnGPU(format string, args ...any) error {
	return &device.Unsuited{Why: fmt.Sprintf(format, args...)}
}
