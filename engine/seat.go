package engine

import (
	"context"

	"github.com/linchpin-graph/linchpin/engine/client"
)

// seat is a worker's place at a device, for one order or for several: the shards of a run, which the worker then
// prepares once. Only one goroutine uses it at a time.
type seat struct {
	worker *client.Worker
	spread *devices
	index  int // of the device
	vacate func()
}

// sit takes a seat at the device that a policy names, or that has the fewest tasks. It ends with leave.
func (c *machine) sit(p Policy) (*seat, error) {
	worker, err := c.client.Worker()
	if err != nil {
		return nil, err
	}
	index, vacate := c.spread.take(p)
	return &seat{worker: worker, spread: &c.spread, index: index, vacate: vacate}, nil
}

// leave gives up the seat. A client that keeps workers keeps this one for the next order.
func (s *seat) leave() {
	s.worker.Leave()
	s.vacate()
}

// sitForShards takes a seat at each device that the shards of a task share.
func (c *machine) sitForShards(ctx context.Context, t Task) (chan *seat, error) {
	found, _ := c.devices(ctx) // a worker reports what is missing
	count := c.spread.seats(t.Device, t.Shards, len(found))
	seats := make(chan *seat, count)
	for range count {
		at, err := c.sit(t.Device)
		if err != nil {
			return nil, err
		}
		seats <- at
	}
	return seats, nil
}
