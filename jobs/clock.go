package jobs

import (
	"context"
	"fmt"
	"time"
)

// lookEvery is the time between two comparisons of the wall clock with the time that passed; jump is the difference
// that counts. A clock that is slewed differs by less.
const (
	lookEvery = 10 * time.Second
	jump      = 2 * time.Second
)

// watchClock notices when the wall clock is set, or the machine slept: cron's timer does not.
func (s *Scheduler) watchClock(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	wall, passed := s.o.Now().Round(0), time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := s.o.Now().Round(0) // without the monotonic part
		by := now.Sub(wall) - time.Since(passed)
		wall, passed = now, time.Now()
		s.beat.Store(now.UnixNano())
		if by.Abs() >= jump {
			s.clockJumped(by)
		}
	}
}

// clockJumped deals with due times that were jumped over, and sets the alarms anew. After a jump backward the due times
// that come again run again.
func (s *Scheduler) clockJumped(by time.Duration) {
	direction := "forward"
	if by < 0 {
		direction = "back"
	}
	text := fmt.Sprintf("the clock jumped %s by %s", direction, by.Abs().Round(time.Second))
	s.o.Logger.Warn(text)
	s.notify(Event{Kind: Clock, Text: text})
	now := s.o.Now()
	if by < 0 {
		s.mu.Lock()
		for _, l := range s.lines {
			if l.last.After(now) {
				l.last = now
			}
		}
		s.mu.Unlock()
	}
	for _, name := range s.names() {
		s.wake(name, text)
		s.arm(name)
	}
}
