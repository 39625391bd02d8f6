package simulate

import "math"

// begin starts a taker.
func (s *simulation) begin(t *taker) {
	t.since = s.now
	if life := s.run.Failures.Life; life > 0 {
		s.alive(t, life*s.random.ExpFloat64(), func() { s.die(t) })
	}
	s.alive(t, t.is.Start, func() {
		s.sent = max(s.sent, s.now) + s.run.Coordinator.Transfer
		s.alive(t, s.sent-s.now+t.is.Prepare, func() {
			s.out.Prepare += s.now - t.since
			s.ask(t)
		})
	})
}

// die ends a taker. With a lease, nobody notices before its end.
func (s *simulation) die(t *taker) {
	t.life++
	s.out.Deaths++
	if t.ticket.Number != 0 {
		s.out.Lost += s.now - t.since
	}
	if s.run.Lease == 0 {
		s.queue.Leave(t.name)
		s.wake()
	}
	t.ticket.Number, t.asleep = 0, false
	s.after(s.run.Failures.Back, func() { s.begin(t) })
}

// ask asks for a shard.
func (s *simulation) ask(t *taker) {
	s.request(t, func() {
		ticket, ok := s.queue.Take(t.name)
		if !ok {
			s.rest(t)
			return
		}
		s.out.Taken++
		t.ticket, t.since = ticket, s.now
		speed := t.is.Speed
		if speed == 0 {
			speed = 1
		}
		took := s.each[ticket.Shard] / speed
		s.alive(t, took, func() { s.deliver(t, took) })
		s.extend(t, ticket.Number)
	})
}

// extend renews the lease of a shard while it is computed.
func (s *simulation) extend(t *taker, ticket uint64) {
	if s.run.Lease <= 0 {
		return
	}
	s.alive(t, s.run.Lease/3, func() {
		if t.ticket.Number != ticket {
			return
		}
		s.request(t, func() {
			if t.ticket.Number != ticket {
				return // it was done in the meantime
			}
			if _, err := s.queue.Extend(ticket); err != nil { // another one was sooner
				t.life++
				s.out.Lost += s.now - t.since
				t.ticket.Number = 0
				s.reborn(t)
				return
			}
			s.extend(t, ticket)
		})
	})
}

// reborn has a taker that gave its shard up go on.
func (s *simulation) reborn(t *taker) {
	if life := s.run.Failures.Life; life > 0 { // an exponential life has no memory
		s.alive(t, life*s.random.ExpFloat64(), func() { s.die(t) })
	}
	s.ask(t)
}

// deliver hands the result of a shard in, and asks for another.
func (s *simulation) deliver(t *taker, took float64) {
	ticket := t.ticket
	t.ticket.Number = 0
	s.request(t, func() {
		if !s.queue.Count(ticket) {
			s.out.Lost += took
			s.ask(t)
			return
		}
		s.out.Search += took
		if s.run.Coordinator.Overlap {
			s.joined = max(s.joined, s.now) + s.run.Coordinator.Join
		}
		if s.queue.State().Counted == len(s.each) {
			s.end()
			return
		}
		s.wake()
		s.ask(t)
	})
}

// rest leaves a taker without work until it looks again, or is woken.
func (s *simulation) rest(t *taker) {
	t.asleep = true
	if s.run.Poll > 0 {
		s.alive(t, s.run.Poll, func() { t.asleep = false; s.ask(t) })
		return
	}
	s.idle = append(s.idle, t)
	if len(s.idle) == 1 {
		s.look()
	}
}

// look wakes idle takers once in a while: the end of a lease, or a shard that takes too long, wakes nobody.
func (s *simulation) look() {
	s.after(max(1, s.run.Lease/10, s.mean()/10), func() {
		if len(s.idle) > 0 {
			s.wake()
		}
	})
}

func (s *simulation) mean() float64 {
	all := 0.0
	for _, x := range s.each {
		all += x
	}
	return all / float64(len(s.each))
}

// wake has idle takers ask again.
func (s *simulation) wake() {
	idle := s.idle
	s.idle = nil
	for _, t := range idle {
		if t.asleep {
			t.asleep = false
			s.ask(t)
		}
	}
}

// end notes that all shards are counted.
func (s *simulation) end() {
	s.ended = true
	s.out.Counted = s.now
	joins := float64(len(s.each)) * s.run.Coordinator.Join
	s.out.Joined = s.now + joins
	if s.run.Coordinator.Overlap {
		s.out.Joined = max(s.now, s.joined)
	}
	s.out.Wall = s.out.Joined + s.run.Coordinator.Finish
}

// result completes what was noted.
func (s *simulation) result() Result {
	out := s.out
	all := out.Counted * float64(len(s.takers))
	for i := range s.takers {
		if t := &s.takers[i]; t.ticket.Number != 0 { // a second try that came too late
			out.Lost += s.now - t.since
		}
	}
	out.Idle = math.Max(0, all-out.Search-out.Prepare-out.Waits-out.Lost)
	return out
}
