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

func (p pace) without(o pace) pace {
	return pace{p.shards - o.shards, p.share - o.share, p.spent - o.spent}
}

// takes is the time that a share of the run is expected to take; 0 where no pace is known.
func (p pace) takes(share float64) time.Duration {
	if p.shards == 0 {
		return 0
	}
	return time.Duration(float64(p.spent) * share / p.share)
}

// perSecond is the share of the run that a second does; 0 where no pace is known.
func (p pace) perSecond() float64 {
	if p.shards == 0 || p.spent <= 0 {
		return 0
	}
	return p.share / p.spent.Seconds()
}

// note adds the time that a shard took to the pace of its taker.
func (q *Queue) note(t Ticket) {
	share, took := t.part().share(), q.config.Now().Sub(t.Taken)
	q.pace[t.Taker] = q.pace[t.Taker].and(share, took)
	q.overall = q.overall.and(share, took)
}

// Pace returns how many shards a taker has finished, and the share of the run that it does per second.
func (q *Queue) Pace(taker string) (shards int, perSecond float64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	p := q.pace[taker]
	return p.shards, p.perSecond()
}

// takes is how long a taker is expected to need for a share of the run, by its pace or that of all; 0 where neither is
// known.
func (q *Queue) takes(taker string, share float64) time.Duration {
	if takes := q.pace[taker].takes(share); takes > 0 {
		return takes
	}
	return q.overall.takes(share)
}

// want is the share of the run that a taker should get now; 0 where shards are not halved. It gets smaller near the
// end, so that all takers end at about the same time, but no shard takes less than a third of the target.
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
