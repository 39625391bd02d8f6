package policy

import (
	"fmt"
	"slices"
	"sync"
)

// Spread says which device a task takes: of those with the fewest tasks, the first.
type Spread struct {
	Count int // of the machine, as far as is known; 0 for 1

	mu   sync.Mutex
	busy map[int]int // tasks, by device
}

// Take returns a device for a task, which leaves it with leave. A task may name one that is not there: the worker says
// so.
func (d *Spread) Take(p Policy) (index int, leave func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	among := d.among(p)
	index = among[0]
	for _, i := range among {
		if d.busy[i] < d.busy[index] {
			index = i
		}
	}
	if d.busy == nil {
		d.busy = map[int]int{}
	}
	d.busy[index]++
	return index, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.busy[index]--
	}
}

// among returns the devices that a policy lets a task take.
func (d *Spread) among(p Policy) []int {
	if named := p.Devices(d.Count); len(named) > 0 {
		return named
	}
	return everyDevice.Devices(d.Count)
}

// Shared returns the devices that so many shards of a task share, those with the fewest tasks first. found are how many
// the machine has, which counts where their number was not known.
func (d *Spread) Shared(p Policy, shards, found int) []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.Count == 0 {
		d.Count = found
	}
	out := d.among(p)
	slices.SortStableFunc(out, func(a, b int) int { return d.busy[a] - d.busy[b] })
	return out[:max(1, min(shards, len(out)))]
}

// Name is what a person is told of a device; its index matters where there are several.
func (d *Spread) Name(name string, index int) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.Count <= 1 && index == 0 {
		return name
	}
	return name + PlaceOf(index)
}

// PlaceOf tells a device from others of its name.
func PlaceOf(index int) string { return fmt.Sprintf(" (gpu:%d)", index) }

// Busy is how many tasks have a device.
func (d *Spread) Busy() (tasks int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, n := range d.busy {
		tasks += n
	}
	return tasks
}
