package engine

import (
	"context"
	"sync"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/policy"
)

// seat is a worker's place at a device, for one order or for several: the shards of a run, which the worker then
// prepares once.
type seat struct {
	worker *client.Worker
	spread *policy.Spread
	index  int // of the device
	vacate func()
	// busy is held by the goroutine that uses the worker.
	busy sync.Mutex
	// lost is why the device is not used any more in this run.
	lost error
}

// sit takes a seat at a device that a policy names, or that has the fewest tasks. It ends with leave.
func (c *machine) sit(p Policy) (*seat, error) {
	index, vacate := c.spread.Take(p)
	worker, err := c.client.Worker(index)
	if err != nil {
		vacate()
		return nil, err
	}
	return &seat{worker: worker, spread: &c.spread, index: index, vacate: vacate}, nil
}

// leave gives up the seat. A client that keeps workers keeps this one for the next order.
func (s *seat) leave() {
	s.worker.Leave()
	s.vacate()
}

// open opens the device for the orders that follow.
func (s *seat) open(ctx context.Context) (DeviceInfo, error) {
	s.busy.Lock()
	defer s.busy.Unlock()
	return s.worker.Open(ctx)
}
