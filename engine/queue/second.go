package queue

import "time"

// lent is a ticket, and when its result was expected when it was handed out. Without a pace to expect by, that is at once.
type lent struct {
	ticket Ticket
	due    time.Time
}

// bounds save looks at all tickets. They hold for every ticket that is out, and may hold for more.
type bounds struct {
	// ends is before the end of every lease.
	ends time.Time
	// latest is after every time that a result is due, oldest before every time that a shard was taken. Shards that are out
	// twice do not count.
	latest, oldest time.Time
}

// include keeps the bounds true for one more ticket.
func (b *bounds) include(l lent) {
	if l.due.After(b.latest) {
		b.latest = l.due
	}
	if l.ticket.Taken.Before(b.oldest) {
		b.oldest = l.ticket.Taken
	}
}

// pace is what a taker's shards took.
type pace struct {
	shards  int
	seconds time.Duration
}

func (p pace) and(d time.Duration) pace { return pace{p.shards + 1, p.seconds + d} }

func (p pace) without(o pace) pace { return pace{p.shards - o.shards, p.seconds - o.seconds} }

// mean is the time of one shard; 0 where none is known.
func (p pace) mean() time.Duration {
	if p.shards == 0 {
		return 0
	}
	return p.seconds / time.Duration(p.shards)
}

// note adds the time that a shard took to the pace of its taker.
func (q *Queue) note(t Ticket) {
	took := q.config.Now().Sub(t.Taken)
	q.pace[t.Taker] = q.pace[t.Taker].and(took)
	q.overall = q.overall.and(took)
}

// Mean returns the mean time that a shard took a taker; 0 where it has finished none.
func (q *Queue) Mean(taker string) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.pace[taker].mean()
}

// takes is how long a taker is expected to need for a shard: its mean, or that of all; 0 where neither is known.
func (q *Queue) takes(taker string) time.Duration {
	if mean := q.pace[taker].mean(); mean > 0 {
		return mean
	}
	return q.overall.mean()
}

// slowest returns the shard, out once and not with this taker, that is expected last, if this taker is expected to finish it
// sooner. A taker that is late is expected to need as long again as it has.
func (q *Queue) slowest(taker string) (at int, found bool) {
	now, mine := q.config.Now(), q.takes(taker)
	if mine == 0 || !q.bounds.latest.After(now.Add(mine)) && now.Sub(q.bounds.oldest) <= mine {
		return 0, false
	}
	q.bounds.latest, q.bounds.oldest = time.Time{}, now
	best := now.Add(mine)
	for _, l := range q.tickets {
		t := l.ticket
		if len(q.shards[t.Shard].out) > 1 {
			continue
		}
		q.bounds.include(l)
		if t.Taker == taker {
			continue
		}
		end := l.expected(now)
		if end.After(best) || found && end.Equal(best) && t.Shard < at {
			at, best, found = t.Shard, end, true
		}
	}
	return at, found
}

// expected is when the result is expected.
func (l lent) expected(now time.Time) time.Time {
	if l.due.After(now) {
		return l.due
	}
	return now.Add(now.Sub(l.ticket.Taken))
}
