package jobs

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
)

// export reads the graph, or opens what an earlier run left, and keeps a snapshot on disk.
func (r *run) export(ctx context.Context) (string, error) {
	if r.options.From == Compute || r.options.From == Write {
		return r.openSnapshot()
	}
	s, err := r.Database.Export(ctx, r.projection, func(done, expected int64) {
		r.Reporter.Progress(done, expected, "relationships")
	})
	if err != nil {
		return "", err
	}
	if err := s.Graph.Validate(); err != nil {
		return "", err
	}
	r.describe(s)
	if err := export.WriteSnapshot(r.state.graph(), s); err != nil {
		return "", fmt.Errorf("keep the snapshot: %w", err)
	}
	return r.sizes(), nil
}

func (r *run) openSnapshot() (string, error) {
	m, err := export.OpenSnapshot(r.state.graph())
	if err != nil {
		return "", fmt.Errorf("no snapshot to start from: %w", err)
	}
	r.describe(m.Snapshot)
	return r.sizes() + ", from " + r.state.graph(), nil
}

func (r *run) describe(s *export.Snapshot) {
	r.snapshot = s
	r.record.Graph, r.record.Dropped = s.Digest(), s.Dropped
	r.record.Nodes, r.record.Edges = int64(s.Graph.N()), int64(s.Graph.M())
	r.record.Relationships = int64(s.Rels.Len())
}

func (r *run) sizes() string {
	text := fmt.Sprintf("%d nodes, %d relationships", r.record.Nodes, r.record.Relationships)
	if r.record.Edges != r.record.Relationships {
		text += fmt.Sprintf(" as %d edges", r.record.Edges)
	}
	d := r.record.Dropped
	for _, c := range []struct {
		count int64
		what  string
	}{
		{d.Dangling, "to nodes outside the graph"}, {d.Duplicates, "read twice"},
		{d.ZeroWeight, "of weight 0"}, {d.BadWeight, "without a usable weight"},
	} {
		if c.count > 0 {
			text += fmt.Sprintf(", %d left out: %s", c.count, c.what)
		}
	}
	return text
}

// plan refuses what would not fit before anything is computed.
func (r *run) plan(context.Context) (string, error) {
	todo, err := passes(r.job.Measures)
	if err != nil {
		return "", err
	}
	r.passes = todo
	size := kernels.Size{Nodes: r.record.Nodes, Edges: r.record.Edges, Directed: r.snapshot.Graph.Directed}
	var most int64
	for _, p := range todo {
		nodes, edges := p.wants()
		q := kernels.Request{Params: p.params, Nodes: nodes, Edges: edges, Threads: r.job.Compute.Threads}
		if err := p.measure.Check(q); err != nil {
			return "", err
		}
		most = max(most, p.measure.Bytes(size, q))
	}
	free, err := r.Memory()
	if err != nil {
		return "", err
	}
	if most > free {
		return "", &connector.Error{
			Kind: connector.TooLarge,
			Msg:  fmt.Sprintf("needs %s of memory beside the graph, and %s are free", hostmem.FormatBytes(most), hostmem.FormatBytes(free)),
			Hint: "fewer threads (compute.threads) need less",
		}
	}
	return fmt.Sprintf("%d passes, at most %s of memory beside the graph", len(todo), hostmem.FormatBytes(most)), nil
}

// compute makes the columns of all measures, checks them, and keeps them on disk.
func (r *run) compute(ctx context.Context) (string, error) {
	start := r.Now()
	for _, p := range r.passes {
		if err := r.computePass(ctx, p); err != nil {
			return "", fmt.Errorf("%s: %w", p.measure.Name, err)
		}
	}
	if !r.options.DryRun {
		if err := r.state.saveScores(computed{Run: r.record, Columns: r.columns}); err != nil {
			return "", err
		}
	}
	if spent := r.Now().Sub(start).Seconds(); spent > 0 {
		r.record.Gteps = r.traversed / spent / 1e9
	}
	return fmt.Sprintf("%s, %s", r.record.Device, r.record.Reason), nil
}

func (r *run) computePass(ctx context.Context, p pass) error {
	q := kernels.Request{Params: p.params, Threads: r.job.Compute.Threads}
	q.Nodes, q.Edges = p.wants()
	g := r.snapshot.Graph
	if n := r.job.Compute.Sample; n > 0 && n < g.N() && p.measure.BySource {
		q.Sources = kernels.DrawSources(g.N(), n, r.job.Compute.Seed)
		q.Scale = float64(g.N()) / float64(n)
	}
	q.Progress = func(done, total int) { r.Reporter.Progress(int64(done), int64(total), p.measure.Name+" sources") }
	device := gpu.Policy(r.job.Compute.Device)
	if r.options.Device != "" {
		device = r.options.Device
	}
	out, err := r.Engine.Compute(ctx, gpu.Task{
		Measure: p.measure.Name, Request: q, Snapshot: r.snapshot, Path: r.state.graph(), Device: device,
		Strategy: r.job.Compute.Strategy, Precision: r.job.Compute.Precision,
	})
	if err != nil {
		return err
	}
	if err := kernels.Check(p.measure, g, q, out.Scores); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if r.record.Device == "" || p.measure.BySource { // a degree needs no device: it says nothing about the run
		r.record.Device, r.record.Strategy, r.record.Reason = out.Device, out.Strategy, out.Reason
	}
	if p.measure.BySource {
		searches := float64(g.N())
		if q.Sources != nil {
			searches = float64(len(q.Sources))
		}
		r.traversed += searches * float64(g.M())
	}
	if out.Scores.Ties != "" {
		r.record.Ties = out.Scores.Ties
	}
	return r.addColumns(p, out.Scores)
}

func (r *run) addColumns(p pass, s *kernels.Scores) error {
	for _, m := range p.outputs {
		if m.Nodes != "" {
			r.columns = append(r.columns, connector.Column{On: connector.OnNodes, Property: m.Nodes, Values: s.Nodes})
		}
		if m.Relationships != "" {
			// Edge scores have passed Check; the sum of two of them can still overflow.
			values := r.snapshot.Rels.Spread(s.Edges, p.measure.EdgeSums)
			for i, x := range values {
				if math.IsInf(x, 0) {
					return fmt.Errorf("check: score %d of %s is %v", i, m.Relationships, x)
				}
			}
			r.columns = append(r.columns, connector.Column{On: connector.OnRelationships, Property: m.Relationships, Values: values})
		}
	}
	return nil
}

// resumeScores takes the scores that an earlier run computed for this very graph and these settings.
func (r *run) resumeScores() error {
	c, err := r.state.loadScores()
	if err != nil {
		return err
	}
	if c.Run.Graph != r.record.Graph || c.Run.Config != r.record.Config {
		return errors.New("the computed scores on disk belong to another graph or other settings: run without --from write")
	}
	r.columns = c.Columns
	r.record.Device, r.record.Strategy, r.record.Reason, r.record.Ties = c.Run.Device, c.Run.Strategy, c.Run.Reason, c.Run.Ties
	return nil
}

// write stores the scores. The record says "unfinished" from before the first write until after the last, so that a
// process or a server that dies in between leaves the truth behind.
func (r *run) write(ctx context.Context) (string, error) {
	r.record.Status = connector.Unfinished
	if err := r.save(ctx); err != nil {
		r.record.Status = connector.Running
		return "", err
	}
	w := r.job.Write
	o := connector.WriteOptions{
		Job: r.job.Name, Run: r.record.ID, Projection: r.projection, OnlyChanged: -1, ClearStale: true, Batch: w.Batch,
		Lease: r.lease, Force: r.options.Force,
	}
	if w.OnlyChanged != nil {
		o.OnlyChanged = *w.OnlyChanged
	}
	if w.ClearStale != nil {
		o.ClearStale = *w.ClearStale
	}
	stats, err := r.Database.Write(ctx, r.snapshot, r.columns, o, func(done, expected int64) {
		r.Reporter.Progress(done, expected, "entities")
	})
	r.record.Write = stats
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d scored entities written, %d unchanged, %d gone since the export, %d stale scores removed",
		stats.Written, stats.Unchanged, stats.Missing, stats.Cleared), nil
}
