package queue

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// clock is a time that tests set.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func newClock() *clock { return &clock{time.Unix(1_700_000_000, 0)} }

func TestShardsAreHandedOutInOrder(t *testing.T) {
	q := New(Config{Shards: 3, Tries: 1})
	for want := range 3 {
		ticket, ok := q.Take("a")
		if !ok || ticket.Shard != want {
			t.Fatalf("shard %d, %v; want %d", ticket.Shard, ok, want)
		}
		if !q.Count(ticket) || q.Count(ticket) {
			t.Fatal("a shard counts once")
		}
	}
	if s := q.State(); !s.Ended() || s.Counted != 3 {
		t.Fatalf("%+v", s)
	}
}

func TestAnEndedLeaseHandsOutAgain(t *testing.T) {
	c := newClock()
	q := New(Config{Shards: 1, Lease: time.Minute, Tries: 1, Now: c.Now})
	stalled, _ := q.Take("stalled")
	c.now = c.now.Add(50 * time.Second)
	if _, err := q.Extend(stalled.Number); err != nil {
		t.Fatal(err)
	}
	c.now = c.now.Add(50 * time.Second)
	if _, ok := q.Take("other"); ok {
		t.Fatal("the extended lease was not kept")
	}
	c.now = c.now.Add(11 * time.Second)
	other, ok := q.Take("other")
	if !ok || other.Shard != 0 {
		t.Fatal("the shard of an ended lease is not handed out")
	}
	if _, err := q.Extend(stalled.Number); !errors.Is(err, ErrGone) {
		t.Fatalf("extended after its end: %v", err)
	}
	if !q.Count(stalled) { // it woke with a result, which is as good as any
		t.Fatal("the late result was not counted")
	}
	if q.Count(other) {
		t.Fatal("the shard was counted twice")
	}
}

func TestALateResultEndsTheWait(t *testing.T) {
	c := newClock()
	q := New(Config{Shards: 1, Lease: time.Minute, Tries: 1, Now: c.Now})
	stalled, _ := q.Take("stalled")
	c.now = c.now.Add(2 * time.Minute)
	if s := q.State(); s.Waiting != 1 || s.Out != 0 {
		t.Fatalf("%+v", s)
	}
	q.Count(stalled)
	if _, ok := q.Take("other"); ok || !q.State().Ended() {
		t.Fatal("a counted shard is handed out")
	}
}

func TestFailuresEndTheRunAfterSoManyTries(t *testing.T) {
	q := New(Config{Shards: 2, Tries: 3})
	cause := errors.New("it broke")
	for try := range 3 {
		if q.State().Err != nil {
			t.Fatalf("the run failed after %d tries", try)
		}
		ticket, ok := q.Take("a")
		for ticket.Shard != 0 {
			q.Return(ticket)
			ticket, ok = q.Take("a")
		}
		if !ok {
			t.Fatal("a shard that failed is not handed out again")
		}
		q.Fail(ticket, cause)
		q.Fail(ticket, cause) // a ticket fails once
	}
	if err := q.State().Err; !errors.Is(err, cause) {
		t.Fatalf("%v", err)
	}
	if _, ok := q.Take("a"); ok {
		t.Fatal("a run that failed hands out shards")
	}
}

func TestTheLastShardIsStartedTwice(t *testing.T) {
	c := newClock()
	q := New(Config{Shards: 4, Tries: 1, Now: c.Now})
	slow, _ := q.Take("slow")
	for range 3 {
		ticket, _ := q.Take("fast")
		c.now = c.now.Add(time.Second)
		q.Count(ticket)
	}
	copied, ok := q.Take("fast")
	if !ok || copied.Shard != slow.Shard {
		t.Fatalf("%v, %v: the slow shard was not started again", copied, ok)
	}
	if _, ok := q.Take("third"); ok {
		t.Fatal("a shard was started three times")
	}
	if !q.Count(copied) || q.Count(slow) {
		t.Fatal("not counted once")
	}
}

// TestALittleLateIsNotSlow: shards of one pace differ, and a second start of one that is about to end is in vain.
func TestALittleLateIsNotSlow(t *testing.T) {
	c := newClock()
	q := New(Config{Shards: 4, Now: c.Now})
	for range 2 {
		a, _ := q.Take("a")
		b, _ := q.Take("b")
		c.now = c.now.Add(10 * time.Second)
		if q.Count(a); a.Shard == 0 {
			q.Count(b)
		}
	}
	c.now = c.now.Add(4 * time.Second)
	if again, ok := q.Take("a"); ok {
		t.Fatalf("shard %d was started again after 14 s of 10", again.Shard)
	}
	c.now = c.now.Add(2 * time.Second)
	if _, ok := q.Take("a"); !ok {
		t.Fatal("after 16 s of 10 it was not started again")
	}
}

func TestALeavingTakerGivesAllBack(t *testing.T) {
	q := New(Config{Shards: 5, Tries: 1})
	for range 3 {
		q.Take("leaves")
	}
	changed := q.Changed()
	q.Leave("leaves")
	select {
	case <-changed:
	default:
		t.Fatal("nobody was told")
	}
	if s := q.State(); s.Waiting != 5 || s.Out != 0 || s.Err != nil {
		t.Fatalf("%+v", s)
	}
}

// TestEveryShardCountsOnce has takers of any speed fail, stall, leave and come back at random.
func TestEveryShardCountsOnce(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := newClock()
		q := New(Config{Shards: 1 + r.IntN(40), Lease: 10 * time.Second, Tries: 1 << 30, Now: c.Now})
		counts, held := make([]int, q.State().Waiting), []Ticket{}
		for step := 0; !q.State().Ended(); step++ {
			if step > 100_000 {
				t.Fatalf("seed %d: no end: %+v", seed, q.State())
			}
			c.now = c.now.Add(time.Duration(r.IntN(3000)) * time.Millisecond)
			if ticket, ok := q.Take(fmt.Sprint("taker ", r.IntN(5))); ok {
				held = append(held, ticket)
			}
			if len(held) == 0 {
				continue
			}
			i := r.IntN(len(held))
			ticket := held[i]
			switch r.IntN(6) {
			case 0:
				q.Fail(ticket, errors.New("it broke"))
			case 1:
				q.Return(ticket)
			case 2:
				q.Leave(ticket.Taker)
				continue
			case 3:
				_, _ = q.Extend(ticket.Number) // it may be gone
				continue
			default:
				if q.Count(ticket) {
					counts[ticket.Shard]++
				}
			}
			held = append(held[:i], held[i+1:]...)
		}
		for shard, n := range counts {
			if n != 1 {
				t.Fatalf("seed %d: shard %d counted %d times", seed, shard, n)
			}
		}
		if s := q.State(); s.Counted != len(counts) || s.Waiting != 0 || s.Out != 0 || len(q.Tickets()) != 0 {
			t.Fatalf("seed %d: %+v, %d tickets", seed, s, len(q.Tickets()))
		}
	}
}
