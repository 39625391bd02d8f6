package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
)

// taskOf is what a pass asks of the engine.
func taskOf(p pass, c config.Compute, s *export.Snapshot, device engine.Policy) engine.Task {
	q := p.request(c)
	if p.measure.BySource && adaptiveOf(p, c) == nil {
		q.Sources, q.Scale = q.Draw(s.Graph.N(), c.Sample.Sources, c.Seed)
	}
	if device == "" {
		device = Policy(c)
	}
	return engine.Task{
		Measure: p.measure.Name, Request: q, Snapshot: s, Device: device, Strategy: c.Strategy, Precision: c.Precision,
		Nodes: c.LeastNodes(),
	}
}

// Policy is the policy of a job's settings, which were checked.
func Policy(c config.Compute) engine.Policy {
	p, err := engine.Policy(c.Device).On(string(c.Devices))
	if err != nil {
		return engine.Policy(c.Device) // not reached
	}
	return p
}

// computation is the one of a pass.
func (r *run) computation(p pass) *Computation {
	c := r.job.Compute
	t := taskOf(p, c, r.snapshot, r.options.Device)
	t.Request.Reuse = r.reuse
	return &Computation{Measure: p.measure, Task: t, Adaptive: adaptiveOf(p, c), Accuracy: accuracyOf(p, c)}
}

// adaptiveOf is the adaptive sample of a pass; nil if it has none. compute.sample bounds it.
func adaptiveOf(p pass, c config.Compute) *adaptive.Sample {
	if c.Adaptive == 0 || p.measure.Kind != kernels.Dependencies {
		return nil
	}
	return &adaptive.Sample{C: c.Adaptive, Limit: c.Sample.Sources, Seed: c.Seed}
}

// accuracyOf is when a sample with a bound is enough; nil if a pass has none.
func accuracyOf(p pass, c config.Compute) *kernels.Accuracy {
	if !c.Sample.Bounded() || p.measure.Kind != kernels.Dependencies {
		return nil
	}
	return &kernels.Accuracy{
		Error: c.Sample.Error, Top: c.Sample.Top, Seconds: c.Sample.Seconds, Confidence: c.Sample.Confidence, Seed: c.Seed,
		Each: slices.ContainsFunc(p.outputs, func(m config.Measure) bool { return m.TakesBound() }),
	}
}

// computations are those of all passes.
func computations(all []pass) []*Computation {
	out := make([]*Computation, len(all))
	for i, p := range all {
		out[i] = p.work
	}
	return out
}

// refused is the error of a plan. What does not fit is named with what could be done about it.
func refused(m kernels.Measure, err error) error {
	none := (*NoRoom)(nil)
	if !errors.As(err, &none) {
		return err
	}
	out := tooLarge(none)
	out.Msg = fmt.Sprintf("%s %s: %s", m.Name, out.Msg, strings.Join(none.Ways, "; "))
	return out
}

// tooLarge is the error of a computation that does not fit into the memory that the graph leaves.
func tooLarge(none *NoRoom) *connector.Error {
	return &connector.Error{
		Kind: connector.TooLarge, Msg: none.Error(),
		Hint: "fewer threads (compute.threads) need less, and so does compute.reduce: off",
	}
}

// waysOf are the ways of a pass for the record.
func waysOf(p pass, r *engine.Ranking) []connector.Way {
	out, lines := make([]connector.Way, len(r.Ways)), r.Lines()
	for i, c := range r.Ways {
		out[i] = connector.Way{
			Measure: p.measure.Name, Device: string(c.Device), Engine: c.Engine, Reductions: c.Reductions, Seconds: c.Seconds,
			HostBytes: c.HostBytes, DeviceBytes: c.DeviceBytes, Reason: lines[i], Misfit: c.Misfit, Parts: c.Parts(),
			Devices: c.Devices,
		}
	}
	return out
}

// plan ranks the ways to compute each pass, and refuses what would not fit before anything is computed.
func (r *run) plan(ctx context.Context) (string, error) {
	todo, err := passes(r.job.Measures)
	if err != nil {
		return "", err
	}
	r.openReuse() // before the memory that it takes is measured
	free, err := r.Memory()
	if err != nil {
		return "", err
	}
	for i := range todo {
		todo[i].chosen = r.chosen[choice(todo[i].outputs[0])]
		todo[i].work = r.computation(todo[i])
		todo[i].work.DropRange(ctx)
	}
	r.passes = todo
	if !r.merges() { // parts come in the order of the job
		r.passes = together(todo)
	}
	for i := range r.passes {
		if err := r.rank(ctx, r.passes[i], free); err != nil {
			return "", err
		}
	}
	if err := r.planDistances(free); err != nil {
		return "", err
	}
	reused, err := r.planReuse(ctx)
	return Planned(computations(r.passes)...) + sharing(r.Engine, computations(r.passes)) + reused, err
}

// sharer is an Engine with a fleet. Shares says who computes a task that asks for nodes.
type sharer interface{ Shares(t engine.Task) string }

// sharing says who computes the tasks that ask for nodes, each once.
func sharing(e Engine, all []*Computation) (text string) {
	for _, c := range all {
		if c.Task.Nodes == 0 {
			continue
		}
		who := "no nodes: only linchpin serve and --nodes have a fleet"
		if s, ok := e.(sharer); ok {
			t := c.Task
			t.Ranking = c.Ranking
			who = s.Shares(t)
		}
		if !strings.Contains(text, who) {
			text += "; " + who
		}
	}
	return text
}

// rank ranks the ways of a pass.
func (r *run) rank(ctx context.Context, p pass, free int64) error {
	if err := p.measure.Check(p.work.Task.Request); err != nil {
		return err
	}
	err := p.work.Plan(ctx, r.Engine, free)
	if p.work.Ranking != nil {
		r.record.Ways = append(r.record.Ways, waysOf(p, p.work.Ranking)...)
	}
	return refused(p.measure, err)
}
