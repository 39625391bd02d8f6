package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
)

// measure checks each of the rivals and times those that are right. Short runs on sources drawn at random are by turns:
// where the device or the host is slow for a while, it is so for all of them.
func (r *Runner) measure(ctx context.Context, p *prepared, rivals []measurement) []Record {
	records, turns := make([]Record, len(rivals)), make([]*runs, len(rivals))
	for i := range rivals {
		records[i] = rivals[i].record()
		turns[i] = r.begin(ctx, p, &rivals[i], &records[i])
	}
	for left := true; left; {
		left = false
		for i, x := range turns {
			if x == nil || x.settled() {
				continue
			}
			left = true
			if err := x.again(ctx); err != nil {
				records[i].fail(err)
				turns[i] = nil
			}
		}
	}
	for i, x := range turns {
		if x != nil {
			r.finish(ctx, p, &rivals[i], x.median(), &records[i])
		}
	}
	return records
}

// begin checks a strategy. If it is right, begin times it, or returns the runs that are to come on sources drawn.
func (r *Runner) begin(ctx context.Context, p *prepared, m *measurement, out *Record) *runs {
	out.Environment, out.Date = r.Environment, r.Clock().UTC().Format(time.RFC3339)
	if p.err != nil {
		out.fail(p.err)
		return nil
	}
	g := p.snapshot.Graph
	out.Nodes, out.Edges, out.Depth = g.N(), g.M(), p.depth
	if m.samples() {
		of := r.sample
		if m.Error > 0 {
			of = r.bounded
		}
		if err := of(ctx, p, m, out); err != nil {
			out.fail(err)
		}
		return nil
	}
	run := func(ctx context.Context, sources []int32) (*engine.Outcome, error) {
		return r.compute(ctx, p, m, sources)
	}
	t := &timer{Timing: r.Timing, nodes: g.N(), batch: m.batch(), auto: m.strategy == "auto", run: run}
	switch {
	case m.Drawn > 0:
		t.pool, t.whole = kernels.DrawSources(g.N(), min(m.Drawn, g.N()), 1), true
	case m.Sources > 0:
		t.pool = checkSources(g, m.Sources)
	}
	var first *engine.Outcome
	if !m.onCPU() {
		t.order = p.neighbours(m.batch())
		if first = r.check(ctx, p, m, run, out); out.Status != "" {
			return nil
		}
	}
	if m.Drawn > 0 {
		return &runs{timer: t, sources: t.pool}
	}
	result, err := r.time(ctx, t, m, p, first)
	if err != nil {
		out.fail(err)
		return nil
	}
	r.finish(ctx, p, m, result, out)
	return nil
}

// finish records the result of a strategy that is right.
func (r *Runner) finish(ctx context.Context, p *prepared, m *measurement, result timed, out *Record) {
	out.finish(m, result)
	r.agree(ctx, p, m, result.outcome.Scores.Nodes, out)
}

// check runs the strategy on the sources of the reference and records how far off it is. It leaves Status empty when
// the strategy is right.
func (r *Runner) check(ctx context.Context, p *prepared, m *measurement,
	run func(context.Context, []int32) (*engine.Outcome, error), out *Record) *engine.Outcome {
	if err := p.failures[m.question()]; err != nil {
		out.fail(err)
		return nil
	}
	ref := p.references[m.question()]
	first, err := run(ctx, ref.request.Sources)
	if err != nil {
		out.fail(err)
		return nil
	}
	out.Device, out.Taken, out.CheckedSources = first.Device, taken(first), ref.sources(out.Nodes)
	if first.Device == "cpu" {
		out.fail(errors.New("it ran on the CPU: " + first.Reason))
		return nil
	}
	out.CheckedError, out.Finite = compare(ref.scores, first.Scores)
	switch limit := tolerance(m.precision); {
	case !out.Finite:
		out.Status, out.Reason = Wrong, "a score is not finite"
	case out.CheckedError > limit:
		out.Status = Wrong
		out.Reason = fmt.Sprintf("a score differs from the CPU's by %.2g, relative; the limit is %g", out.CheckedError, limit)
	}
	return first
}

// time times a strategy that is right. Without a first run, which checks a device, it makes one.
func (r *Runner) time(ctx context.Context, t *timer, m *measurement, p *prepared,
	first *engine.Outcome) (timed, error) {
	if t.whole {
		out, err := t.run(ctx, t.pool)
		if err != nil {
			return timed{}, err
		}
		return t.repeat(ctx, t.pool, out)
	}
	if first != nil {
		return t.after(ctx, first, p.references[m.question()].sources(t.nodes))
	}
	spec, _ := kernels.Lookup(m.Measure) // measurements found it
	var probe []int32
	if searches(spec) {
		probe = checkSources(p.snapshot.Graph, m.batch())
	}
	out, err := t.run(ctx, probe)
	switch {
	case err != nil:
		return timed{}, err
	case probe == nil:
		return t.repeat(ctx, nil, out)
	}
	return t.grow(ctx, out, len(probe))
}

// compute runs the strategy once.
func (r *Runner) compute(ctx context.Context, p *prepared, m *measurement, sources []int32) (*engine.Outcome, error) {
	task := r.task(p, m)
	task.Request.Sources = sources
	return r.limited(ctx, sources, func(ctx context.Context) (*engine.Outcome, error) {
		return r.Engine.Compute(ctx, task)
	})
}

// task asks for the scores of a measurement from all sources.
func (r *Runner) task(p *prepared, m *measurement) engine.Task {
	task := engine.Task{
		Measure: m.Measure, Request: m.request(), Snapshot: p.snapshot, Path: p.path,
		Device: engine.GPU, Strategy: m.strategy, Precision: m.precision, Bucket: m.Bucket, Profile: m.Profile && !m.onCPU(),
	}
	if m.onCPU() {
		task.Device, task.Strategy = engine.CPU, "auto"
	}
	return task
}

// stoppedError says that a run took longer than runs may.
type stoppedError struct {
	after   time.Duration
	sources []int32
}

func (e *stoppedError) Error() string {
	return fmt.Sprintf("stopped after %v on %s", e.after, sourcesText(e.sources))
}

// limited computes from these sources within the limit of a run.
func (r *Runner) limited(
	ctx context.Context, sources []int32, compute func(context.Context) (*engine.Outcome, error),
) (*engine.Outcome, error) {
	if r.RunLimit > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, r.RunLimit, &stoppedError{r.RunLimit, sources})
		defer cancel()
		ctx = limited
	}
	out, err := compute(ctx)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return out, err
}

func sourcesText(sources []int32) string {
	if sources == nil {
		return "all sources"
	}
	return fmt.Sprintf("%d sources", len(sources))
}

// taken is the strategy of a device, or the CPU.
func taken(o *engine.Outcome) string { return cmp.Or(o.Strategy, o.Device) }

// fail records why there is no measurement.
func (r *Record) fail(err error) {
	r.Status, r.Reason = Failed, err.Error()
	if why, detail := engine.ReasonOf(err); why == protocol.NotOnGPU && r.Strategy != "auto" {
		r.Status, r.Reason = Unsuited, detail
	}
}

// finish records the result of a strategy that is right.
func (r *Record) finish(m *measurement, t timed) {
	o := t.outcome
	r.Status, r.Reason, r.Device, r.Taken, r.PeakDevice = OK, o.Reason, o.Device, taken(o), o.PeakDevice
	r.Sources, r.Runs, r.Seconds, r.Finite, r.Profile = t.sources, t.runs, t.seconds, allFinite(o.Scores), o.Profile
	if !r.Finite {
		r.Status, r.Reason = Wrong, "a score is not finite"
		return
	}
	if spec, _ := kernels.Lookup(m.Measure); searches(spec) && t.seconds.Compute > 0 {
		r.GTEPS = float64(t.sources) * float64(r.Edges) / t.seconds.Compute / 1e9
	}
}

// line says in one line what was recorded.
func (r *Record) line() string {
	name := fmt.Sprintf("%s %s %s", r.Graph, r.Measure, r.Strategy)
	if r.Radius != nil {
		name = fmt.Sprintf("%s %s radius %d %s", r.Graph, r.Measure, *r.Radius, r.Strategy)
	}
	if r.Status != OK {
		return fmt.Sprintf("%s: %s: %s", name, r.Status, r.Reason)
	}
	if b := r.Bounded; b != nil {
		return fmt.Sprintf("%s, error %g: %.4g s, %.2g of exact scores", name, b.Asked, r.Seconds.Compute,
			r.Seconds.Compute/b.Exact)
	}
	rate := ""
	if r.GTEPS > 0 {
		rate = fmt.Sprintf("%.3f GTEPS, ", r.GTEPS)
	}
	return fmt.Sprintf("%s: %s%d sources in %.4g s, error %.1g", name, rate, r.Sources, r.Seconds.Compute, r.CheckedError)
}
