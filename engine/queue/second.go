package queue

import "time"

// lent is a ticket, and when its result was expected when it was handed out. Without a pace to expect by, that is at
// once.
type lent struct {
	ticket Ticket
	due    time.Time
}

// bounds save looks at all tickets. They hold for every ticket that is out, and may hold for more.
type bounds struct {
	// ends is before the end of every lease.
	ends time.Time
	// Results are due until latest, and late from overdue on, of shards that were taken from oldest on. Shards that are
	// out twice do not count.
	overdue, latest, oldest time.Time
}

// never is after all times.
var never = time.Unix(1<<40, 0)

// empty are the bounds of no tickets at this time. The ends of leases stay as they are.
func (b *bounds) empty(now time.Time) { b.overdue, b.latest, b.oldest = never, time.Time{}, now }

// hide reports whether no shard can be expected after best, at this time. A shard is expected after it is due only
// where it is late, and then as much later as it was taken before.
func (b *bounds) hide(now, best time.Time) bool {
	late := !b.overdue.After(now) && now.Sub(b.oldest) > best.Sub(now)
	return !b.latest.After(best) && !late
}

// include keeps the bounds true for one more ticket.
func (b *bounds) include(l lent) {
	if l.due.After(b.latest) {
		b.latest = l.due
	}
	if at := l.overdue(); at.Before(b.overdue) {
		b.overdue = at
	}
	if l.ticket.Taken.Before(b.oldest) {
		b.oldest = l.ticket.Taken
	}
}

// patience is by how much a shard may take longer than expected before it counts as late.
const patience = 1.5

// slowest returns the shard, out once and not with this taker, that is expected last, if this taker is expected to
// finish it sooner. A taker that is late is expected to need as long again as it has; one that is a little late, to be
// there soon.
func (q *Queue) slowest(taker string) (at part, found bool) {
	now := q.config.Now()
	least := q.takes(taker, q.smallest())
	if least == 0 || q.bounds.hide(now, now.Add(least)) {
		return at, false
	}
	q.bounds.empty(now)
	var last time.Time
	for p, out := range q.out {
		l := q.tickets[out[0]]
		if len(out) > 1 {
			continue
		}
		q.bounds.include(l)
		mine := q.takes(taker, p.share())
		end := l.expected(now, mine)
		if l.ticket.Taker == taker || !end.After(now.Add(mine)) {
			continue
		}
		if end.After(last) || end.Equal(last) && p.before(at) {
			at, last, found = p, end, true
		}
	}
	return at, found
}

// smallest is the share of the smallest part that can be out.
func (q *Queue) smallest() float64 {
	return 1 / float64(max(q.config.Shards, q.config.Most))
}

// overdue is when the shard begins to be late; at once where it is not known when it is due.
func (l lent) overdue() time.Time {
	return l.ticket.Taken.Add(time.Duration(patience * float64(l.due.Sub(l.ticket.Taken))))
}

// expected is when the result is expected. A taker of which nothing was known may need as long as others do.
func (l lent) expected(now time.Time, others time.Duration) time.Time {
	takes, has := l.due.Sub(l.ticket.Taken), now.Sub(l.ticket.Taken)
	if takes == 0 {
		takes = others
	}
	switch {
	case has < takes:
		return l.ticket.Taken.Add(takes)
	case float64(has) < patience*float64(takes):
		return now
	}
	return now.Add(has)
}
