package jobs

import (
	"fmt"
	"hash/fnv"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/linchpin-graph/linchpin/connector"
)

// late is the delay beyond which a due run counts as misfired: the service was down, asleep, or the clock jumped.
const late = time.Minute

// alarm is the schedule that cron sees: it wakes the scheduler, which works out itself what is due. So nothing is lost
// when cron wakes late, and a wall clock that differs from cron's is minded.
type alarm struct {
	s *Scheduler
	l *line
}

// Next implements cron.Schedule.
func (a alarm) Next(t time.Time) time.Time {
	wall := a.s.o.Now()
	ahead := wall.Sub(t)
	if ahead.Abs() < 50*time.Millisecond {
		ahead = 0
	}
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	if a.l.schedule == nil {
		return time.Time{}
	}
	next := a.l.next(t.Add(ahead))
	if next.IsZero() {
		return next
	}
	return next.Add(-ahead)
}

// next returns the first due time after both t and what is accounted for.
func (l *line) next(t time.Time) time.Time {
	if every, ok := l.schedule.(cron.ConstantDelaySchedule); ok { // counted from the last due time, not from t
		steps := max(t.Sub(l.last)/every.Delay, 0)
		n := every.Next(l.last)
		if n = n.Add(steps * every.Delay); n.Add(-every.Delay).After(t) {
			n = n.Add(-every.Delay)
		}
		for !n.After(t) {
			n = n.Add(every.Delay)
		}
		return n
	}
	if t.Before(l.last) {
		t = l.last
	}
	return l.schedule.Next(t)
}

// arm gives the job's alarm to cron anew.
func (s *Scheduler) arm(job string) {
	s.mu.Lock()
	l, ok := s.lines[job]
	if !ok {
		s.mu.Unlock()
		return
	}
	old, scheduled := l.entry, l.schedule != nil
	l.entry = 0
	s.mu.Unlock()
	if old != 0 {
		s.cron.Remove(old)
	}
	if !scheduled {
		return
	}
	id := s.cron.Schedule(alarm{s, l}, cron.FuncJob(func() { s.wake(job, "") }))
	s.mu.Lock()
	l.entry = id
	s.mu.Unlock()
}

// ticks are due times: the newest, and those before it.
type ticks struct {
	newest        time.Time
	first, before time.Time // of those before the newest
	count         int64     // of those before the newest
	more          bool      // there were too many to count
}

// mostTicks is how many due times are counted one by one: a job each second misses so many in a day.
const mostTicks = 100_000

// take returns the due times up to now that are not accounted for, and counts them as accounted for.
func (l *line) take(now time.Time) (t ticks, any bool) {
	if l.schedule == nil {
		return t, false
	}
	for n := l.next(l.last); !n.IsZero() && !n.After(now); n = l.next(l.last) {
		if any {
			if t.count == 0 {
				t.first = t.newest
			}
			t.before = t.newest
			t.count++
		}
		t.newest, any = n, true
		l.last = n
		if t.count >= mostTicks {
			t.before, t.newest, t.more = l.newestBefore(now, n), l.newestBefore(now, n), true
			l.last = t.newest
			break
		}
	}
	return t, any
}

// newestBefore returns the last due time that is not after now, looking back from there further and further.
func (l *line) newestBefore(now, lowest time.Time) time.Time {
	for back := time.Second; ; back *= 2 {
		from := now.Add(-back)
		if from.Before(lowest) {
			return lowest
		}
		n := l.schedule.Next(from)
		if n.IsZero() || n.After(now) {
			continue
		}
		for m := n; !m.IsZero() && !m.After(now); m = l.schedule.Next(m) {
			n = m
		}
		return n
	}
}

// wake deals with all due times up to now. The reason says why some may be late; "" for the usual case.
func (s *Scheduler) wake(job, reason string) {
	now := s.o.Now()
	s.mu.Lock()
	l, ok := s.lines[job]
	if !ok || s.draining {
		s.mu.Unlock()
		return
	}
	due, any := l.take(now)
	misfire, jitter := l.job.Misfire, l.job.Jitter
	if !any {
		s.mu.Unlock()
		return
	}
	behind := now.Sub(due.newest)
	origin := Origin{ID: newRunID(now), Trigger: BySchedule, Due: due.newest.UTC(), Lag: behind}
	if behind > late || reason != "" {
		origin.Trigger = ByMisfire
		origin.Note = fmt.Sprintf("was due %s ago: %s", behind.Round(time.Second), orLate(reason))
		if misfire == "skip" {
			s.mu.Unlock()
			s.miss(job, due, true, orLate(reason)+"; misfire: skip")
			return
		}
	}
	s.ledger.expect(s.waitRecord(job, origin), l.fresh)
	l.fresh = false
	s.mu.Unlock()
	s.miss(job, due, false, orLate(reason))
	if delay := jitterOf(job, due.newest, jitter); delay > 0 {
		s.running.Go(func() { s.afterJitter(job, origin, delay) })
		return
	}
	s.dispatch(job, origin)
}

func orLate(reason string) string {
	if reason == "" {
		return "the service was held up"
	}
	return reason
}

// afterJitter dispatches the run a little later, or records that the service was stopped before.
func (s *Scheduler) afterJitter(job string, origin Origin, delay time.Duration) {
	wait := time.NewTimer(delay)
	defer wait.Stop()
	select {
	case <-wait.C:
		s.dispatch(job, origin)
	case <-s.ctx.Done():
		s.tell(s.skipRecord(job, origin, "the service was told to stop"), errStopping)
	}
}

// jitterOf is a part of most that depends on the job and the due time alone, so that a plan can be read in advance.
func jitterOf(job string, due time.Time, most time.Duration) time.Duration {
	if most <= 0 {
		return 0
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", job, due.Unix())
	return time.Duration(h.Sum64() % uint64(most))
}

// miss records the due times that will not run: those before the newest, or all of them.
func (s *Scheduler) miss(job string, t ticks, all bool, why string) {
	if all {
		if t.count == 0 {
			t.first = t.newest
		}
		t.before = t.newest
		t.count++
	}
	if t.count == 0 {
		return
	}
	r := s.skipRecord(job, Origin{Trigger: ByMisfire, Due: t.first.UTC()}, why)
	r.Status, r.Until, r.Times = connector.Missed, t.before.UTC(), t.count
	if t.more {
		r.Note += "; too many to count them all"
	}
	s.tell(r, nil)
}
