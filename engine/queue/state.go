package queue

import (
	"slices"
	"time"
)

// State is how far a queue is.
type State struct {
	Waiting, Out, Counted int
	// Err is why the run failed; nil while it has not.
	Err error
}

// Ended reports whether nothing is left to do.
func (s State) Ended() bool { return s.Err != nil || s.Waiting+s.Out == 0 }

// State returns how far the queue is.
func (q *Queue) State() State {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	left := len(q.shards) - q.counted
	return State{Waiting: len(q.waiting), Out: left - len(q.waiting), Counted: q.counted, Err: q.failure}
}

// Tickets returns those that are out, the oldest first.
func (q *Queue) Tickets() []Ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	out := make([]Ticket, 0, len(q.tickets))
	for _, t := range q.tickets {
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b Ticket) int { return int(a.Number) - int(b.Number) })
	return out
}

// Changed returns a channel that is closed with the next shard that is counted or given back. The end of a lease closes
// none: takers that wait look again after a while.
func (q *Queue) Changed() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.changed
}

// pace is what a taker's shards took.
type pace struct {
	shards  int
	seconds time.Duration
}

func (p pace) and(d time.Duration) pace { return pace{p.shards + 1, p.seconds + d} }

// mean is the time of one shard; 0 where none is known.
func (p pace) mean() time.Duration {
	if p.shards == 0 {
		return 0
	}
	return p.seconds / time.Duration(p.shards)
}

// Mean returns the mean time that a shard took a taker; 0 where it has finished none.
func (q *Queue) Mean(taker string) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.pace[taker].mean()
}

// patience is by how much a shard may take longer than the others of its taker before it counts as late.
const patience = 1.5

// slowest returns the shard, out once and not with this taker, that is expected last, if this taker is expected to finish it
// sooner. A taker that is late is expected to need as long again as it has; one that is a little late, to be there soon.
func (q *Queue) slowest(taker string) (at int, found bool) {
	now, mine := q.config.Now(), q.pace[taker].mean()
	if mine == 0 {
		mine = q.overall()
	}
	if mine == 0 {
		return 0, false
	}
	best := now.Add(mine)
	for _, t := range q.tickets {
		if t.Taker == taker || q.shards[t.Shard].out > 1 {
			continue
		}
		end := q.expected(t, now)
		if end.After(best) || found && end.Equal(best) && t.Shard < at {
			at, best, found = t.Shard, end, true
		}
	}
	return at, found
}

// expected is when a ticket's result is expected.
func (q *Queue) expected(t Ticket, now time.Time) time.Time {
	takes := q.pace[t.Taker].mean()
	if takes == 0 {
		takes = q.overall()
	}
	has := now.Sub(t.Taken)
	switch {
	case has < takes:
		return t.Taken.Add(takes)
	case float64(has) < patience*float64(takes):
		return now
	}
	return now.Add(has)
}

// overall is the mean time of all shards.
func (q *Queue) overall() time.Duration {
	var all pace
	for _, p := range q.pace {
		all = pace{all.shards + p.shards, all.seconds + p.seconds}
	}
	return all.mean()
}
