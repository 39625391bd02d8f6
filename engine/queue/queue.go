// Package queue hands the shards of a step to whoever computes them: devices of this machine, or nodes of a fleet.
// Each shard counts once, whatever fails, stalls, or comes twice. Shards can be halved, so that takers of any speed
// take about as long for one. The package computes nothing and keeps no results.
package queue

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Config says how a queue treats its shards.
type Config struct {
	// Shards is how many equal parts of the run there are at first.
	Shards int
	// Most lets shards be halved, up to this many in all; less than twice Shards leaves them whole.
	Most int
	// Target is how long a shard should take, by the measured pace of its taker, when shards can be halved. First is the
	// share of the run that a taker of unknown pace gets.
	Target time.Duration
	First  float64
	// Lease is how long a shard is left to its taker, unless the taker extends it; 0 is for ever.
	Lease time.Duration
	// Tries is how many tickets of one shard may fail before the run does; less than 1 is 1.
	Tries int
	// Now is the time; nil is time.Now. The times of takers are never used.
	Now func() time.Time
}

// Ticket is the right of a taker to compute a shard: number Shard of Of equal parts.
type Ticket struct {
	Number uint64 `json:"number"`
	Shard  int    `json:"shard"`
	Of     int    `json:"of"`
	Taker  string `json:"taker"`
	// Taken is when the shard was handed out, Until when the lease ends; zero for never.
	Taken time.Time `json:"taken"`
	Until time.Time `json:"until"`
}

// ErrGone is the error of a ticket that is no longer worth computing: its lease ended, or its shard was counted.
var ErrGone = errors.New("the shard was counted or is with another taker")

// Queue is used by several goroutines.
type Queue struct {
	config Config

	mu      sync.Mutex
	waiting []part // the next first
	tickets map[uint64]lent
	last    uint64            // number of a ticket
	out     map[part][]uint64 // the tickets of each part
	counted map[part]bool
	inside  map[part]int // how many counted parts lie inside
	done    float64      // share of the run that was counted
	failed  map[part]int
	pace    map[string]pace
	overall pace // of all takers
	failure error
	changed chan struct{}
	bounds  bounds
}

// New returns a queue in which all shards wait.
func New(c Config) *Queue {
	if c.Now == nil {
		c.Now = time.Now
	}
	q := &Queue{
		config: c, tickets: map[uint64]lent{}, pace: map[string]pace{}, changed: make(chan struct{}),
		out: map[part][]uint64{}, counted: map[part]bool{}, inside: map[part]int{}, failed: map[part]int{},
	}
	for i := range c.Shards {
		q.waiting = append(q.waiting, part{i, c.Shards})
	}
	return q
}

// Take hands out the next shard. Where none waits, it may hand out one a second time that this taker is likely to
// finish sooner than the one that has it. ok is false where there is nothing to do now; see Changed.
func (q *Queue) Take(taker string) (t Ticket, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	if q.failure != nil {
		return Ticket{}, false
	}
	if len(q.waiting) > 0 {
		return q.hand(q.next(taker), taker), true
	}
	p, found := q.slowest(taker)
	if !found {
		return Ticket{}, false
	}
	return q.hand(p, taker), true
}

// hand makes the ticket of a shard.
func (q *Queue) hand(p part, taker string) Ticket {
	q.last++
	t := Ticket{Number: q.last, Shard: p.Index, Of: p.Of, Taker: taker, Taken: q.config.Now()}
	if q.config.Lease > 0 {
		t.Until = t.Taken.Add(q.config.Lease)
	}
	l := lent{ticket: t, due: t.Taken.Add(q.takes(taker, p.share()))}
	q.tickets[t.Number] = l
	q.out[p] = append(q.out[p], t.Number)
	if len(q.out[p]) == 1 {
		q.bounds.include(l)
	}
	return t
}

// Extend renews the lease of a ticket. The error is ErrGone where the taker should give the shard up.
func (q *Queue) Extend(number uint64) (Ticket, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire()
	l, ok := q.tickets[number]
	if !ok || q.failure != nil {
		return Ticket{}, ErrGone
	}
	if q.config.Lease > 0 {
		l.ticket.Until = q.config.Now().Add(q.config.Lease)
	}
	q.tickets[number] = l
	return l.ticket, nil
}

// Counts reports whether Count would count a ticket's shard. Only another Count changes that.
func (q *Queue) Counts(t Ticket) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.known(t.part()) && !q.overlaps(t.part())
}

// Count notes that the result of a ticket's shard is there, and reports whether it is the first of any of it. A result
// whose lease ended is as good as any.
func (q *Queue) Count(t Ticket) (first bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	p := t.part()
	if !q.known(p) || q.overlaps(p) {
		return false
	}
	if known, ok := q.tickets[t.Number]; ok && known.ticket.part() == p {
		q.note(known.ticket)
	}
	q.claim(p)
	q.mark(p)
	q.announce()
	return true
}

// Return gives a shard back that its taker will not finish, for instance because it drains. Nobody is to blame.
func (q *Queue) Return(t Ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.giveBack(t.Number)
}

// Fail gives a shard back that failed. Where it has failed too often, the run does.
func (q *Queue) Fail(t Ticket, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	known, ok := q.tickets[t.Number]
	if !ok {
		return // somebody else has it
	}
	p := known.ticket.part()
	if q.failed[p]++; q.failed[p] >= q.config.Tries && q.failure == nil {
		q.failure = fmt.Errorf("shard %d of %d: %w", p.Index, p.Of, err)
	}
	q.giveBack(t.Number)
}

// Leave gives back all that a taker has.
func (q *Queue) Leave(taker string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, number := range slices.Sorted(maps.Keys(q.tickets)) {
		if q.tickets[number].ticket.Taker == taker {
			q.giveBack(number)
		}
	}
	q.overall = q.overall.without(q.pace[taker])
	delete(q.pace, taker)
}

// expire gives back the shards whose lease ended. It looks at all tickets only when one may have ended.
func (q *Queue) expire() {
	now := q.config.Now()
	if q.config.Lease <= 0 || !now.After(q.bounds.ends) {
		return
	}
	q.bounds.ends = now.Add(q.config.Lease) // no ticket of later ends sooner
	for _, number := range slices.Sorted(maps.Keys(q.tickets)) {
		switch until := q.tickets[number].ticket.Until; {
		case now.After(until):
			q.giveBack(number)
		case until.Before(q.bounds.ends):
			q.bounds.ends = until
		}
	}
}

// giveBack ends a ticket. Its shard waits again, unless it is out with another ticket as well.
func (q *Queue) giveBack(number uint64) {
	l, ok := q.tickets[number]
	if !ok {
		return
	}
	p := l.ticket.part()
	switch left := q.drop(number); len(left) {
	case 0:
		q.waiting = append(q.waiting, p)
	case 1:
		q.bounds.include(q.tickets[left[0]]) // it may be started a second time again
	}
	q.announce()
}

// drop ends a ticket, and returns the others of its part.
func (q *Queue) drop(number uint64) (left []uint64) {
	p := q.tickets[number].ticket.part()
	delete(q.tickets, number)
	left = slices.DeleteFunc(q.out[p], func(other uint64) bool { return other == number })
	if len(left) == 0 {
		delete(q.out, p)
	} else {
		q.out[p] = left
	}
	return left
}

func (q *Queue) announce() {
	close(q.changed)
	q.changed = make(chan struct{})
}
