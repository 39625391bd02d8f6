package jobs

import (
	"context"
	"fmt"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
)

// taskOf is what a pass asks of the engine.
func taskOf(p pass, c config.Compute, s *export.Snapshot, device engine.Policy) engine.Task {
	q := p.request(c)
	if n := c.Sample; n > 0 && n < s.Graph.N() && p.measure.BySource {
		q.Sources, q.Scale = kernels.Sample(s.Graph.N(), n, c.Seed)
	}
	if device == "" {
		device = engine.Policy(c.Device)
	}
	return engine.Task{
		Measure: p.measure.Name, Request: q, Snapshot: s, Device: device, Strategy: c.Strategy, Precision: c.Precision,
	}
}

// fits refuses a pass of which no way that its device setting permits fits the memory. A GPU that is missing is for the
// computation to report.
func fits(p pass, r *engine.Ranking, free int64) error {
	if r.First() != nil || len(r.Ways) == 0 {
		return nil
	}
	err := tooLarge(r.Least(), free)
	var why []string
	for _, c := range r.Ways {
		why = append(why, c.Name()+" "+c.Misfit)
	}
	return &connector.Error{
		Kind: connector.TooLarge, Msg: fmt.Sprintf("%s %s: %s", p.measure.Name, err.Msg, strings.Join(why, "; ")), Hint: err.Hint,
	}
}

// waysOf are the ways of a pass for the record.
func waysOf(p pass, r *engine.Ranking) []connector.Way {
	out, lines := make([]connector.Way, len(r.Ways)), r.Lines()
	for i, c := range r.Ways {
		out[i] = connector.Way{
			Measure: p.measure.Name, Device: string(c.Device), Engine: c.Engine, Reductions: c.Reductions, Seconds: c.Seconds,
			HostBytes: c.HostBytes, DeviceBytes: c.DeviceBytes, Reason: lines[i], Misfit: c.Misfit,
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
	free, err := r.Memory()
	if err != nil {
		return "", err
	}
	r.passes = todo
	for i := range todo {
		if err := r.rank(ctx, &todo[i], free); err != nil {
			return "", err
		}
	}
	return planned(todo), nil
}

// rank ranks the ways of a pass.
func (r *run) rank(ctx context.Context, p *pass, free int64) (err error) {
	if err := p.measure.Check(p.request(r.job.Compute)); err != nil {
		return err
	}
	task := taskOf(*p, r.job.Compute, r.snapshot, r.options.Device)
	if p.ranking, err = r.Engine.Rank(ctx, task, free); err != nil {
		return err
	}
	r.record.Ways = append(r.record.Ways, waysOf(*p, p.ranking)...)
	return fits(*p, p.ranking, free)
}
