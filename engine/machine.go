package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/engine/client"
	"github.com/linchpin-graph/linchpin/engine/policy"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// machine runs tasks on the devices of this machine, in worker processes: one a task unless they stay, so that a fault
// ends one task. It may be used by several goroutines.
type machine struct {
	client *client.Client
	// spread says which device a task takes.
	spread policy.Spread
}

// newMachine returns a machine with so many devices; 0 for as many as are found.
func newMachine(count int) *machine {
	return &machine{client: client.New(), spread: policy.Spread{Count: count}}
}

func (c *machine) ready(ctx context.Context) error {
	_, err := c.client.Devices(ctx)
	return err
}

// devices returns the devices, as they were when they were first asked for.
func (c *machine) devices(ctx context.Context) ([]DeviceInfo, error) { return c.client.Known(ctx) }

// warm reports whether a worker is there that has its device.
func (c *machine) warm() bool { return c.client.Warm() }

// session returns a session of its own with the same worker.
func (c *machine) session() *Session {
	return newSession(&machine{client: c.client.Another(), spread: policy.Spread{Count: 1}})
}

// compute runs one task in one worker. The scores that it returns have passed check.Scores.
func (c *machine) compute(ctx context.Context, m kernels.Measure, t Task) (*Outcome, error) {
	if m.Kind == kernels.Communities {
		return c.communities(ctx, m, t)
	}
	r, run := t.Request, c.run
	if t.Shards > 1 && m.Kind.Divides() {
		run = c.runShards
	}
	out, values, err := run(ctx, t,
		protocol.Order{Kind: protocol.OrderCompute, Measure: t.Measure, Nodes: r.Nodes, Edges: r.Edges}, nil)
	if err != nil {
		return nil, err
	}
	if t.ranges == nil {
		out.take(t, values)
		return out, checkOfDevice(m, t, out.Scores)
	}
	if len(out.Totals) != len(t.ranges) {
		return nil, refuse(protocol.Protocol, "the worker sent totals of %d ranges, not of %d", len(out.Totals),
			len(t.ranges))
	}
	out.Each = make([]*Outcome, len(t.ranges))
	out.Reason += fmt.Sprintf("; %d ranges in one pass", len(t.ranges))
	for i, q := range t.ranges {
		of, one, scores, first := t, *out, *out.Scores, i*len(values)/len(t.ranges)
		of.Request, one.Scores, one.Each, one.Totals = q, &scores, nil, nil
		scores.Totals.Pairs, scores.Totals.Distance = out.Totals[i].Pairs, out.Totals[i].Distance
		one.take(of, values[first:first+len(values)/len(t.ranges)])
		if err := checkOfDevice(m, of, one.Scores); err != nil {
			return nil, err
		}
		out.Each[q.Place] = &one
	}
	return out, nil
}

// take takes the scores that a worker wrote, or the highest of them.
func (o *Outcome) take(t Task, values []float64) {
	n := t.Snapshot.Graph.N()
	if t.Request.Nodes {
		o.Scores.Nodes, values = values[:n:n], values[n:]
	}
	if t.Request.Edges {
		o.Scores.Edges = values
	}
	if top := t.Request.Top; top != nil {
		o.Scores.Kept = cpu.KeepTop(o.Scores.Nodes, *top)
	}
}

// run runs one order in one worker: o, filled with what the task says. It returns the numbers that the worker wrote.
func (c *machine) run(ctx context.Context, t Task, o protocol.Order, wanted []int32) (*Outcome, []float64, error) {
	c.client.Tidy()
	at, err := c.sit(t.Device)
	if err != nil {
		return nil, nil, err
	}
	defer at.leave()
	return at.give(ctx, t, o, wanted, func(*protocol.Result) {})
}

// give gives one order to the worker. result is called with what the worker reports of the result.
func (s *seat) give(
	ctx context.Context, t Task, o protocol.Order, wanted []int32, result func(*protocol.Result),
) (*Outcome, []float64, error) {
	files, err := client.NewFolder()
	if err != nil {
		return nil, nil, fmt.Errorf("files for the worker: %w", err)
	}
	defer files.Remove()
	out := &Outcome{}
	prepare := func() (protocol.Order, error) {
		o.Device = s.worker.Device()
		if err := fillIn(&o, t, wanted, files); err != nil {
			return protocol.Order{}, fmt.Errorf("files for the worker: %w", err)
		}
		return o, nil
	}
	if err := s.worker.Talk(ctx, prepare, follow(t, out, result)); err != nil {
		return nil, nil, err
	}
	s.worker.Met(out.Device)
	out.Device = s.spread.Name(out.Device, s.index)
	values, err := files.ReadScores(scoreBytes(t, o))
	if err != nil {
		return nil, nil, fmt.Errorf("files for the worker: %w", err)
	}
	return out, values, nil
}

// follow returns the handler of a task's events; it fills out, and passes the result on.
func follow(t Task, out *Outcome, result func(*protocol.Result)) client.Handler {
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
			out.Sampled, out.Totals = r.Sampled, r.Ranges
			out.Preprocess, out.Compute, out.PeakDevice, out.Profile = r.Preprocess, r.Compute, r.PeakBytes, r.Profile
			if r.Launched != 0 {
				out.Start = time.Unix(0, r.Launched).Sub(begun).Seconds()
			}
			out.Scores = &kernels.Scores{Ties: r.Ties, Single: r.Single,
				Totals: kernels.Totals{Pairs: r.Pairs, Distance: r.Distance, NoDistance: r.NoDistance, Demand: r.Demand,
					DemandDistance: r.DemandDistance}, Reduction: r.Reduction, Convergence: r.Convergence}
			if r.Note != "" {
				out.Reason = strings.TrimPrefix(out.Reason+"; "+r.Note, "; ")
			}
			return true, nil
		}
		return false, refuse(protocol.Protocol, "the worker sent %s out of turn", e.Event)
	}
}
