package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/config"
)

// lookForChange asks, for a job with "when: changed", whether its graph may have changed since the last run that ended
// well. It returns what to remember if the run ends well, and why the run is skipped, or "". A look that fails skips
// nothing.
func (s *Scheduler) lookForChange(ctx context.Context, l *line, job config.Job, o Options) (token, skip string) {
	if job.When != "changed" || s.o.Changed == nil {
		return "", ""
	}
	token, err := s.o.Changed(ctx, job)
	if err != nil {
		s.o.Logger.Warn("cannot tell whether the graph changed; running all the same", "job", job.Name, "error", err)
		return "", ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if token == l.token && !o.Recompute && outputsExist(job, s.o.Now()) && o.Origin.Trigger != ByChange {
		return token, "the graph did not change: " + token
	}
	return token, ""
}

func (s *Scheduler) remember(l *line, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if token != "" {
		l.token = token
	}
}

// armPoll starts to look for changes now and then, as the job's settings say, and ends what they said before.
func (s *Scheduler) armPoll(job string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lines[job]
	if l.poll != nil {
		l.poll()
		l.poll = nil
	}
	if l.job.When != "changed" || l.job.Poll <= 0 || s.o.Changed == nil || s.draining {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	l.poll = cancel
	every := l.job.Poll
	s.running.Go(func() { s.pollChanges(ctx, l, every) })
}

func (s *Scheduler) pollChanges(ctx context.Context, l *line, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.mu.Lock()
		job, seen, busy := l.job, l.token, l.active != nil
		s.mu.Unlock()
		if busy {
			continue // it will be looked at again
		}
		token, err := s.o.Changed(ctx, job)
		if err != nil {
			if ctx.Err() == nil {
				s.o.Logger.Warn("cannot tell whether the graph changed", "job", job.Name, "error", err)
			}
			continue
		}
		if token != seen {
			s.dispatch(job.Name, Origin{Trigger: ByChange, Note: fmt.Sprintf("the graph changed: %s", token)})
		}
	}
}
