package engine

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"

	"github.com/linchpin-graph/linchpin/kernels"
)

// Client runs tasks in worker processes, one a task unless they stay, so that a fault ends one task. A worker that did its
// work well is not waited for: it ends, or is killed, beside what comes next, and with this process. It may be used by
// several goroutines.
type Client struct {
	// Worker is the path of the worker program; "" for FindWorker.
	Worker string
	Limits Limits
	// Env is the worker's environment; nil for this process's without its secrets.
	Env []string
	// Output, when set, gets what the worker prints.
	Output io.Writer

	// spread says which device of the machine a task takes.
	spread devices

	mu sync.Mutex
	// stay keeps a worker that did its order well for the next one; stayed is that worker.
	stay   bool
	stayed *process
	// leaving are workers that were let go and may not have ended.
	leaving []*process
	// known are the devices, once they were asked for.
	known []DeviceInfo
	// tidied is when the files of killed processes were last looked for.
	tidied time.Time
}

// NewClient returns a client with the usual limits. With LINCHPIN_GPU_DEBUG set, the worker times every launch, and what
// it prints goes to standard error.
func NewClient() *Client { return newClient(1) }

// newClient returns a client that spreads tasks over so many devices.
func newClient(count int) *Client {
	c := &Client{Limits: defaultLimits(), spread: devices{count: count}}
	if os.Getenv("LINCHPIN_GPU_DEBUG") != "" {
		c.Output = os.Stderr
	}
	return c
}

func (c *Client) worker() (string, error) {
	if c.Worker != "" {
		return c.Worker, nil
	}
	return FindWorker()
}

// Devices asks a worker for its devices, with their free memory. The error is *Unavailable or *Failed.
func (c *Client) Devices(ctx context.Context) ([]DeviceInfo, error) {
	path, err := c.worker()
	if err != nil {
		return nil, err
	}
	var devices []DeviceInfo
	prepare := func() (protocol.Order, error) { return protocol.Order{Kind: protocol.OrderDevices}, nil }
	at := &seat{client: c, path: path, vacate: func() {}}
	defer at.leave()
	err = at.talk(ctx, prepare, func(_ time.Time, e protocol.Event) (bool, error) {
		if e.Event != protocol.EventDevices {
			return false, refuse(protocol.Protocol, "the worker answered with %s when asked for devices", e.Event)
		}
		devices = e.Devices
		return true, nil
	})
	return devices, err
}

func (c *Client) ready(ctx context.Context) error {
	_, err := c.Devices(ctx)
	return err
}

// devices is Devices, which remembers the answer: of this process, and of those before it with the same worker.
func (c *Client) devices(ctx context.Context) ([]DeviceInfo, error) {
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	if known != nil {
		return known, nil
	}
	path, err := c.worker()
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

// warm reports whether a worker is there that has its device.
func (c *Client) warm() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stayed != nil && !c.stayed.hasEnded() && c.stayed.met
}

// session returns a session of its own with the same worker.
func (c *Client) session() *Session {
	return newSession(&Client{Worker: c.Worker, Limits: c.Limits, Env: c.Env, Output: c.Output, spread: devices{count: 1}})
}

// compute runs one task in one worker. The scores that it returns have passed kernels.Check.
func (c *Client) compute(ctx context.Context, m kernels.Measure, t Task) (*Outcome, error) {
	r, run := t.Request, c.run
	if t.Shards > 1 && m.Kind.Divides() {
		run = c.runShards
	}
	out, values, err := run(ctx, t, protocol.Order{Kind: protocol.OrderCompute, Measure: t.Measure, Nodes: r.Nodes, Edges: r.Edges}, nil)
	if err != nil {
		return nil, err
	}
	out.take(t, values)
	return out, checkOfDevice(m, t, out.Scores)
}

// take takes the scores that a worker wrote.
func (o *Outcome) take(t Task, values []float64) {
	n := t.Snapshot.Graph.N()
	if t.Request.Nodes {
		o.Scores.Nodes, values = values[:n:n], values[n:]
	}
	if t.Request.Edges {
		o.Scores.Edges = values
	}
}

// run runs one order in one worker: o, filled with what the task says. It returns the numbers that the worker wrote.
func (c *Client) run(ctx context.Context, t Task, o protocol.Order, wanted []int32) (*Outcome, []float64, error) {
	path, err := c.worker()
	if err != nil {
		return nil, nil, err
	}
	c.tidy()
	at := c.sit(path, t.Device)
	defer at.leave()
	return at.give(ctx, t, o, wanted, func(*protocol.Result) {})
}

// give gives one order to the worker. result is called with what the worker reports of the result.
func (s *seat) give(
	ctx context.Context, t Task, o protocol.Order, wanted []int32, result func(*protocol.Result),
) (*Outcome, []float64, error) {
	files, err := newTransfer()
	if err != nil {
		return nil, nil, fmt.Errorf("files for the worker: %w", err)
	}
	defer files.remove()
	out := &Outcome{}
	prepare := func() (protocol.Order, error) {
		o.Device = s.index
		if err := files.order(t, &o, wanted); err != nil {
			return protocol.Order{}, fmt.Errorf("files for the worker: %w", err)
		}
		return o, nil
	}
	if err := s.talk(ctx, prepare, follow(t, out, result)); err != nil {
		return nil, nil, err
	}
	s.worker.met = true
	s.client.meet(out.Device, s.index)
	out.Device = s.client.spread.name(out.Device, s.index)
	values, err := files.values(t, o)
	if err != nil {
		return nil, nil, fmt.Errorf("files for the worker: %w", err)
	}
	return out, values, nil
}

// tidy removes the files that killed processes left, unless that was tried as little ago as would leave them.
func (c *Client) tidy() {
	c.mu.Lock()
	due := time.Since(c.tidied) >= young
	if due {
		c.tidied = time.Now()
	}
	c.mu.Unlock()
	if due {
		removeStale(os.TempDir())
	}
}

// follow returns the handler of a task's events; it fills out, and passes the result on.
func follow(t Task, out *Outcome, result func(*protocol.Result)) handler {
	planned := false
	return func(begun time.Time, e protocol.Event) (bool, error) {
		switch {
		case e.Event == protocol.EventPlanned: // again where a way is given up
			planned = true
			out.Device, out.Strategy, out.Reason = e.Planned.Device, e.Planned.Strategy, e.Planned.Reason
			return false, nil
		case e.Event == protocol.EventProgress && planned:
			if t.Request.Progress != nil {
				t.Request.Progress(e.Progress.Done, e.Progress.Total)
			}
			return false, nil
		case e.Event == protocol.EventResult && planned:
			r := e.Result
			result(r)
			out.Preprocess, out.Compute, out.PeakDevice, out.Profile = r.Preprocess, r.Compute, r.PeakBytes, r.Profile
			if r.Launched != 0 {
				out.Start = time.Unix(0, r.Launched).Sub(begun).Seconds()
			}
			out.Scores = &kernels.Scores{Ties: r.Ties, Single: r.Single, Totals: kernels.Totals{Pairs: r.Pairs, Distance: r.Distance, NoDistance: r.NoDistance}, Reduction: r.Reduction}
			if r.Note != "" {
				out.Reason = strings.TrimPrefix(out.Reason+"; "+r.Note, "; ")
			}
			return true, nil
		}
		return false, refuse(protocol.Protocol, "the worker sent %s out of turn", e.Event)
	}
}

// Report is what Devices found.
type Report struct {
	// Worker is the path of the worker program; "" when there is none.
	Worker  string       `json:"worker"`
	Devices []DeviceInfo `json:"devices"`
	// Reason and Detail say what is missing; "" when a device can be used.
	Reason protocol.Reason `json:"reason,omitempty"`
	Detail string          `json:"detail,omitempty"`
	// Visible is CUDA_VISIBLE_DEVICES, when it is set.
	Visible *string `json:"visible,omitempty"`
}

// Devices looks for the worker and asks it for its devices. What is missing stands in the report.
func Devices(ctx context.Context) Report {
	r := Report{Devices: []DeviceInfo{}}
	if v, set := os.LookupEnv("CUDA_VISIBLE_DEVICES"); set {
		r.Visible = &v
	}
	c := NewClient()
	path, err := c.worker()
	if err == nil {
		c.Worker, r.Worker = path, path
		var found []DeviceInfo
		found, err = c.Devices(ctx)
		r.Devices = append(r.Devices, found...)
	}
	if err != nil {
		if r.Reason, r.Detail = ReasonOf(err); r.Reason == "" {
			r.Reason, r.Detail = protocol.Crashed, err.Error()
		}
	}
	return r
}
