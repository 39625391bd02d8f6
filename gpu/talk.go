package gpu

import (
	"context"
	"errors"
	"runtime"
)

// talk starts a worker, waits for hello, sends the order that prepare makes, and passes events to handle until handle
// says that one was the last. Errors carry a Reason, but for those of prepare and handle, which are passed on.
func (c *Client) talk(ctx context.Context, path string, prepare func() (Order, error), handle func(Event) (last bool, err error)) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p, err := c.start(path)
	if err != nil {
		return err
	}
	defer p.finish()
	hello, err := p.next(ctx, c.Limits.Start)
	switch {
	case err != nil:
		return err
	case hello.Event == EventError:
		return failure(hello)
	case hello.Event != EventHello:
		return refuse(Protocol, "the worker began with %s", hello.Event)
	case hello.Version != ProtocolVersion:
		return refuse(BadWorker, "%s speaks version %d of the protocol, this program version %d: use both of one build", path, hello.Version, ProtocolVersion)
	}
	order, err := prepare()
	if err != nil {
		return err
	}
	order.Version = ProtocolVersion
	text, err := Encode(order)
	if err != nil {
		return err
	}
	// A worker that is gone says so on the event pipe. The line fits into the pipe, so this does not block.
	_, _ = p.stdin.Write(text)
	for {
		event, err := p.next(ctx, c.Limits.Stall)
		if err != nil {
			return err
		}
		if event.Event == EventError {
			return failure(event)
		}
		if last, err := handle(event); last || err != nil {
			return err
		}
	}
}

// failure is the error that a worker reports.
func failure(e Event) error {
	if e.Reason == BadTask {
		return errors.New(e.Detail)
	}
	return refuse(e.Reason, "%s", e.Detail)
}
