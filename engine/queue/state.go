package queue

import "slices"

// State is how far a queue is. Shards that were halved count as two.
type State struct {
	Waiting, Out, Counted int
	// Done is the share of the run that was counted, 0 to 1.
	Done float64
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
	return State{Waiting: len(q.waiting), Out: len(q.out), Counted: len(q.counted), Done: q.done, Err: q.failure}
}

// Tickets returns those that are out, the oldest first.
func (q *Queue) Tickets() []Ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	out := make([]Ticket, 0, len(q.tickets))
	for _, l := range q.tickets {
		out = append(out, l.ticket)
	}
	slices.SortFunc(out, func(a, b Ticket) int { return int(a.Number) - int(b.Number) })
	return out
}

// Ticket returns the ticket of a number, if it is out.
func (q *Queue) Ticket(number uint64) (Ticket, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	l, ok := q.tickets[number]
	return l.ticket, ok
}

// Changed returns a channel that is closed with the next shard that is counted or given back. The end of a lease closes
// none: takers that wait look again after a while.
func (q *Queue) Changed() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.changed
}
