package jobs

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

// ledger writes run records behind the scheduler's back, and keeps those that the database does not take now until it
// does. It writes a job's due times in their order: after a kill -9, what the newest record leaves behind it has a
// record too, and what comes after it is due again.
type ledger struct {
	records Records
	logger  *slog.Logger
	wake    chan struct{}

	mu       sync.Mutex
	pending  []connector.Run
	expected map[string][]connector.Run // by job: runs that are due and have no record, as they stand
	dropped  int64
	writing  chan struct{} // holds an element while records are written
	atOnce   int           // records per transaction; whoever writes owns it
}

// mostAtOnce bounds the records of one transaction. It begins with one and takes twice as many after each success: a
// backlog drains however fast runs come, and a slow database is not asked for more than it can do.
const mostAtOnce = 64

// mostPending bounds the memory of an outage: a day of a run each ten seconds.
const mostPending = 10_000

func newLedger(records Records, logger *slog.Logger) *ledger {
	return &ledger{
		records: records, logger: logger, wake: make(chan struct{}, 1), expected: map[string][]connector.Run{},
		writing: make(chan struct{}, 1), atOnce: 1,
	}
}

// expect takes the record that a due run gets when a later due time of its job is recorded before it; the first of a
// job gets it at once, for without any record nothing is due again.
func (l *ledger) expect(r connector.Run, first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if first {
		l.push(r)
		return
	}
	l.expected[r.Job] = append(l.expected[r.Job], r)
}

// forget expects the run no more: it has its record.
func (l *ledger) forget(r connector.Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unexpect(r.Job, func(e connector.Run) bool { return e.ID == r.ID })
}

// unexpect takes out the job's expected runs that match. The mutex is held.
func (l *ledger) unexpect(job string, match func(connector.Run) bool) (out []connector.Run) {
	rest := slices.DeleteFunc(l.expected[job], func(e connector.Run) bool {
		if match(e) {
			out = append(out, e)
			return true
		}
		return false
	})
	if l.expected[job] = rest; len(rest) == 0 {
		delete(l.expected, job)
	}
	return out
}

// save takes a record, behind those of the runs that it overtakes; it does not block.
func (l *ledger) save(r connector.Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unexpect(r.Job, func(e connector.Run) bool { return e.ID == r.ID })
	l.overtake(r.Job, r.Due)
	l.push(r)
}

// overtake takes the records of the job's expected runs that were due earlier. The mutex is held.
func (l *ledger) overtake(job string, due time.Time) {
	for _, e := range l.unexpect(job, func(e connector.Run) bool { return e.Due.Before(due) }) {
		l.push(e)
	}
}

// push takes a record. The mutex is held.
func (l *ledger) push(r connector.Run) {
	if len(l.pending) >= mostPending {
		l.pending = l.pending[1:]
		l.dropped++
	}
	l.pending = append(l.pending, r)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// writeBefore writes the records of the job's earlier due times, before a run with this one saves its own. A database
// that does not take them is not waited for long: it will not take the run's either.
func (l *ledger) writeBefore(ctx context.Context, job string, due time.Time) {
	l.mu.Lock()
	l.overtake(job, due)
	any := slices.ContainsFunc(l.pending, func(r connector.Run) bool {
		return r.Job == job && !r.Due.IsZero() && r.Due.Before(due)
	})
	l.mu.Unlock()
	if any {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		l.flush(ctx)
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

// patience is how long a transaction with records may take.
const patience = 5 * time.Second

// flush writes what is pending, and returns how many records are left.
func (l *ledger) flush(ctx context.Context) int {
	select {
	case l.writing <- struct{}{}:
		defer func() { <-l.writing }()
	case <-ctx.Done():
		return l.waiting()
	}
	for {
		some := l.oldest()
		if len(some) == 0 {
			return 0
		}
		once, cancel := context.WithTimeout(ctx, patience)
		err := l.records.SaveRuns(once, some...)
		cancel()
		if err != nil {
			l.atOnce = 1
			if ctx.Err() == nil {
				l.logger.Warn("a run record waits for the database", "run", some[0].ID, "waiting", l.waiting(), "error", err)
			}
			return l.waiting()
		}
		l.atOnce = min(2*l.atOnce, mostAtOnce)
		l.written(some)
	}
}

// oldest returns the records to write next.
func (l *ledger) oldest() []connector.Run {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.pending[:min(l.atOnce, len(l.pending))])
}

// written removes records that the database has, unless they were dropped meanwhile.
func (l *ledger) written(some []connector.Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range some {
		if len(l.pending) > 0 && l.pending[0].ID == r.ID && l.pending[0].Status == r.Status {
			l.pending = l.pending[1:]
		}
	}
}
