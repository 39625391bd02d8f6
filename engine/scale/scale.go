// Package scale predicts what several devices give for one run: the time with 1, 2, 4 and more of them, where it stops
// being linear, and why. It puts the predictions of engine/plan for one device into the simulator of the queue.
package scale

import (
	"errors"
	"math"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/queue/simulate"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Device is the kind of all devices of a prediction.
type Device struct {
	Info  gpu.Info
	Rates *plan.Rates
}

// H200 is the device of the table of rates, for machines without one at hand.
func H200() Device {
	r := plan.H200()
	const memory = 139 << 30
	return Device{Rates: r, Info: gpu.Info{
		Name: r.Device, Major: 9, SMs: r.Shape.SMs, Threads: 2048, SharedBlock: int(r.Shape.SharedBlock),
		L2: int64(r.Shape.L2), Bandwidth: int64(r.Shape.Bandwidth), Free: memory, Total: memory,
	}}
}

// Scaling is what devices of one kind give for a run.
type Scaling struct {
	Device string `json:"device"`
	// Way is how each device computes, with the bytes that it takes of its memory.
	Way plan.Candidate `json:"way"`
	// Memory is that of one device, in bytes.
	Memory int64   `json:"memory"`
	Points []Point `json:"points"`
	// Linear is the greatest number of devices in Points with at least LinearFrom of the linear speed-up, Limit what
	// weighs most beyond.
	Linear int   `json:"linear"`
	Limit  Limit `json:"limit"`
}

// LinearFrom is the share of the linear speed-up from which on a run counts as linear.
const LinearFrom = 0.8

// Point is the prediction for a number of devices. Times are seconds, and add up to Wall.
type Point struct {
	Devices int     `json:"devices"`
	Shards  int     `json:"shards"`
	Wall    float64 `json:"seconds"`
	// Speedup is over one device, Linear that per device.
	Speedup float64 `json:"speedup"`
	Linear  float64 `json:"linear"`
	// Prepare is what each device does first: start, order, reductions, upload. Search is the part of a device of the time
	// that one device would search. Small is what shards take that are too small to fill a device, Last the wait for the
	// last shard, Join what joining takes after it.
	Prepare float64 `json:"prepare"`
	Search  float64 `json:"search"`
	Small   float64 `json:"small"`
	Last    float64 `json:"last"`
	Join    float64 `json:"join"`
}

// Limit is what keeps a run from being linear.
type Limit string

// The limits.
const (
	Preparation Limit = "preparation, which each device does"
	SmallShards Limit = "shards too small to fill a device"
	LastShard   Limit = "the wait for the last shard"
	Joins       Limit = "joining partial results"
)

// Limit is the greatest loss.
func (p Point) Limit() Limit {
	most, limit := p.Prepare, Preparation
	for _, loss := range []struct {
		of      Limit
		seconds float64
	}{{SmallShards, p.Small}, {LastShard, p.Last}, {Joins, p.Join}} {
		if loss.seconds > most {
			most, limit = loss.seconds, loss.of
		}
	}
	return limit
}

// ErrNoDevice is the error of a measure that devices do not compute.
var ErrNoDevice = errors.New("devices do not compute this measure")

// What simulations assume: shards differ by spread, and a request to the queue of a machine takes request
// (BenchmarkThousandTakers, and the way between goroutines).
const (
	spread  = 0.1
	request = 10e-6
	// looks is how often an idle device looks for work, in times of a shard.
	looks = 0.1
)

// mostPerDevice is the greatest number of shards per device that is tried.
const mostPerDevice = 8

// Asked is a run to predict.
type Asked struct {
	Features *plan.Features
	Device   Device
	// Strategy limits the ways; "" does not.
	Strategy choice.Strategy
	// Need is what ways take of memory; nil lets all fit.
	Need plan.Bytes
}

// Predict predicts a run on 1, 2, 4 and so on up to most devices.
func Predict(a Asked, most int) (*Scaling, error) {
	var counts []int
	for n := 1; n < most; n *= 2 {
		counts = append(counts, n)
	}
	return For(a, append(counts, most))
}

// For is Predict for certain numbers of devices, the first of which is 1.
func For(a Asked, counts []int) (*Scaling, error) {
	d := a.Device
	c := choice.Choose(a.Features, plan.Machine{Rates: d.Rates, GPU: true})
	free := plan.Free{Host: math.MaxInt64, Device: d.Info.Total}
	ways := c.For(choice.Asked{Strategy: a.Strategy, Demands: true}, a.Need, free)
	if len(ways) == 0 {
		return nil, ErrNoDevice
	}
	s := &Scaling{Device: d.Info.Name, Way: ways[0], Memory: d.Info.Total}
	r := run{choice: c, way: ways[0], join: d.Rates.Host.Join.Value * 1e-9 * scores(a.Features)}
	for _, n := range counts {
		if err := s.add(r, n); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// scores is how many numbers the partial result of a shard has.
func scores(f *plan.Features) float64 {
	if f.EdgeScores && f.Kind != kernels.Balls {
		return float64(f.Nodes + f.Edges)
	}
	return float64(f.Nodes)
}

// add adds the prediction for n devices, and notes where linear ends.
func (s *Scaling) add(r run, n int) error {
	p, err := r.best(n)
	if err != nil {
		return err
	}
	alone := p.Wall
	if len(s.Points) > 0 {
		alone = s.Points[0].Wall
	}
	p.Speedup = alone / p.Wall
	p.Linear = p.Speedup / float64(n)
	s.Points = append(s.Points, p)
	switch {
	case p.Linear >= LinearFrom:
		s.Linear = n
	case s.Limit == "":
		s.Limit = p.Limit()
	}
	return nil
}

// run is a run to predict.
type run struct {
	choice *choice.Choice
	way    plan.Candidate
	join   float64 // seconds per shard
}

// best is the prediction for n devices with the number of shards that is the fastest.
func (r run) best(n int) (best Point, err error) {
	if n == 1 {
		return r.point(1, 1)
	}
	for per := 1; per <= mostPerDevice; per *= 2 {
		p, err := r.point(n, n*per)
		if err != nil {
			return Point{}, err
		}
		if best.Devices == 0 || p.Wall < best.Wall {
			best = p
		}
	}
	return best, nil
}

// point is the prediction for n devices and so many shards.
func (r run) point(n, shards int) (Point, error) {
	each := r.choice.Shard(r.way, int64(shards))
	t := simulate.Taker{Start: each.Start, Prepare: each.Way + each.Prepare}
	q := simulate.Run{
		Takers: make([]simulate.Taker, n), Work: simulate.Work{Shards: shards, Seconds: each.Search},
		Coordinator: simulate.Coordinator{Request: request}, Poll: each.Search * looks,
	}
	for i := range q.Takers {
		q.Takers[i] = t
	}
	if shards > 1 {
		q.Work.Spread = spread
		q.Coordinator.Join, q.Coordinator.Overlap = r.join, true
	}
	out, err := simulate.Predict(q)
	if err != nil {
		return Point{}, err
	}
	p := Point{
		Devices: n, Shards: shards, Wall: out.Wall, Prepare: t.Start + t.Prepare, Search: r.way.Cost.Search / float64(n),
		Join: out.Wall - out.Counted,
	}
	p.Small = max(0, each.Search*float64(shards)/float64(n)-p.Search)
	p.Last = max(0, out.Counted-p.Prepare-p.Search-p.Small)
	return p, nil
}
