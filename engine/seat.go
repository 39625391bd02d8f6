package engine

import (
	"context"

	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// seat is a worker's place at a device, for one order or for several: the shards of a run, which the worker then
// prepares once. Only one goroutine uses it at a time.
type seat struct {
	client *Client
	path   string // of the worker program
	index  int    // of the device
	vacate func()
	// worker is nil until the first order, and after one that failed.
	worker *process
}

// sit takes a seat at the device that a policy names, or that has the fewest tasks. It ends with leave.
func (c *Client) sit(path string, p Policy) *seat {
	index, vacate := c.spread.take(p)
	return &seat{client: c, path: path, index: index, vacate: vacate}
}

// talk gives the worker the order that prepare makes, and passes its events to handle until handle reports that one
// was the last. Errors carry a Reason, except for those of prepare and handle, which are passed on.
func (s *seat) talk(ctx context.Context, prepare func() (protocol.Order, error), handle handler) (err error) {
	if s.worker == nil {
		if s.worker, err = s.client.take(ctx, s.path); err != nil {
			return err
		}
	}
	if err = s.client.order(ctx, s.worker, prepare, handle); err != nil {
		s.worker.finish()
		s.worker = nil
	}
	return err
}

// leave gives up the seat. A client that keeps workers keeps this one for the next order.
func (s *seat) leave() {
	if s.worker != nil {
		s.client.leave(s.worker)
	}
	s.vacate()
}

// sitForShards takes a seat at each device that the shards of a task share.
func (c *Client) sitForShards(ctx context.Context, path string, t Task) chan *seat {
	found, _ := c.devices(ctx) // a worker reports what is missing
	count := c.spread.seats(t.Device, t.Shards, len(found))
	seats := make(chan *seat, count)
	for range count {
		seats <- c.sit(path, t.Device)
	}
	return seats
}
