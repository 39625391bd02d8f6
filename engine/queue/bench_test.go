package queue

import (
	"fmt"
	"testing"
	"time"
)

const manyTakers = 1000

// BenchmarkThousandTakers is the time of all that the queue does for one shard of 5 s, with 1,000 takers: it hands the
// shard out, extends its lease, and counts it. At 200 shards per second, 5 µs are 0.1 % of a processor.
func BenchmarkThousandTakers(b *testing.B) {
	c, names := newClock(), takers()
	q := New(Config{Shards: b.N + manyTakers, Lease: 30 * time.Second, Tries: 3, Now: c.Now})
	held := make([]Ticket, manyTakers)
	for i := range held {
		held[i], _ = q.Take(names[i])
	}
	b.ResetTimer()
	for i := range b.N {
		c.now = c.now.Add(5 * time.Second / manyTakers)
		at := i % manyTakers
		_, _ = q.Extend(held[at].Number)
		q.Count(held[at])
		held[at], _ = q.Take(names[at])
	}
}

// BenchmarkIdleTakers is the time of a taker's look for work where none waits, near the end of a run with 1,000 takers:
// all that are idle look again after each shard.
func BenchmarkIdleTakers(b *testing.B) {
	c, names := newClock(), takers()
	q := New(Config{Shards: 2 * manyTakers, Lease: 30 * time.Second, Tries: 3, Now: c.Now})
	var held []Ticket
	for range 2 {
		for i, t := range held {
			c.now = c.now.Add(time.Duration(i) * time.Microsecond)
			q.Count(t)
		}
		held = held[:0]
		for _, name := range names {
			t, _ := q.Take(name)
			held = append(held, t)
		}
	}
	c.now = c.now.Add(time.Second)
	b.ResetTimer()
	for i := range b.N {
		if i%manyTakers == 0 {
			c.now = c.now.Add(time.Microsecond)
		}
		q.Take(names[i%manyTakers])
	}
}

func takers() []string {
	var names []string
	for i := range manyTakers {
		names = append(names, fmt.Sprint("taker ", i))
	}
	return names
}
