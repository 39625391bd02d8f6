package engine

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Policy says which device a computation may use: Auto, GPU, CPU, or "gpu:1" for one device by its index among the visible
// ones. "" is Auto.
type Policy string

// Auto takes what is ranked first, and falls back from a device to the CPU; GPU, and a device by its index, fail where there is none; CPU never asks.
const (
	Auto Policy = "auto"
	GPU  Policy = "gpu"
	CPU  Policy = "cpu"
)

// PolicyWords are the words that say a policy, the default first.
func PolicyWords() []string { return []string{string(Auto), string(CPU), string(GPU), "gpu:0"} }

// mostDevices is more devices than one machine has.
const mostDevices = 1000

// ParsePolicy reads a policy.
func ParsePolicy(text string) (Policy, error) {
	p := Policy(text)
	switch p {
	case "", Auto, GPU, CPU:
		return p, nil
	}
	if _, named := p.Index(); !named {
		return "", fmt.Errorf("device %q; a device is auto, cpu, gpu, or one GPU by its number, such as gpu:0", text)
	}
	return p, nil
}

// Index returns the device that the policy names; named is false when it names none.
func (p Policy) Index() (index int, named bool) {
	text, found := strings.CutPrefix(string(p), "gpu:")
	index, err := strconv.Atoi(text)
	if !found || err != nil || index < 0 || index >= mostDevices || strconv.Itoa(index) != text {
		return 0, false
	}
	return index, true
}

// Demands says that the policy is for a device alone: without one, the computation fails.
func (p Policy) Demands() bool {
	_, named := p.Index()
	return p == GPU || named
}

// devices says which device a task takes that names none: of those with the fewest tasks, the first.
type devices struct {
	count int // of the machine, as far as is known; 0 for 1

	mu   sync.Mutex
	busy map[int]int // tasks, by device
}

// take returns the device for a task, which leaves it with leave. A task may name one that is not there: the worker says so.
func (d *devices) take(p Policy) (index int, leave func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	index, named := p.Index()
	for i := 1; i < d.count && !named; i++ {
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

// seats is how many devices so many shards of a task can take. found are those of the machine, which count where their
// number was not known.
func (d *devices) seats(p Policy, shards, found int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.count == 0 {
		d.count = found
	}
	if _, named := p.Index(); named {
		return 1
	}
	return max(1, min(shards, d.count))
}

// name is what a person is told of a device; its index matters where there are several.
func (d *devices) name(name string, index int) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.count <= 1 && index == 0 {
		return name
	}
	return name + placeOf(index)
}

// placeOf tells a device from others of its name.
func placeOf(index int) string { return fmt.Sprintf(" (gpu:%d)", index) }
