// Package client is linchpin's end of the protocol: it starts workers, gives them orders, shares files with them, ends
// them, and says why one failed. It knows no task.
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
	// stay keeps workers that did their order well for the next one, one at each device; stayed are those.
	stay   bool
	stayed []*process
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
	if all := c.instances(); all != nil {
		return c.instanceDevices(ctx, len(all))
	}
	w, err := c.Worker(anyDevice)
	if err != nil {
		return nil, err
	}
	defer w.Leave()
	return w.devices(ctx, protocol.Order{Kind: protocol.OrderDevices})
}

// Stay keeps workers that did their order well for the next one, one at each device, until Close.
func (c *Client) Stay() {
	c.mu.Lock()
	c.stay = true
	c.mu.Unlock()
}

// Warm reports whether a worker is there that has a device.
func (c *Client) Warm() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.stayed, func(p *process) bool { return !p.hasEnded() && p.index != anyDevice })
}

// Close ends the workers that stayed, without waiting for that. Later tasks start workers that do not stay.
func (c *Client) Close() {
	c.mu.Lock()
	c.stay = false
	c.mu.Unlock()
	c.Rest()
}

// Rest ends the workers that stayed.
func (c *Client) Rest() {
	c.mu.Lock()
	all := c.stayed
	c.stayed = nil
	c.mu.Unlock()
	for _, p := range all {
		c.dismiss(p)
	}
}

// keep keeps a worker for the next order, or ends it where one stays at its device already.
func (c *Client) keep(p *process) {
	c.mu.Lock()
	keep := c.stay && !slices.ContainsFunc(c.stayed, func(other *process) bool { return other.index == p.index })
	if keep {
		c.stayed = append(c.stayed, p)
	}
	c.mu.Unlock()
	if !keep {
		c.dismiss(p)
	}
}

// staying returns the worker that stayed at a device, or else any that stayed and can see it; nil where none did.
func (c *Client) staying(index int) *process {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.stayed) == 0 {
		return nil
	}
	at := slices.IndexFunc(c.stayed, func(p *process) bool { return p.index == index })
	if at < 0 && c.instances() != nil {
		return nil
	}
	at = max(0, at)
	p := c.stayed[at]
	c.stayed = slices.Delete(c.stayed, at, at+1)
	return p
}

// settle waits until the workers that were let go have ended, and so given back what they held of their devices. One
// that hangs in its driver is not waited for.
func (c *Client) settle() {
	c.mu.Lock()
	leaving := c.leaving
	c.mu.Unlock()
	for _, p := range leaving {
		p.await()
	}
}

// dismiss ends a worker that did its last order well. It does not wait for that, which takes a tenth of a second with
// CUDA, unless what the worker prints is wanted.
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
