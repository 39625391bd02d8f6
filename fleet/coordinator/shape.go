package coordinator

import (
	"time"

	"github.com/linchpin-graph/linchpin/engine/queue"
)

const (
	// tries is how many nodes may fail with a shard.
	tries = 3
	// fewestSources is how many sources a shard has at least.
	fewestSources = 32
	// mostShards bounds the number of shards of a run.
	mostShards = 1 << 20
)

// shape says how a run is cut.
func (c *Coordinator) shape(r *run, predicted float64) queue.Config {
	nodes := max(1, c.ready(r.name, r.gpus), r.least)
	q := cut(r.sources, c.o.Target, predicted, nodes)
	if r.gpus {
		q.First = fair(nodes) // this machine knows nothing of the GPUs of others
	}
	q.Lease, q.Now = c.o.Lease, c.o.Now
	return q
}

// cut says how a run is cut for so many nodes. A node whose pace is not known yet gets what this machine is predicted
// to do in the target time, and less where the run is short for that. predicted is how many seconds it would take for
// all; 0 is not known.
func cut(sources int, target time.Duration, predicted float64, nodes int) queue.Config {
	q := queue.Config{Shards: 1, Most: 1, Target: target, First: 1, Tries: tries}
	for 2*q.Most*fewestSources <= sources && q.Most < mostShards {
		q.Most *= 2
	}
	if predicted > 0 {
		share := target.Seconds() / predicted
		q.First = min(1, share, max(fair(nodes), share/3))
	}
	return q
}

// fair is the share of a run that lets each node have two shards.
func fair(nodes int) float64 { return 1 / float64(2*nodes) }
