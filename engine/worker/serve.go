// Package worker is the process that computes on a device: it takes orders, reduces graphs, and chooses a strategy.
package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// Host is what a worker computes with.
type Host struct {
	// Count returns the number of visible devices.
	Count func() (int, error)
	// Open opens one; Serve closes it.
	Open func(index int) (gpu.OpenDevice, error)
	// Engines compute on graphs as they are; see the function Engines.
	Engines []device.Engine
	// Beat is the time between signs of life.
	Beat time.Duration
	// Exits says that the process ends with Serve, which gives a device back faster than closing it does.
	Exits bool
}

// Serve does the work of one worker process: it says hello, reads orders from in, and answers each with events on out;
// see protocol.ProtocolVersion. It ends when in ends, and after an order that failed. The error says only that nobody
// listens, or that the device could not be closed; all others are events.
func Serve(ctx context.Context, in io.Reader, out io.Writer, h Host) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSpeaker(out, h.Beat)
	defer s.close()
	if err := s.say(protocol.Event{Event: protocol.EventHello, Version: protocol.ProtocolVersion}); err != nil {
		return err
	}
	orders := make(chan protocol.Order)
	var broken error // set before orders is closed
	go func() {
		defer cancel()
		defer close(orders)
		broken = readOrders(ctx, in, orders)
	}()
	at := desk{host: h, speaker: s}
	if !h.Exits {
		defer func() { err = errors.Join(err, at.close()) }()
	}
	for first := true; ; first = false {
		next, more, err := at.next(orders)
		switch {
		case err != nil:
			return s.fail(reasonOf(ctx, err), err)
		case more:
		case broken != nil && (first || broken != errNoOrder):
			return s.fail(protocol.Protocol, broken)
		default:
			return nil
		}
		if done, err := at.serve(ctx, next); err != nil || !done {
			return err
		}
	}
}

// errNoOrder says that the input ended.
var errNoOrder = errors.New("no order came")

// readOrders passes on the orders of in until it ends or one is none.
func readOrders(ctx context.Context, in io.Reader, orders chan<- protocol.Order) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		text, err := lines.ReadSlice('\n')
		if err != nil {
			return errNoOrder
		}
		order, err := protocol.DecodeOrder(text)
		if err != nil {
			return err
		}
		select {
		case orders <- order:
		case <-ctx.Done():
			return nil
		}
	}
}

// desk is where orders are done, one after the other.
type desk struct {
	host    Host
	speaker *speaker
	// device stays open from one order to the next; index is its number.
	device gpu.OpenDevice
	index  int
	// rates are those of device, once they were read.
	rates *plan.Rates
	// launched is when the first kernel was launched.
	launched time.Time
	// kept is the run that the last order was a shard of.
	kept keptRun
}

// idle is how long a worker without an order keeps the memory of its device, and a run: then others may want it. Tests
// change it.
var idle = 5 * time.Second

// next waits for the next order, and gives memory back that is kept too long for one. The error is that of the device.
func (d *desk) next(orders <-chan protocol.Order) (next protocol.Order, more bool, err error) {
	select {
	case next, more = <-orders:
		return next, more, nil
	case <-time.After(idle):
	}
	if err := d.rest(); err != nil {
		return next, false, err
	}
	next, more = <-orders
	return next, more, nil
}

// rest drops the run that is kept, and has the device give back what it keeps.
func (d *desk) rest() error {
	err := d.kept.drop()
	if d.device != nil {
		err = errors.Join(err, d.device.Rest())
	}
	return err
}

// serve does one order. done is false when it failed, and so the worker must end: what the device is like then is not
// known.
func (d *desk) serve(ctx context.Context, order protocol.Order) (done bool, err error) {
	d.speaker.beating(true)
	defer d.speaker.beating(false)
	switch order.Kind {
	case protocol.OrderDevices:
		if err := d.close(); err != nil {
			return false, err
		}
		return true, d.speaker.devices(d.host)
	case protocol.OrderOpen:
		return d.introduce(ctx, order.Device)
	}
	first := d.launched.IsZero()
	w := work{order: order, host: d.host, speaker: d.speaker, open: d.open, rates: d.ratesOf, kept: &d.kept}
	result, err := w.do(ctx)
	if err != nil {
		return false, d.speaker.fail(reasonOf(ctx, err), err)
	}
	if first && !d.launched.IsZero() {
		result.Launched = d.launched.UnixNano()
	}
	if err := d.speaker.say(protocol.Event{Event: protocol.EventResult, Result: result}); err != nil ||
		order.Joined == "" {
		return true, err
	}
	if err := d.kept.drop(); err != nil { // which nobody waits for: the driver takes long to free memory
		return false, d.speaker.fail(reasonOf(ctx, err), err)
	}
	return true, nil
}

// introduce opens a device and says what it is. Nothing is kept of the run before.
func (d *desk) introduce(ctx context.Context, index int) (done bool, err error) {
	if err := d.kept.drop(); err != nil {
		return false, d.speaker.fail(reasonOf(ctx, err), err)
	}
	device, err := d.open(index)
	if err != nil {
		return false, d.speaker.fail(reasonOf(ctx, err), err)
	}
	return true, d.speaker.say(protocol.Event{Event: protocol.EventDevices, Devices: []gpu.Info{device.Info()}})
}

// open returns the device of this number, renewed or new.
func (d *desk) open(index int) (gpu.OpenDevice, error) {
	if d.device != nil && d.index == index {
		return clocked{d.device, &d.launched}, d.device.Renew()
	}
	if err := d.close(); err != nil {
		return nil, err
	}
	if err := d.host.has(index); err != nil {
		return nil, err
	}
	var err error
	d.device, err = d.host.Open(index)
	if err != nil {
		d.device = nil
		return nil, err
	}
	d.index, d.rates = index, nil
	return clocked{d.device, &d.launched}, nil
}

// ratesOf returns the rates of the device that is open, which are read once.
func (d *desk) ratesOf(info gpu.Info) *plan.Rates {
	if d.rates == nil {
		d.rates = plan.For(info)
	}
	return d.rates
}

// has says whether there is a device of this number.
func (h Host) has(index int) error {
	count, err := h.Count()
	if err != nil || index < count {
		return err
	}
	return refusal{fmt.Errorf("there is no gpu:%d: %d can be seen, from gpu:0", index, count), protocol.NoDevice}
}

// clocked is a device that notes when its first kernel was launched.
type clocked struct {
	gpu.OpenDevice
	launched *time.Time
}

func (c clocked) Launch(kernel gpu.Kernel, s gpu.Shape, args ...any) error {
	err := c.OpenDevice.Launch(kernel, s, args...)
	if c.launched.IsZero() {
		*c.launched = time.Now()
	}
	return err
}

func (d *desk) close() error {
	err := d.kept.forget()
	if d.device == nil {
		return err
	}
	device := d.device
	d.device = nil
	return errors.Join(err, device.Close())
}

func (s *speaker) fail(r protocol.Reason, err error) error {
	detail := []rune(err.Error())
	event := protocol.Event{Event: protocol.EventError, Reason: r, Detail: string(detail[:min(len(detail), 2000)])}
	errors.As(err, &event.About)
	return s.say(event)
}

// devices opens every device, for only then it tells its free memory.
func (s *speaker) devices(h Host) error {
	count, err := h.Count()
	if err != nil {
		return s.fail(protocol.NoDevice, err)
	}
	infos := make([]gpu.Info, count)
	for i := range infos {
		d, err := h.Open(i)
		if err != nil {
			return s.fail(reasonOf(context.Background(), err), err)
		}
		infos[i] = d.Info()
		if err := d.Close(); err != nil {
			return s.fail(protocol.LaunchFailed, err)
		}
	}
	return s.say(protocol.Event{Event: protocol.EventDevices, Devices: infos})
}

// refusal is an error with its reason.
type refusal struct {
	error
	reason protocol.Reason
}

func (r refusal) Unwrap() error { return r.error }

// reasonOf sorts an error of the work. What no device is to blame for is the task's own.
func reasonOf(ctx context.Context, err error) protocol.Reason {
	var large *gpu.TooLarge
	var unsuited *device.Unsuited
	var r refusal
	switch {
	case ctx.Err() != nil:
		return protocol.Cancelled
	case errors.As(err, &r):
		return r.reason
	case errors.As(err, &unsuited):
		return protocol.NotOnGPU
	case errors.As(err, &large):
		return protocol.TooLarge
	case errors.Is(err, gpu.ErrMemory):
		return protocol.OutOfMemory
	case errors.Is(err, gpu.ErrArch):
		return protocol.NoKernel
	case errors.Is(err, gpu.ErrLaunch):
		return protocol.LaunchFailed
	}
	return protocol.BadTask
}
