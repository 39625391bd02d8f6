package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
)

// attempts runs the job, again after faults that may pass. It says whether the job ended well.
func (s *Scheduler) attempts(ctx context.Context, l *line, job config.Job, o Options, a *active) bool {
	token, skip := s.lookForChange(ctx, l, job, o)
	if skip != "" {
		s.tell(s.skipRecord(job.Name, o.Origin, skip), nil)
		return true
	}
	for attempt := 1; ; attempt++ {
		o.Origin.Attempt = attempt
		record, err := s.attempt(ctx, job, o, a)
		if good := err == nil; good {
			s.remember(l, token)
			s.prune(ctx, job.Name)
			return true
		}
		wait, again := retryAfter(job.Retry, attempt, err)
		if !again || ctx.Err() != nil || o.Origin.Trigger == ByRequest || o.Origin.Trigger == ByCypher {
			s.prune(ctx, job.Name)
			return false
		}
		s.notify(Event{Kind: Retrying, Job: job.Name, Run: record.ID, Trigger: o.Origin.Trigger,
			Text: fmt.Sprintf("attempt %d failed; the next is in %s", attempt, wait)})
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
		o.Origin.ID = newRunID(s.o.Now())
	}
}

// attempt is one run, from waiting for a place to its record.
func (s *Scheduler) attempt(ctx context.Context, job config.Job, o Options, a *active) (connector.Run, error) {
	s.mu.Lock()
	a.id = o.Origin.ID
	a.begun = false
	s.mu.Unlock()
	waited, release, err := s.place(ctx)
	if err != nil {
		r := s.skipRecord(job.Name, o.Origin, err.Error())
		s.tell(r, err)
		return r, err
	}
	defer release()
	s.mu.Lock()
	a.begun = true
	s.mu.Unlock()
	started := Event{Kind: Started, Job: job.Name, Run: o.Origin.ID, Trigger: o.Origin.Trigger, Waited: waited}
	if o.Origin.Trigger == BySchedule && o.Origin.Attempt == 1 {
		started.Lag = o.Origin.Lag
	}
	s.notify(started)
	o.Recording = func(ctx context.Context) { s.ledger.writeBefore(ctx, job.Name, o.Origin.Due) }
	result, err := s.execute(ctx, job, o)
	return s.settle(ctx, job, o, result, err), err
}

// execute guards against panics of whatever Execute calls outside the run itself.
func (s *Scheduler) execute(ctx context.Context, job config.Job, o Options) (result *Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return s.o.Execute(ctx, job, o, &teller{s: s, job: job.Name, run: o.Origin.ID, trigger: o.Origin.Trigger})
}

// settle completes the record of a run, keeps it, and tells.
func (s *Scheduler) settle(ctx context.Context, job config.Job, o Options, result *Result, err error) connector.Run {
	r := s.skipRecord(job.Name, o.Origin, "")
	r.Status = connector.Failed
	if result != nil {
		r = result.Run
	}
	if r.Finished.IsZero() {
		r.Finished = s.o.Now().UTC()
	}
	cause := context.Cause(ctx)
	switch {
	case err == nil && result != nil && result.Unchanged:
		r.Status, r.Note = connector.Skipped, join(r.Note, "unchanged since the last run")
	case err == nil:
	case connector.KindOf(err) == connector.Locked && r.Step == string(Export): // not later: then it had the lock
		r.Status, r.Error, r.Note = connector.Skipped, "", join(r.Note, err.Error())
	case cause != nil:
		r.Note = join(r.Note, cause.Error())
		if r.Status == connector.Failed && errors.Is(cause, context.Canceled) {
			r.Status = connector.Cancelled
		}
		r.Error = cmp.Or(r.Error, err.Error())
	default:
		r.Error = cmp.Or(r.Error, err.Error())
	}
	if err != nil {
		r.Hint = HintOf(err)
	}
	if r.Status == connector.Succeeded { // which has recorded itself
		s.ledger.forget(r)
	} else {
		s.ledger.save(r)
	}
	var bug *PanicError
	if errors.As(err, &bug) {
		s.o.Logger.Error("panic", "job", job.Name, "run", r.ID, "value", fmt.Sprint(bug.Value), "stack", string(bug.Stack))
	}
	kind := Ended
	if r.Status == connector.Skipped {
		kind = WasSkipped
	}
	s.notify(Event{Kind: kind, Job: job.Name, Run: r.ID, Trigger: o.Origin.Trigger, Text: r.Note, Record: &r,
		Failure: FailureOf(err), Hint: r.Hint})
	return r
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

func (s *Scheduler) prune(ctx context.Context, job string) {
	keep := int(s.keep.Load())
	if keep <= 0 {
		return
	}
	if _, err := s.o.Records.PruneRuns(ctx, job, keep); err != nil && ctx.Err() == nil {
		s.o.Logger.Warn("old run records could not be removed", "job", job, "error", err)
	}
}

// teller turns what a run reports into events.
type teller struct {
	s        *Scheduler
	job, run string
	trigger  Trigger
	step     Step
	told     time.Time
	pace     *Pace
}

// tellEvery is the least time between two events on progress.
const tellEvery = 200 * time.Millisecond

func (t *teller) event(kind EventKind) Event {
	return Event{Kind: kind, Job: t.job, Run: t.run, Trigger: t.trigger, Step: t.step}
}

// Begin implements Reporter.
func (t *teller) Begin(_ string, step Step) {
	t.step, t.told, t.pace = step, time.Time{}, NewPace(time.Now())
	t.s.notify(t.event(Stepped))
}

// Progress implements Reporter.
func (t *teller) Progress(done, expected int64, unit string) {
	now := time.Now()
	t.pace.Report(now, done, expected, unit)
	if done < expected && now.Sub(t.told) < tellEvery {
		return
	}
	t.told = now
	e := t.event(Advanced)
	e.Rate, e.Left = t.pace.Rate(), t.pace.Left().Seconds()
	e.Done, e.Expected, e.Unit = done, expected, unit
	t.s.notify(e)
}

// Forecast implements Forecaster.
func (t *teller) Forecast(d time.Duration) {
	t.pace.Plan(d)
	e := t.event(Advanced)
	e.Left = t.pace.Left().Seconds()
	t.s.notify(e)
}

// End implements Reporter.
func (t *teller) End(summary string) {
	e := t.event(StepDone)
	e.Text = summary
	t.s.notify(e)
}

// Note implements Reporter.
func (t *teller) Note(text string) {
	e := t.event(Noted)
	e.Text = text
	t.s.notify(e)
}

// Warn implements Reporter.
func (t *teller) Warn(text string) {
	e := t.event(Warned)
	e.Text = text
	t.s.notify(e)
}
