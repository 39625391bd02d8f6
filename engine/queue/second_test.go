package queue

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// TestBoundsHideNoShard compares what is found near the end of a run with a look at all tickets.
func TestBoundsHideNoShard(t *testing.T) {
	seconds := 0
	for seed := range uint64(200) {
		r, c := rand.New(rand.NewPCG(seed, 3)), newClock()
		q := New(Config{Shards: 20, Lease: 20 * time.Second, Tries: 1 << 30, Now: c.Now})
		for range 300 {
			c.now = c.now.Add(time.Duration(r.IntN(2000)) * time.Millisecond)
			taker := fmt.Sprint("taker ", r.IntN(8))
			q.State() // ends leases
			want, wanted := -1, false
			if len(q.waiting) == 0 {
				want, wanted = plainSlowest(q, taker)
			}
			before := len(q.waiting)
			ticket, ok := q.Take(taker)
			if before == 0 && (ok != wanted || ok && ticket.Shard != want) {
				t.Fatalf("seed %d: shard %d, %v; want %d, %v", seed, ticket.Shard, ok, want, wanted)
			}
			if before == 0 && ok {
				seconds++
			}
			if out := q.Tickets(); len(out) > 0 && r.IntN(2) == 0 {
				at := out[r.IntN(len(out))]
				if r.IntN(3) == 0 {
					q.Return(at)
				} else {
					q.Count(at)
				}
			}
		}
	}
	if seconds < 100 {
		t.Fatalf("only %d shards were started a second time", seconds)
	}
}

// plainSlowest is slowest without bounds.
func plainSlowest(q *Queue, taker string) (at int, found bool) {
	now, mine := q.config.Now(), q.takes(taker, 1/float64(q.config.Shards))
	best := now.Add(mine)
	for _, t := range q.Tickets() {
		l := q.tickets[t.Number]
		if mine == 0 || t.Taker == taker || len(q.out[t.part()]) > 1 {
			continue
		}
		if end := l.expected(now, mine); end.After(best) || found && end.Equal(best) && t.Shard < at {
			at, best, found = t.Shard, end, true
		}
	}
	return at, found
}
