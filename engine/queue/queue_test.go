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
		shards := 1 + r.IntN(40)
		q := New(Config{
			Shards: shards, Most: shards << r.IntN(4), Target: time.Second, First: r.Float64() / 8,
			Lease: 10 * time.Second, Tries: 1 << 30, Now: c.Now,
		})
		counts, held := make([]int, q.config.Most), []Ticket{} // by the smallest part that there can be
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
					for i := range counts {
						if i*ticket.Of/len(counts) == ticket.Shard {
							counts[i]++
						}
					}
				}
			}
			held = append(held[:i], held[i+1:]...)
		}
		for shard, n := range counts {
			if n != 1 {
				t.Fatalf("seed %d: shard %d of %d counted %d times", seed, shard, len(counts), n)
			}
		}
		if s := q.State(); s.Done < 1-1e-9 || s.Done > 1+1e-9 || s.Waiting != 0 || s.Out != 0 || len(q.Tickets()) != 0 {
			t.Fatalf("seed %d: %+v, %d tickets", seed, s, len(q.Tickets()))
		}
	}
}

// TestTakersOfAnySpeed: shards are halved until each takes about the target, and shards of a fleet still count once.
func TestTakersOfAnySpeed(t *testing.T) {
	const target, whole = 15 * time.Second, 24 * time.Hour // of the slow taker
	c := newClock()
	q := New(Config{Shards: 1, Most: 1 << 20, Target: target, First: 1.0 / 512, Tries: 1, Now: c.Now})
	speeds := map[string]float64{"slow": 1, "fast": 40, "faster": 90}
	type busy struct {
		ticket Ticket
		ends   time.Time
	}
	at, took := map[string]busy{}, map[string][]time.Duration{}
	for !q.State().Ended() {
		next := time.Time{}
		for _, name := range []string{"slow", "fast", "faster"} {
			b, ok := at[name]
			if ok && !b.ends.After(c.now) {
				if q.Count(b.ticket) {
					took[name] = append(took[name], c.now.Sub(b.ticket.Taken))
				}
				delete(at, name)
				ok = false
			}
			if !ok {
				if ticket, given := q.Take(name); given {
					takes := time.Duration(float64(whole) / float64(ticket.Of) / speeds[name])
					b, ok = busy{ticket, c.now.Add(takes)}, true
					at[name] = b
				}
			}
			if ok && (next.IsZero() || b.ends.Before(next)) {
				next = b.ends
			}
		}
		c.now = next
	}
	if done := q.State().Done; done < 1-1e-9 || done > 1+1e-9 {
		t.Errorf("%v of the run was counted", done)
	}
	for name, all := range took {
		inside := 0
		for _, d := range all {
			if d >= target/4 && d <= 2*target {
				inside++
			}
		}
		if len(all) > 4 && inside < len(all)*3/4 { // the first one is a guess, the last ones are small
			t.Errorf("%s: only %d of %d shards took about %v: %v", name, inside, len(all), target, all)
		}
	}
}

// TestHalves: what was counted decides, whether parts of it or more than it come again.
func TestHalves(t *testing.T) {
	q := New(Config{Shards: 1, Most: 64, Target: time.Second, First: 1, Tries: 1})
	counts := func(shard, of int, want bool) {
		t.Helper()
		ticket := Ticket{Shard: shard, Of: of}
		if could := q.Counts(ticket); could != want {
			t.Errorf("%d of %d could count: %v", shard, of, could)
		}
		if got := q.Count(ticket); got != want {
			t.Errorf("%d of %d: %v", shard, of, got)
		}
	}
	whole, _ := q.Take("whole")
	counts(5, 8, true)
	counts(5, 8, false)
	counts(2, 4, false) // 5 of 8 is in it
	counts(10, 16, false)
	counts(3, 4, true)
	counts(0, 3, false)
	counts(0, 128, false)
	counts(8, 8, false)
	if _, err := q.Extend(whole.Number); !errors.Is(err, ErrGone) {
		t.Errorf("a ticket of which a part was counted: %v", err)
	}
	counts(0, 1, false)
	counts(0, 2, true)
	if s := q.State(); s.Ended() || s.Waiting != 1 || s.Done != 0.875 {
		t.Errorf("%+v", s)
	}
	if last, ok := q.Take("a"); !ok || last.Shard != 4 || last.Of != 8 || !q.Count(last) || !q.State().Ended() {
		t.Errorf("what is left: %+v", last)
	}
}
