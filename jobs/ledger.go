package jobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// ledger writes run records behind the scheduler's back, and keeps those that the database does not take now until it
// does.
type ledger struct {
	records Records
	logger  *slog.Logger
	wake    chan struct{}

	mu      sync.Mutex
	pending []connector.Run
	dropped int64
	writing sync.Mutex
}

// mostPending bounds the memory of an outage: a day of a run each ten seconds.
const mostPending = 10_000

func newLedger(records Records, logger *slog.Logger) *ledger {
	return &ledger{records: records, logger: logger, wake: make(chan struct{}, 1)}
}

// save takes a record; it does not block.
func (l *ledger) save(r connector.Run) {
	l.mu.Lock()
	if len(l.pending) >= mostPending {
		l.pending = l.pending[1:]
		l.dropped++
	}
	l.pending = append(l.pending, r)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *ledger) waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.pending)
}

// keep writes records as they come, until the context ends.
func (l *ledger) keep(ctx context.Context) {
	pause := time.Duration(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-after(pause):
		}
		if l.flush(ctx) == 0 {
			pause = 0
			continue
		}
		pause = min(max(2*pause, time.Second), 30*time.Second)
	}
}

// after is time.After, or for ever.
func after(d time.Duration) <-chan time.Time {
	if d == 0 {
		return nil
	}
	return time.After(d)
}

// patience is how long one record may take.
const patience = 5 * time.Second

// flush writes what is pending, and returns how many records are left.
func (l *ledger) flush(ctx context.Context) int {
	l.writing.Lock()
	defer l.writing.Unlock()
	for {
		l.mu.Lock()
		if len(l.pending) == 0 {
			l.mu.Unlock()
			return 0
		}
		r := l.pending[0]
		l.mu.Unlock()
		once, cancel := context.WithTimeout(ctx, patience)
		err := l.records.SaveRun(once, r)
		cancel()
		if err != nil {
			if ctx.Err() == nil {
				l.logger.Warn("a run record waits for the database", "run", r.ID, "waiting", l.waiting(), "error", err)
			}
			return l.waiting()
		}
		l.mu.Lock()
		if len(l.pending) > 0 && l.pending[0].ID == r.ID {
			l.pending = l.pending[1:]
		}
		l.mu.Unlock()
	}
}
