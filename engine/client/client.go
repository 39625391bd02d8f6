// Package client is linchpin's end of the protocol: it starts workers, gives them orders, shares files with them, ends them,
// and says why one failed. It knows no task.
package client

import (
	"context"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
)

// Client starts workers. A worker that did its work well is not waited for: it ends, or is killed, beside what comes
// next, and with this process. It may be used by several goroutines.
type Client struct {
	// Program is the path of the worker program; "" for the one that Find finds.
	Program string
	Limits  Limits
	// Env is the worker's environment; nil for this process's without its secrets.
	Env []string
	// Output, when set, gets what workers print.
	Output io.Writer

	mu sync.Mutex
	// stay keeps a worker that did its order well for the next one; stayed is that worker.
	stay   bool
	stayed *process
	// leaving are workers that were let go and may not have ended.
	leaving []*process
	// known are the devices, once they were asked for.
	known []gpu.Info
	// tidied is when the files of killed processes were last looked for.
	tidied time.Time
}

// New returns a client with the usual limits. With LINCHPIN_GPU_DEBUG set, the worker times every launch, and what it
// prints goes to standard error.
func New() *Client {
	c := &Client{Limits: defaultLimits()}
	if os.Getenv("LINCHPIN_GPU_DEBUG") != "" {
		c.Output = os.Stderr
	}
	return c
}

// Another returns a client of the same program, whose workers are its own.
func (c *Client) Another() *Client {
	return &Client{Program: c.Program, Limits: c.Limits, Env: c.Env, Output: c.Output}
}

// Path is the path of the worker program. The error is *Unavailable.
func (c *Client) Path() (string, error) {
	if c.Program != "" {
		return c.Program, nil
	}
	return Find()
}

// Devices asks a worker for its devices, with their free memory. The error is *Unavailable or *Failed.
func (c *Client) Devices(ctx context.Context) ([]gpu.Info, error) {
	w, err := c.Worker()
	if err != nil {
		return nil, err
	}
	defer w.Leave()
	var devices []gpu.Info
	prepare := func() (protocol.Order, error) { return protocol.Order{Kind: protocol.OrderDevices}, nil }
	err = w.Talk(ctx, prepare, func(_ time.Time, e protocol.Event) (bool, error) {
		if e.Event != protocol.EventDevices {
			return false, Refuse(protocol.Protocol, "the worker answered with %s when asked for devices", e.Event)
		}
		devices = e.Devices
		return true, nil
	})
	return devices, err
}

// Stay keeps a worker that did its order well for the next one, until Close.
func (c *Client) Stay() {
	c.mu.Lock()
	c.stay = true
	c.mu.Unlock()
}

// Warm reports whether a worker is there that has its device.
func (c *Client) Warm() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stayed != nil && !c.stayed.hasEnded() && c.stayed.met
}

// Close ends the worker that stayed, if any, without waiting for that. Later tasks start workers that do not stay.
func (c *Client) Close() {
	c.mu.Lock()
	c.stay = false
	c.mu.Unlock()
	c.Rest()
}

// Rest ends the worker that stayed, if any.
func (c *Client) Rest() {
	c.mu.Lock()
	p := c.stayed
	c.stayed = nil
	c.mu.Unlock()
	if p != nil {
		c.dismiss(p)
	}
}

// keep keeps a worker for the next order, or ends it.
func (c *Client) keep(p *process) {
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
	p.tell(c.Output)
}
