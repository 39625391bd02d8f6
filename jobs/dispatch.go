package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
)

// Answer is what became of a request.
type Answer struct {
	// Run is the id of the run that serves the request.
	Run string `json:"run"`
	// Queued says that the run before it has to end first.
	Queued bool `json:"queued"`
}

// Ask starts a job on request, or lets it stand in line behind the job's run under way. The error says that there is no
// such job, or that the service is stopping. Of Options.Origin only Request and By count.
func (s *Scheduler) Ask(job string, trigger Trigger, o Options) (Answer, error) {
	o.Origin = Origin{ID: newRunID(s.o.Now()), Trigger: trigger, Request: o.Origin.Request, By: o.Origin.By}
	return s.admit(job, o)
}

// ErrStopping is what Ask returns when the service is about to end.
var ErrStopping = errors.New("the service is stopping")

// dispatch starts a run that is due.
func (s *Scheduler) dispatch(job string, origin Origin) {
	if origin.ID == "" {
		origin.ID = newRunID(s.o.Now())
	}
	_, err := s.admit(job, Options{Origin: origin})
	switch {
	case errors.Is(err, ErrStopping):
		s.tell(s.skipRecord(job, origin, "the service was told to stop"), errStopping)
	case errors.Is(err, errUnknownJob):
		s.tell(s.skipRecord(job, origin, "the job was removed from the config"), errUnknownJob)
	}
}

// admit lets a run start, wait, or be skipped, by the job's overlap policy.
func (s *Scheduler) admit(job string, o Options) (Answer, error) {
	s.mu.Lock()
	l, ok := s.lines[job]
	switch {
	case !ok:
		s.mu.Unlock()
		return Answer{}, fmt.Errorf("%w %q", errUnknownJob, job)
	case s.draining:
		s.mu.Unlock()
		return Answer{}, ErrStopping
	case l.active == nil:
		s.begin(l, o)
		s.mu.Unlock()
		return Answer{Run: o.Origin.ID}, nil
	}
	answer, skipped := s.overlap(l, o)
	s.mu.Unlock()
	if skipped != nil {
		s.tell(*skipped, nil)
	}
	if answer.Queued && answer.Run == o.Origin.ID {
		s.notify(Event{Kind: Queued, Job: job, Run: answer.Run, Trigger: o.Origin.Trigger})
	}
	return answer, nil
}

// overlap decides what a run does that meets another of its job. The mutex is held.
func (s *Scheduler) overlap(l *line, o Options) (Answer, *connector.Run) {
	name, origin := l.job.Name, o.Origin
	asked := origin.Trigger.asked()
	if l.job.Overlap == "cancel" && !asked {
		l.active.cancel(stopped{"the next run was due (overlap: cancel)"})
		var skipped *connector.Run
		if l.waiting != nil {
			r := s.skipRecord(name, *l.waiting, "a newer run was due (overlap: cancel)")
			skipped = &r
			o.include(l.options)
		}
		l.waiting, l.options = &origin, o
		return Answer{Run: origin.ID, Queued: true}, skipped
	}
	if l.job.Overlap != "queue" && !asked {
		r := s.skipRecord(name, origin, fmt.Sprintf("run %s was still going (overlap: skip)", l.active.id))
		return Answer{}, &r
	}
	if l.waiting != nil { // one run serves both
		l.options.include(o)
		if l.waiting.Request == "" {
			l.waiting.Request, l.waiting.By = origin.Request, origin.By
		}
		answer := Answer{Run: l.waiting.ID, Queued: true}
		if asked {
			return answer, nil
		}
		r := s.skipRecord(name, origin, fmt.Sprintf("run %s was waiting already", l.waiting.ID))
		return answer, &r
	}
	l.waiting, l.options = &origin, o
	return Answer{Run: origin.ID, Queued: true}, nil
}

// include makes a run serve another request, too.
func (o *Options) include(other Options) {
	o.Recompute = o.Recompute || other.Recompute
	o.IgnoreLimits = o.IgnoreLimits || other.IgnoreLimits
	o.Wait = max(o.Wait, other.Wait)
}

// Cancel ends the job's run under way. It says whether there was one.
func (s *Scheduler) Cancel(job, why string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.lines[job]
	if !ok {
		return false, fmt.Errorf("%w %q", errUnknownJob, job)
	}
	if l.active == nil {
		return false, nil
	}
	l.active.cancel(stopped{why})
	return true, nil
}

// begin starts a run. The mutex is held.
func (s *Scheduler) begin(l *line, o Options) {
	ctx, cancel := context.WithCancelCause(s.ctx)
	a := &active{id: o.Origin.ID, trigger: o.Origin.Trigger, since: s.o.Now(), cancel: cancel}
	l.active = a
	s.going++
	job := l.job
	s.running.Go(func() {
		defer cancel(nil)
		good := false
		defer func() { s.end(l, a, good) }()
		good = s.attempts(ctx, l, job, o, a)
	})
}

// end makes way for the next run, and starts the jobs that wait for this one.
func (s *Scheduler) end(l *line, a *active, good bool) {
	s.mu.Lock()
	l.active = nil
	s.going--
	name := l.job.Name
	if next := l.waiting; next != nil && !s.draining && s.lines[name] == l {
		o := l.options
		o.Origin = *next
		l.waiting = nil
		s.begin(l, o)
	}
	var followers []string
	for _, other := range s.order {
		if s.lines[other].job.After == name {
			followers = append(followers, other)
		}
	}
	idle := l.active == nil
	s.mu.Unlock()
	if idle {
		s.notify(Event{Kind: Idle, Job: name})
	}
	for _, f := range followers {
		origin := Origin{Trigger: ByJob, Note: fmt.Sprintf("after run %s of %s", a.id, name)}
		if good {
			s.dispatch(f, origin)
			continue
		}
		s.tell(s.skipRecord(f, origin, fmt.Sprintf("run %s of %s did not end well", a.id, name)), nil)
	}
}

// place waits for one of the places of the runs under way.
func (s *Scheduler) place(ctx context.Context) (waited time.Duration, release func(), err error) {
	start := time.Now()
	if _, err := s.places.take(ctx, 1); err != nil {
		return time.Since(start), nil, err
	}
	return time.Since(start), func() { s.places.leave(1) }, nil
}

// Active is a run under way or in line, for people.
type Active struct {
	Run     string    `json:"run"`
	Trigger Trigger   `json:"trigger"`
	Since   time.Time `json:"since"`
	// InLine says that it waits for other jobs' runs.
	InLine bool `json:"inLine"`
}

// Standing is how a job stands.
type Standing struct {
	Job config.Job
	// Next is when the job is due next, before jitter; zero without a schedule.
	Next    time.Time
	Active  *Active
	Waiting string // id of the run that stands in line behind the active one
}

// Standings returns how every job stands, in the order of the config.
func (s *Scheduler) Standings() []Standing {
	now := s.o.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Standing, 0, len(s.order))
	for _, name := range s.order {
		l := s.lines[name]
		st := Standing{Job: l.job}
		if l.schedule != nil {
			st.Next = l.next(now)
		}
		if a := l.active; a != nil {
			st.Active = &Active{Run: a.id, Trigger: a.trigger, Since: a.since, InLine: !a.begun}
		}
		if l.waiting != nil {
			st.Waiting = l.waiting.ID
		}
		out = append(out, st)
	}
	return out
}

// IsUnknownJob says that an error of Ask or Cancel means a job that the config does not have.
func IsUnknownJob(err error) bool { return errors.Is(err, errUnknownJob) }
