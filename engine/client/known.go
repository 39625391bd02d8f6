package client

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
)

// Known is Devices, which remembers the answer: of this process, and of those before it with the same program.
func (c *Client) Known(ctx context.Context) ([]gpu.Info, error) {
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	if known != nil {
		return known, nil
	}
	path, err := c.Path()
	if err != nil {
		return nil, err
	}
	found, ok := recall(path)
	if !ok {
		if found, err = c.Devices(ctx); err != nil {
			return nil, err
		}
		remember(path, found)
	}
	c.mu.Lock()
	c.known = found
	c.mu.Unlock()
	return found, nil
}

// meet notes that a device answered, and forgets those that were remembered where it is another one.
func (c *Client) meet(name string, index int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if index < len(c.known) && c.known[index].Name != name {
		c.known = nil
		forget()
	}
}

// memory is what the user's cache keeps of the devices that a worker saw, so that not every process has to ask: each
// device is opened for that. What it says only guides the choice; the worker sees the devices as they are.
type memory struct {
	Worker  string     `json:"worker"`
	Visible *string    `json:"visible"`
	Devices []gpu.Info `json:"devices"`
}

// memoryPath is where it is kept; "" where there is no such place.
func memoryPath() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "linchpin", "rates", "devices.json")
}

// visible is CUDA_VISIBLE_DEVICES, or nil.
func visible() *string {
	if v, set := os.LookupEnv("CUDA_VISIBLE_DEVICES"); set {
		return &v
	}
	return nil
}

// recall returns the devices that this worker saw, where that is kept.
func recall(worker string) ([]gpu.Info, bool) {
	data, err := os.ReadFile(memoryPath())
	var m memory
	if err != nil || json.Unmarshal(data, &m) != nil || m.Worker != worker || len(m.Devices) == 0 {
		return nil, false
	}
	v := visible()
	same := (v == nil) == (m.Visible == nil) && (v == nil || *v == *m.Visible)
	return m.Devices, same
}

// remember keeps the devices for later processes. Where it cannot, they ask again.
func remember(worker string, devices []gpu.Info) {
	path := memoryPath()
	data, err := json.Marshal(memory{worker, visible(), devices})
	if path == "" || err != nil || len(devices) == 0 || os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return
	}
	file, err := export.CreatePending(path)
	if err != nil {
		return
	}
	defer file.Discard()
	if _, err := file.Write(data); err == nil {
		_ = file.Commit()
	}
}

// forget removes what was kept.
func forget() { _ = os.Remove(memoryPath()) }
