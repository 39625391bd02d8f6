package coordinator

import (
	"fmt"
	"time"

	"github.com/linchpin-graph/linchpin/engine/queue"
)

// Forecast is what a fleet of nodes that are all alike is predicted to take for a run.
type Forecast struct {
	Nodes  int `json:"nodes"`
	Shards int `json:"shards"`
	// Seconds is the time of the searches until the last shard is counted: without the start of nodes, their downloads,
	// and the write.
	Seconds float64 `json:"seconds"`
}

// Predict has nodes share a run out that one of them would take so many seconds for. It drives the queue of a run with
// a clock of its own, and computes nothing.
func Predict(sources int, seconds float64, nodes int) Forecast {
	now := time.Unix(0, 0)
	c := cut(sources, DefaultTarget, seconds, nodes)
	c.Now = func() time.Time { return now }
	q, busy := queue.New(c), map[string]queue.Ticket{}
	ends := func(t queue.Ticket) time.Time {
		return t.Taken.Add(time.Duration(seconds / float64(t.Of) * float64(time.Second)))
	}
	for !q.State().Ended() {
		for i := range nodes {
			name := fmt.Sprint(i)
			if _, has := busy[name]; has {
				continue
			}
			if t, ok := q.Take(name); ok {
				busy[name] = t
			}
		}
		next := ""
		for name, t := range busy {
			if next == "" || ends(t).Before(ends(busy[next])) || ends(t).Equal(ends(busy[next])) && name < next {
				next = name
			}
		}
		now = ends(busy[next]) // there is one: a shard that waits was taken
		q.Count(busy[next])
		delete(busy, next)
	}
	return Forecast{Nodes: nodes, Shards: q.State().Counted, Seconds: now.Sub(time.Unix(0, 0)).Seconds()}
}

// cuts names the number of shards.
func (f Forecast) cuts() string {
	if f.Shards == 1 {
		return "1 shard"
	}
	return fmt.Sprintf("%d shards", f.Shards)
}
