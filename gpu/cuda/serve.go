package cuda

import (
	"bufio"
	"context"
	"errors"
	"io"
	"time"

	"github.com/linchpin-graph/linchpin/gpu"
)

// Host is what a worker computes with.
type Host struct {
	// Count returns the number of visible devices.
	Count func() (int, error)
	// Open opens one; the worker closes it.
	Open       func(index int) (OpenDevice, error)
	Strategies []Strategy
	// Beat is the time between signs of life.
	Beat time.Duration
}

// OpenDevice is a device that must be closed.
type OpenDevice interface {
	Device
	Close() error
}

// Serve does the work of one worker process: it says hello, reads one order from in, and answers with events on out; see
// gpu.ProtocolVersion. It stops when in ends. The error says only that nobody listens; all others are events.
func Serve(ctx context.Context, in io.Reader, out io.Writer, h Host) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSpeaker(out, h.Beat)
	defer s.close()
	if err := s.say(gpu.Event{Event: gpu.EventHello, Version: gpu.ProtocolVersion}); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(in, 64<<10)
	text, err := lines.ReadSlice('\n')
	if err != nil {
		return s.fail(gpu.Protocol, errors.New("no order came"))
	}
	order, err := gpu.DecodeOrder(text)
	if err != nil {
		return s.fail(gpu.Protocol, err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines) // its end is what matters
		cancel()
	}()
	if order.Kind == gpu.OrderDevices {
		return s.devices(h)
	}
	w := work{order: order, host: h, speaker: s}
	result, err := w.do(ctx)
	if err != nil {
		return s.fail(reasonOf(ctx, err), err)
	}
	return s.say(gpu.Event{Event: gpu.EventResult, Result: result})
}

func (s *speaker) fail(r gpu.Reason, err error) error {
	detail := []rune(err.Error())
	return s.say(gpu.Event{Event: gpu.EventError, Reason: r, Detail: string(detail[:min(len(detail), 2000)])})
}

// devices opens every device, for only then it tells its free memory.
func (s *speaker) devices(h Host) error {
	count, err := h.Count()
	if err != nil {
		return s.fail(gpu.NoDevice, err)
	}
	infos := make([]gpu.DeviceInfo, count)
	for i := range infos {
		d, err := h.Open(i)
		if err != nil {
			return s.fail(reasonOf(context.Background(), err), err)
		}
		infos[i] = d.Info()
		if err := d.Close(); err != nil {
			return s.fail(gpu.LaunchFailed, err)
		}
	}
	return s.say(gpu.Event{Event: gpu.EventDevices, Devices: infos})
}

// refusal is an error with its reason.
type refusal struct {
	error
	reason gpu.Reason
}

func (r refusal) Unwrap() error { return r.error }

// reasonOf sorts an error of the work. What no device is to blame for is the task's own.
func reasonOf(ctx context.Context, err error) gpu.Reason {
	var large *TooLarge
	var r refusal
	switch {
	case ctx.Err() != nil:
		return gpu.Cancelled
	case errors.As(err, &r):
		return r.reason
	case errors.As(err, &large):
		return gpu.TooLarge
	case errors.Is(err, ErrMemory):
		return gpu.OutOfMemory
	case errors.Is(err, ErrArch):
		return gpu.NoKernel
	case errors.Is(err, ErrLaunch):
		return gpu.LaunchFailed
	}
	return gpu.BadTask
}
