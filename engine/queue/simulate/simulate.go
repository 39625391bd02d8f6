// Package simulate predicts how long a run in shards takes, and where its time goes, with any number of devices or
// nodes. It drives the queue of engine/queue with a clock of its own, and computes nothing. The same seed gives the
// same result.
package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/linchpin-graph/linchpin/engine/queue"
)

// Taker is a device, a process or a node. All times of this package are seconds.
type Taker struct {
	// Start is the time before it can do anything, Prepare that of reading, reductions and upload, before its first shard.
	Start, Prepare float64
	// Speed divides the times of shards; 0 is 1.
	Speed float64
}

// Work is what there is to compute.
type Work struct {
	Shards int
	// Seconds is the mean time of a shard at speed 1, Spread the standard deviation over the mean.
	Seconds, Spread float64
	// Each are measured times of the shards; with them Shards, Seconds and Spread are not used.
	Each []float64
}

// Coordinator is what the queue's side costs.
type Coordinator struct {
	// Request is the time of one request: to hand a shard out, extend a lease, or take a result. Requests wait for one
	// another.
	Request float64
	// Transfer is the time to send the graph to one taker. Transfers wait for one another.
	Transfer float64
	// Join is the time to join the partial result of a shard, one after another. With Overlap that begins while shards are
	// computed, otherwise after the last.
	Join    float64
	Overlap bool
	// Finish is what comes after the last join: scores, their check, and their output.
	Finish float64
}

// Failures are those of takers.
type Failures struct {
	// Life is the mean time until a taker dies; 0 is for ever. Another one starts in its place after Back.
	Life, Back float64
}

// Run is one run to predict.
type Run struct {
	Takers      []Taker
	Work        Work
	Coordinator Coordinator
	Failures    Failures
	// Lease is how long a shard is left to a taker that is not heard of; 0 where the end of a taker is noticed at once.
	Lease float64
	// Poll is how often an idle taker looks for work; 0 where it is woken when there may be some.
	Poll float64
	Seed uint64
}

// Result is what a run is predicted to take.
type Result struct {
	// Wall is the time from the start of the takers until all is done.
	Wall float64
	// Counted is when the last shard was counted, Joined when the last was joined.
	Counted, Joined float64
	// Search, Prepare, Waits and Idle share the time of all takers until Counted: computing shards, starting and
	// preparing, waiting for answers of the coordinator, and having nothing to do. Lost is what was computed in vain.
	Search, Prepare, Waits, Idle, Lost float64
	// Requests is their number, Busy the time that the coordinator spent on them.
	Requests int
	Busy     float64
	// Taken is how often a shard was handed out, Deaths how many takers died.
	Taken, Deaths int
}

// mostEvents ends a run that does not get anywhere.
const mostEvents = 100_000_000

// Predict simulates a run.
func Predict(r Run) (Result, error) {
	s, err := newSimulation(r)
	if err != nil {
		return Result{}, err
	}
	for i := range s.takers {
		s.begin(&s.takers[i])
	}
	for events := 0; !s.ended && len(s.events) > 0; events++ {
		if events > mostEvents {
			return Result{}, fmt.Errorf("after %.3g s %d of %d shards are done: it gets nowhere", s.now, s.queue.State().Counted,
				len(s.each))
		}
		s.next()
	}
	if err := s.queue.State().Err; err != nil {
		return Result{}, err
	}
	return s.result(), nil
}

func newSimulation(r Run) (*simulation, error) {
	each := r.Work.times(r.Seed)
	if len(r.Takers) == 0 || len(each) == 0 {
		return nil, fmt.Errorf("%d takers and %d shards: there must be one of each", len(r.Takers), len(each))
	}
	s := &simulation{run: r, each: each, random: rand.New(rand.NewPCG(r.Seed, 1))}
	s.queue = queue.New(queue.Config{
		Shards: len(each), Lease: duration(r.Lease), Tries: math.MaxInt,
		Now: func() time.Time { return epoch.Add(duration(s.now)) },
	})
	for i, t := range r.Takers {
		s.takers = append(s.takers, taker{is: t, name: fmt.Sprint(i)})
	}
	return s, nil
}

// epoch is when simulated runs begin.
var epoch = time.Unix(0, 0)

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// times are those of the shards at speed 1: measured, or drawn from a logarithmic normal distribution.
func (w Work) times(seed uint64) []float64 {
	if w.Each != nil {
		return w.Each
	}
	random := rand.New(rand.NewPCG(seed, 0))
	sigma := math.Sqrt(math.Log1p(w.Spread * w.Spread))
	each := make([]float64, w.Shards)
	for i := range each {
		each[i] = w.Seconds * math.Exp(sigma*random.NormFloat64()-sigma*sigma/2)
	}
	return each
}
