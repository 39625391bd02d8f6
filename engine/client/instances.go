package client

import (
	"context"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
	own "github.com/linchpin-graph/linchpin/internal/process"
)

// visibleVariable says which devices CUDA shows.
const visibleVariable = "CUDA_VISIBLE_DEVICES"

// environment is that of workers.
func (c *Client) environment() []string {
	if c.Env != nil {
		return c.Env
	}
	return own.Environment()
}

// instances are those of MIG that the environment lists, where it lists several: CUDA shows a process the first alone,
// so each worker is shown one.
func (c *Client) instances() []string {
	var all []string
	for _, entry := range c.environment() {
		if value, ok := strings.CutPrefix(entry, visibleVariable+"="); ok { // of several the last counts
			all = strings.Split(value, ",")
		}
	}
	if len(all) < 2 || slices.ContainsFunc(all, func(name string) bool { return !strings.HasPrefix(name, "MIG-") }) {
		return nil
	}
	return all
}

// environmentAt is the environment of the worker at a device.
func (c *Client) environmentAt(index int) []string {
	all := c.instances()
	if index >= len(all) || index == anyDevice {
		return c.environment()
	}
	return append(slices.Clone(c.environment()), visibleVariable+"="+all[index])
}

// instanceDevices asks a worker at each instance what it is.
func (c *Client) instanceDevices(ctx context.Context, count int) ([]gpu.Info, error) {
	out := make([]gpu.Info, count)
	for i := range out {
		w, err := c.Worker(i)
		if err != nil {
			return nil, err
		}
		out[i], err = w.Open(ctx)
		w.Leave()
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Device is the number of the worker's device as its process counts.
func (w *Worker) Device() int {
	if w.client.instances() != nil {
		return 0
	}
	return w.index
}

// missing is the error of a device that the environment does not list; nil where it may be there.
func (c *Client) missing(index int) error {
	if count := len(c.instances()); count > 0 && index >= count {
		return Refuse(protocol.NoDevice, "there is no gpu:%d: %d can be seen, from gpu:0", index, count)
	}
	return nil
}
