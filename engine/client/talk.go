package client

import (
	"context"
	"errors"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
)

// Handler takes an event of a worker that was started at begun, and says whether it was the last.
type Handler func(begun time.Time, e protocol.Event) (last bool, err error)

// Worker is a worker, for one order or for several: it starts with the first, and again after one that failed.
// Only one goroutine uses it at a time.
type Worker struct {
	client *Client
	path   string // of the program
	index  int    // of the device
	// process is nil until the first order, and after one that failed.
	process *process
}

// anyDevice is the device of a worker that has none.
const anyDevice = -1

// Worker returns a worker for the device of this number, whose process starts with the first order. It ends with Leave.
// The error is *Unavailable.
func (c *Client) Worker(index int) (*Worker, error) {
	path, err := c.Path()
	if err == nil {
		err = c.missing(index)
	}
	if err != nil {
		return nil, err
	}
	return &Worker{client: c, path: path, index: index}, nil
}

// Path is that of the program.
func (w *Worker) Path() string { return w.path }

// Talk gives the worker the order that prepare makes, and passes its events to handle until handle reports that one
// was the last. Errors carry a Reason, except for those of prepare and handle, which are passed on.
func (w *Worker) Talk(ctx context.Context, prepare func() (protocol.Order, error), handle Handler) (err error) {
	if w.process == nil {
		if w.process, err = w.client.take(ctx, w.path, w.index); err != nil {
			return err
		}
	}
	if err = w.client.order(ctx, w.process, prepare, handle); err != nil {
		w.process.finish()
		w.process = nil
	}
	return err
}

// devices gives an order that is answered with devices.
func (w *Worker) devices(ctx context.Context, o protocol.Order) (found []gpu.Info, err error) {
	err = w.Talk(ctx, func() (protocol.Order, error) { return o, nil }, func(_ time.Time, e protocol.Event) (bool, error) {
		if e.Event != protocol.EventDevices {
			return false, Refuse(protocol.Protocol, "the worker answered with %s when asked for devices", e.Event)
		}
		found = e.Devices
		return true, nil
	})
	return found, err
}

// Open has the worker open its device, and returns what it is.
func (w *Worker) Open(ctx context.Context) (gpu.Info, error) {
	found, err := w.devices(ctx, protocol.Order{Kind: protocol.OrderOpen, Device: w.Device()})
	switch {
	case err != nil:
		return gpu.Info{}, err
	case len(found) != 1:
		return gpu.Info{}, Refuse(protocol.Protocol, "the worker opened %d devices when asked for one", len(found))
	}
	w.Met(found[0].Name)
	return found[0], nil
}

// Ready reports whether the process is there that did the last order.
func (w *Worker) Ready() bool { return w.process != nil && !w.process.hasEnded() }

// Met notes that the worker did an order on its device, which has this name.
func (w *Worker) Met(name string) {
	w.process.index = w.index
	w.client.meet(name, w.index)
}

// Leave ends the worker, or keeps its process for the next order, as the client does.
func (w *Worker) Leave() {
	if w.process != nil {
		w.client.keep(w.process)
	}
}

// take returns a worker that stayed, or a new one that has said hello.
func (c *Client) take(ctx context.Context, path string, index int) (*process, error) {
	for p := c.staying(index); p != nil; p = c.staying(index) {
		if !p.hasEnded() {
			return p, nil
		}
		p.finish()
	}
	p, err := c.start(path, index)
	if err != nil {
		return nil, err
	}
	if err := p.greet(ctx, path); err != nil {
		p.finish()
		return nil, err
	}
	c.settle()
	return p, nil
}

// greet waits for hello.
func (p *process) greet(ctx context.Context, path string) error {
	hello, err := p.next(ctx, p.limits.Start)
	switch {
	case err != nil:
		return err
	case hello.Event == protocol.EventError:
		return failure(hello)
	case hello.Event != protocol.EventHello:
		return Refuse(protocol.Protocol, "the worker began with %s", hello.Event)
	case hello.Version != protocol.ProtocolVersion:
		return Refuse(protocol.BadWorker,
			"%s speaks version %d of the protocol, this program version %d: use both of one build", path, hello.Version,
			protocol.ProtocolVersion)
	}
	return nil
}

// order gives a worker one order.
func (c *Client) order(ctx context.Context, p *process, prepare func() (protocol.Order, error), handle Handler) error {
	order, err := prepare()
	if err != nil {
		return err
	}
	order.Version = protocol.ProtocolVersion
	text, err := protocol.Encode(order)
	if err != nil {
		return err
	}
	p.orders.Add(1)
	// A worker that is gone says so on the event pipe. The line fits into the pipe, so this does not block.
	_, _ = p.stdin.Write(text)
	for {
		event, err := p.next(ctx, c.Limits.Stall)
		if err != nil {
			return err
		}
		if event.Event == protocol.EventError {
			return failure(event)
		}
		if last, err := handle(p.begun, event); last || err != nil {
			return err
		}
	}
}

// failure is the error that a worker reports.
func failure(e protocol.Event) error {
	switch {
	case e.Reason == protocol.BadTask && e.About != nil:
		return e.About
	case e.Reason == protocol.BadTask:
		return errors.New(e.Detail)
	}
	return Refuse(e.Reason, "%s", e.Detail)
}
