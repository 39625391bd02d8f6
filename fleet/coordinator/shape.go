package coordinator

import "github.com/linchpin-graph/linchpin/engine/queue"

const (
	// tries is how many nodes may fail with a shard.
	tries = 3
	// fewestSources is how many sources a shard has at least.
	fewestSources = 32
	// mostShards bounds the number of shards of a run.
	mostShards = 1 << 20
)

// shape says how a run is cut. A node whose pace is not known yet gets what this machine is predicted to do in the target
// time, and less where the run is short for that.
func (c *Coordinator) shape(r *run, predicted float64) queue.Config {
	q := queue.Config{Shards: 1, Most: 1, Target: c.o.Target, First: 1, Lease: c.o.Lease, Tries: tries, Now: c.o.Now}
	for 2*q.Most*fewestSources <= r.sources && q.Most < mostShards {
		q.Most *= 2
	}
	fair := 1 / float64(2*max(1, c.ready(r.name, r.gpus), r.least))
	if r.gpus {
		q.First = fair // this machine knows nothing of the GPUs of others
	} else if predicted > 0 {
		target := c.o.Target.Seconds() / predicted
		q.First = min(1, target, max(fair, target/3))
	}
	return q
}
