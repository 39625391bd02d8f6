package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
)

// Records is what a Scheduler keeps in the database.
type Records interface {
	// SaveRuns saves records in this order, all of them or none.
	SaveRuns(ctx context.Context, runs ...connector.Run) error
	// LastDue returns the newest due time of the job that a record accounts for, or zero.
	LastDue(ctx context.Context, job string) (time.Time, error)
	// CloseRuns closes the records of runs whose process died, and PruneRuns removes old ones.
	CloseRuns(ctx context.Context, job string) (int64, error)
	PruneRuns(ctx context.Context, job string, keep int) (int64, error)
}

// Execute runs a job once, as Runner.Run does.
type Execute func(ctx context.Context, job config.Job, o Options, r Reporter) (*Result, error)

// Scheduler starts jobs when they are due, after one another, when the graph changed, and on request. Every due time is
// accounted for by a record: it ran, was skipped, or was missed, with the reason. All its methods may be called from
// several goroutines.
type Scheduler struct {
	o       SchedulerOptions
	cron    *cron.Cron
	ledger  *ledger
	places  *places // one for each run under way
	keep    atomic.Int64
	ctx     context.Context
	cancel  context.CancelCauseFunc
	running sync.WaitGroup
	beat    atomic.Int64 // when the scheduler last looked at the clock, in nanoseconds of the wall clock

	mu       sync.Mutex
	lines    map[string]*line
	order    []string
	going    int // runs under way or in line for a place, those of jobs that a reload has removed among them
	draining bool
}

// SchedulerOptions say what a Scheduler works with.
type SchedulerOptions struct {
	Execute Execute
	Records Records
	// Notify is told what happens. It must not block, nor call the scheduler.
	Notify func(Event)
	// Changed returns a text that differs when the job's graph may have changed; nil when no job asks.
	Changed func(ctx context.Context, job config.Job) (string, error)
	// Now is the wall clock; time.Now outside tests.
	Now func() time.Time
	// Running is the number of runs at the same time; Keep that of records to keep for each job.
	Running, Keep int
	// Host and Version stand in records.
	Host, Version string
	Logger        *slog.Logger
}

// line is all that the scheduler knows of one job. The scheduler's mutex guards it.
type line struct {
	job      config.Job
	schedule cron.Schedule // nil without one
	entry    cron.EntryID
	last     time.Time // due times up to here are accounted for
	fresh    bool      // no record says so
	active   *active
	waiting  *Origin
	options  Options // of the waiting run
	token    string  // what Changed said before the last run that ended well
	poll     context.CancelFunc
}

// active is a run under way, or one that stands in line for a place.
type active struct {
	id      string
	trigger Trigger
	since   time.Time
	cancel  context.CancelCauseFunc
	begun   bool // has a place
}

// NewScheduler returns a scheduler that Start sets going.
func NewScheduler(o SchedulerOptions) *Scheduler {
	s := &Scheduler{o: o, lines: map[string]*line{}, places: newPlaces(o.Running)}
	s.keep.Store(int64(o.Keep))
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.ledger = newLedger(o.Records, o.Logger)
	quiet := cron.DiscardLogger
	s.cron = cron.New(cron.WithLocation(time.UTC), cron.WithLogger(quiet), cron.WithChain(cron.Recover(quiet)))
	s.beat.Store(o.Now().UnixNano())
	return s
}

// Start reads from the records which due times passed while nobody looked, deals with them, and goes on by the clock.
// It asks the records until they answer or the context ends.
func (s *Scheduler) Start(ctx context.Context, list []config.Job) error {
	last := map[string]time.Time{}
	for _, j := range list {
		due, err := s.lastDue(ctx, j.Name)
		if err != nil {
			return err
		}
		last[j.Name] = due
	}
	if err := s.replace(list, last); err != nil {
		return err
	}
	for _, name := range s.names() {
		s.wake(name, "the service was not running")
	}
	s.cron.Start()
	s.running.Go(func() { s.ledger.keep(s.ctx) })
	s.running.Go(func() { s.watchClock(s.ctx) })
	return nil
}

func (s *Scheduler) lastDue(ctx context.Context, job string) (time.Time, error) {
	pause := 500 * time.Millisecond
	for {
		_, err := s.o.Records.CloseRuns(ctx, job)
		if err == nil {
			var due time.Time
			if due, err = s.o.Records.LastDue(ctx, job); err == nil {
				return due, nil
			}
		}
		s.o.Logger.Warn("the run records cannot be read; trying again", "job", job, "error", err)
		select {
		case <-ctx.Done():
			return time.Time{}, context.Cause(ctx)
		case <-time.After(pause):
		}
		pause = min(2*pause, 10*time.Second)
	}
}

// Replace takes over another list of jobs, as after a reload of the config. Runs under way go on as they began; a job
// that is gone is not started again.
func (s *Scheduler) Replace(list []config.Job) error { return s.replace(list, nil) }

// Resize changes the number of runs at the same time, and that of records to keep for each job. Runs under way go on.
func (s *Scheduler) Resize(running, keep int) {
	s.places.resize(running)
	s.keep.Store(int64(keep))
}

// replace sets up the lines. A job without an entry in last, or with a new schedule, has nothing to catch up with.
func (s *Scheduler) replace(list []config.Job, last map[string]time.Time) error {
	schedules := map[string]cron.Schedule{}
	for _, j := range list {
		if j.Schedule == "" {
			continue
		}
		schedule, err := ParseSchedule(j.Schedule, j.Timezone)
		if err != nil {
			return fmt.Errorf("job %s: schedule %q: %w", j.Name, j.Schedule, err)
		}
		schedules[j.Name] = schedule
	}
	s.mu.Lock()
	old := s.lines
	s.lines, s.order = map[string]*line{}, nil
	for _, j := range list {
		l, known := old[j.Name]
		if !known {
			l = &line{last: last[j.Name]}
		}
		l.fresh = l.fresh || l.last.IsZero()
		if l.last.IsZero() || known && (l.job.Schedule != j.Schedule || l.job.Timezone != j.Timezone) {
			l.last = s.o.Now()
		}
		l.job, l.schedule = j, schedules[j.Name]
		s.lines[j.Name] = l
		s.order = append(s.order, j.Name)
		delete(old, j.Name)
	}
	var skipped []connector.Run
	for _, gone := range old { // with these, nothing may start any more
		if gone.waiting != nil {
			skipped = append(skipped, s.skipRecord(gone.job.Name, *gone.waiting, "the job was removed from the config"))
			gone.waiting = nil
		}
		if gone.poll != nil {
			gone.poll()
		}
	}
	s.mu.Unlock()
	for _, r := range skipped {
		s.tell(r, errUnknownJob)
	}
	for _, gone := range old {
		s.cron.Remove(gone.entry)
	}
	for _, j := range list {
		s.arm(j.Name)
		s.armPoll(j.Name)
	}
	return nil
}

func (s *Scheduler) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.order...)
}

// stopped is why a run was cancelled. It counts as context.Canceled.
type stopped struct{ why string }

func (e stopped) Error() string        { return e.why }
func (e stopped) Is(target error) bool { return target == context.Canceled }

// errStopping is why runs end with the service.
var errStopping = stopped{"the service was told to stop"}

// Stop starts nothing any more and waits for runs under way, for the grace time at most; then it cancels them and waits
// until they have recorded that. What could not be recorded is returned as an error.
func (s *Scheduler) Stop(grace time.Duration) error {
	s.mu.Lock()
	s.draining = true
	var skipped []connector.Run
	for name, l := range s.lines {
		if l.waiting != nil {
			skipped = append(skipped, s.skipRecord(name, *l.waiting, "the service was told to stop"))
			l.waiting = nil
		}
	}
	s.mu.Unlock()
	<-s.cron.Stop().Done()
	for _, r := range skipped {
		s.tell(r, errStopping)
	}
	s.awaitIdle(grace)
	s.cancel(errStopping)
	s.running.Wait()
	if left := s.ledger.flush(context.Background()); left > 0 {
		return fmt.Errorf("%d run records could not be written to the database", left)
	}
	return nil
}

// awaitIdle waits until no run is under way, or the time is over.
func (s *Scheduler) awaitIdle(grace time.Duration) {
	end := time.NewTimer(grace)
	defer end.Stop()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		s.mu.Lock()
		idle := s.going == 0
		s.mu.Unlock()
		if idle {
			return
		}
		select {
		case <-end.C:
			return
		case <-look.C:
		}
	}
}

// Alive says when the scheduler last looked at the clock. It does so every few seconds, so a time long past means that
// it hangs. The mutex is taken, so that a deadlock shows too.
func (s *Scheduler) Alive() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Unix(0, s.beat.Load())
}

// Unrecorded returns how many run records wait for the database to take them.
func (s *Scheduler) Unrecorded() int { return s.ledger.waiting() }

func (s *Scheduler) notify(e Event) {
	if s.o.Notify == nil {
		return
	}
	e.Time = s.o.Now()
	s.o.Notify(e)
}

// tell records what did not run, and notifies. The error is nil where nothing was amiss.
func (s *Scheduler) tell(r connector.Run, err error) {
	s.ledger.save(r)
	kind := WasSkipped
	if r.Status == connector.Missed {
		kind = WasMissed
	}
	s.notify(Event{Kind: kind, Job: r.Job, Run: r.ID, Trigger: Trigger(r.Trigger), Text: r.Note, Record: &r,
		Failure: FailureOf(err)})
}

func (s *Scheduler) skipRecord(job string, o Origin, why string) connector.Run {
	now := s.o.Now().UTC()
	id := o.ID
	if id == "" {
		id = newRunID(now)
	}
	return connector.Run{
		ID: id, Job: job, Status: connector.Skipped, Started: now, Finished: now, Trigger: string(o.Trigger), Due: o.Due,
		Attempt: int64(o.Attempt), Request: o.Request, AskedBy: o.By, Note: why, Host: s.o.Host, Version: s.o.Version,
		Seconds: map[string]float64{},
	}
}

// waitRecord is the record of a run that is due and has none of its own yet.
func (s *Scheduler) waitRecord(job string, o Origin) connector.Run {
	r := s.skipRecord(job, o, o.Note)
	r.Status, r.Finished = connector.Waiting, time.Time{}
	return r
}

// errUnknownJob is what requests for a job get that the config does not have.
var errUnknownJob = errors.New("the config has no job")
