package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
)

// handler takes an event of a worker that was started at begun, and says whether it was the last.
type handler func(begun time.Time, e protocol.Event) (last bool, err error)

// take returns the worker that stayed, or a new one that has said hello.
func (c *Client) take(ctx context.Context, path string) (*process, error) {
	c.mu.Lock()
	p := c.stayed
	c.stayed = nil
	c.mu.Unlock()
	if p != nil {
		if !p.hasEnded() {
			return p, nil
		}
		p.finish()
	}
	p, err := c.start(path)
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

// settle waits until the workers that were let go have ended, and so given back what they held of their devices.
func (c *Client) settle() {
	c.mu.Lock()
	leaving := c.leaving
	c.mu.Unlock()
	for _, p := range leaving {
		<-p.ended
	}
}

// dismiss ends a worker that did its last order well. It does not wait for that, which takes a tenth of a second with CUDA,
// unless what the worker prints is wanted.
func (c *Client) dismiss(p *process) {
	if c.Output == nil {
		p.part()
		c.mu.Lock()
		c.leaving = append(slices.DeleteFunc(slices.Clone(c.leaving), (*process).hasEnded), p)
		c.mu.Unlock()
		return
	}
	p.finish()
	if state := p.command.ProcessState; !state.Success() {
		fmt.Fprintf(c.Output, "the worker ended with %v after its last result\n", state)
	}
}

// leave keeps a worker for the next order, or ends it.
func (c *Client) leave(p *process) {
	c.mu.Lock()
	keep := c.stay && c.stayed == nil
	if keep {
		c.stayed = p
	}
	c.mu.Unlock()
	if !keep {
		c.dismiss(p)
	}
}

// Close ends the worker that stayed, if any, without waiting for that. Later tasks start workers that do not stay.
func (c *Client) Close() {
	c.mu.Lock()
	c.stay = false
	c.mu.Unlock()
	c.rest()
}

// rest ends the worker that stayed, if any.
func (c *Client) rest() {
	c.mu.Lock()
	p := c.stayed
	c.stayed = nil
	c.mu.Unlock()
	if p != nil {
		c.dismiss(p)
	}
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
		return refuse(protocol.Protocol, "the worker began with %s", hello.Event)
	case hello.Version != protocol.ProtocolVersion:
		return refuse(protocol.BadWorker, "%s speaks version %d of the protocol, this program version %d: use both of one build", path, hello.Version, protocol.ProtocolVersion)
	}
	return nil
}

// order gives a worker one order.
func (c *Client) order(ctx context.Context, p *process, prepare func() (protocol.Order, error), handle handler) error {
	order, err := prepare()
	if err != nil {
		return err
	}
	order.Version = protocol.ProtocolVersion
	text, err := protocol.Encode(order)
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
	return refuse(e.Reason, "%s", e.Detail)
}
