package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
)

// team is the devices that share a run, with a worker at each. One that fails is left out of the rest of the run.
type team struct {
	seats []*seat
	// common is what the devices have in common; nil where there is one.
	common *DeviceInfo
	// working are the goroutines that use a worker.
	working sync.WaitGroup

	mu    sync.Mutex
	names map[int]string // of devices that answered, by index
}

// gather seats workers at the devices that the shards of a task share. It ends with part.
func (c *machine) gather(ctx context.Context, t Task) (*team, error) {
	found, _ := c.devices(ctx) // a worker reports what is missing
	m := &team{names: map[int]string{}}
	for _, index := range c.spread.Shared(t.Device, t.Shards, len(found)) {
		at, err := c.sit(deviceOf(index))
		if err != nil {
			m.part()
			return nil, err
		}
		m.seats = append(m.seats, at)
	}
	if err := m.meet(ctx, t.Device); err != nil {
		m.part()
		return nil, err
	}
	return m, nil
}

// deviceOf is the policy of one device.
func deviceOf(index int) Policy { return Policy(fmt.Sprintf("%s:%d", GPU, index)) }

// meet opens all devices at the same time, and finds out what they have in common: what is planned for that has the
// same shards on each. A run on one device is planned for that. One that is named and not there is an error of who
// named it.
func (m *team) meet(ctx context.Context, p Policy) error {
	if len(m.seats) < 2 {
		return nil
	}
	infos, errs := make([]DeviceInfo, len(m.seats)), make([]error, len(m.seats))
	var opening sync.WaitGroup
	for i, at := range m.seats {
		opening.Go(func() { infos[i], errs[i] = at.open(ctx) })
	}
	opening.Wait()
	var open []DeviceInfo
	var there []*seat
	for i, at := range m.seats {
		r, _ := ReasonOf(errs[i])
		switch {
		case r == protocol.NoDevice && p.All(): // it was there when linchpin last asked
			at.leave()
			continue
		case errs[i] == nil:
			open = append(open, infos[i])
			m.names[at.index] = infos[i].Name
		case r == protocol.NoDevice || !m.lose(ctx, at, errs[i]):
			return errs[i]
		}
		there = append(there, at)
	}
	m.seats = there
	if len(open) == 0 {
		return firstCause(errs)
	}
	common := gpu.Common(open...)
	m.common = &common
	return nil
}

// lose leaves a device out of the rest of the run, and reports whether it may: the device is to blame, not the task.
func (m *team) lose(ctx context.Context, at *seat, err error) bool {
	if ctx.Err() != nil || !ofDevice(err) {
		return false
	}
	m.mu.Lock()
	at.lost = err
	m.mu.Unlock()
	return true
}

// ofDevice reports whether an error says that a device failed, or its worker, where another one may not.
func ofDevice(err error) bool {
	switch r, _ := ReasonOf(err); r {
	case protocol.NoDevice, protocol.NoKernel, protocol.OutOfMemory, protocol.LaunchFailed, protocol.TimedOut,
		protocol.Protocol, protocol.Crashed, protocol.BadScores, protocol.BrokenWorker:
		return true
	}
	return false
}

// able are the seats whose device has not failed.
func (m *team) able() []*seat {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(m.seats), func(at *seat) bool { return at.lost != nil })
}

// firstLost is the error of a device that failed, once none is left.
func (m *team) firstLost() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	errs := make([]error, 0, len(m.seats))
	for _, at := range m.seats {
		errs = append(errs, at.lost)
	}
	return firstCause(errs)
}

// idle returns a seat that nobody uses, rather one whose worker knows the run, with busy held; nil where all devices
// failed.
func (m *team) idle() *seat {
	able := m.able()
	for _, at := range able {
		if at.busy.TryLock() {
			if at.worker.Ready() {
				return at
			}
			at.busy.Unlock()
		}
	}
	if len(able) == 0 {
		return nil
	}
	able[0].busy.Lock()
	return able[0]
}

// name is what a person is told of the devices: each by its index, those of one name together.
func (m *team) name() (text string, count int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	indices, order := map[string][]string{}, []string{}
	for _, at := range m.seats {
		name, answered := m.names[at.index]
		if !answered || at.lost != nil {
			continue
		}
		if indices[name] == nil {
			order = append(order, name)
		}
		count++
		indices[name] = append(indices[name], fmt.Sprint(at.index))
	}
	parts := make([]string, 0, len(order))
	for _, name := range order {
		parts = append(parts, fmt.Sprintf("%s (gpu:%s)", name, strings.Join(indices[name], ",")))
	}
	return strings.Join(parts, ", "), count
}

// remark says which devices failed, and why; "" for none.
func (m *team) remark() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var parts []string
	for _, at := range m.seats {
		if at.lost != nil {
			parts = append(parts, fmt.Sprintf("gpu:%d was left out, and the other devices did its shards: %v",
				at.index, at.lost))
		}
	}
	return strings.Join(parts, "; ")
}

// part ends the team, once nobody uses its workers.
func (m *team) part() {
	m.working.Wait()
	for _, at := range m.seats {
		at.leave()
	}
}

// firstCause is the first error that is not that of a run that another one ended.
func firstCause(errs []error) (first error) {
	for _, err := range errs {
		if err == nil {
			continue
		}
		if !errors.Is(err, context.Canceled) {
			return err
		}
		first = err
	}
	return first
}
