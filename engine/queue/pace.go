package queue

import "time"

// pace is what a taker's shards took, and how much of the run they were.
type pace struct {
	shards int
	share  float64
	spent  time.Duration
}

func (p pace) and(share float64, d time.Duration) pace {
	return pace{p.shards + 1, p.share + share, p.spent + d}
}

// takes is the time that a share of the run is expected to take; 0 where no pace is known.
func (p pace) takes(share float64) time.Duration {
	if p.share == 0 {
		return 0
	}
	return time.Duration(float64(p.spent) * share / p.share)
}

// perSecond is the share of the run that a second does; 0 where no pace is known.
func (p pace) perSecond() float64 {
	if p.spent <= 0 {
		return 0
	}
	return p.share / p.spent.Seconds()
}

// Mean returns the mean time that a shard took a taker; 0 where it has finished none.
func (q *Queue) Mean(taker string) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	p := q.pace[taker]
	if p.shards == 0 {
		return 0
	}
	return p.spent / time.Duration(p.shards)
}

// Pace returns how many shards a taker has finished, and the share of the run that it does per second.
func (q *Queue) Pace(taker string) (shards int, perSecond float64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	p := q.pace[taker]
	return p.shards, p.perSecond()
}

// want is the share of the run that a taker should get now; 0 where shards are not halved. It gets smaller near the end, so
// that all takers end at about the same time, but no shard takes less than a third of the target.
func (q *Queue) want(taker string) float64 {
	target := q.config.Target.Seconds()
	if target <= 0 {
		return 0
	}
	rate := q.pace[taker].perSecond()
	if rate == 0 {
		return q.config.First
	}
	left := 0.0
	for _, p := range q.waiting {
		left += p.share()
	}
	fair := left / float64(2*max(1, len(q.pace)))
	return min(rate*target, max(fair, rate*target/3))
}

// slowest returns the shard, out once and not with this taker, that is expected last, if this taker is expected to finish it
// sooner. A taker that is late is expected to need as long again as it has.
func (q *Queue) slowest(taker string) (at part, found bool) {
	now, mine, times := q.config.Now(), q.paceOf(taker), map[part]int{}
	if mine.share == 0 {
		return at, false
	}
	for _, t := range q.tickets {
		times[t.part()]++
	}
	var best time.Time
	for _, t := range q.tickets {
		p := t.part()
		if t.Taker == taker || times[p] > 1 {
			continue
		}
		end := q.expected(t, now)
		if !end.After(now.Add(mine.takes(p.share()))) {
			continue
		}
		if !found || end.After(best) || end.Equal(best) && t.Shard < at.Index {
			at, best, found = p, end, true
		}
	}
	return at, found
}

// expected is when a ticket's result is expected.
func (q *Queue) expected(t Ticket, now time.Time) time.Time {
	takes := q.paceOf(t.Taker).takes(t.part().share())
	if end := t.Taken.Add(takes); end.After(now) {
		return end
	}
	return now.Add(now.Sub(t.Taken))
}

// paceOf is the pace of a taker, or that of all where it is not known.
func (q *Queue) paceOf(taker string) pace {
	if p := q.pace[taker]; p.shards > 0 {
		return p
	}
	var all pace
	for _, p := range q.pace {
		all = pace{all.shards + p.shards, all.share + p.share, all.spent + p.spent}
	}
	return all
}
