package jobs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

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
	start := r.Now()
	s, err := r.Database.Export(ctx, r.projection, func(done, expected int64) {
		r.Reporter.Progress(done, expected, "relationships")
	})
	if err != nil {
		return "", err
	}
	if err := s.Graph.Validate(); err != nil {
		return "", err
	}
	if err := r.checkQueryWeights(s); err != nil {
		return "", err
	}
	r.describe(s)
	r.record.ReadRate = rate(r.record.Nodes+r.record.Relationships, r.Now().Sub(start))
	if err := export.WriteSnapshot(r.state.graph(), s); err != nil {
		return "", fmt.Errorf("keep the snapshot: %w", err)
	}
	if file, err := os.Stat(r.state.graph()); err == nil {
		r.record.SnapshotBytes = file.Size()
	}
	if r.record.Relationships == 0 {
		r.Reporter.Note("no relationship joins two nodes of the graph, so that every score is that of a node alone")
	}
	return r.sizes(), nil
}

// rate is how many a second; 0 when no time was seen to pass.
func rate(count int64, spent time.Duration) float64 {
	if spent <= 0 {
		return 0
	}
	return float64(count) / spent.Seconds()
}

// checkQueryWeights refuses a weighted measure of a relationshipQuery without weights, which the config could not tell.
func (r *run) checkQueryWeights(s *export.Snapshot) error {
	if r.projection.RelationshipQuery.Text == "" || s.Graph.Weights != nil {
		return nil
	}
	for _, m := range r.job.Measures {
		if spec, _ := kernels.Lookup(m.Measure); m.Weighted || spec.Weights == kernels.RequiredWeights {
			return &connector.Error{
				Kind: connector.BadQuery, Msg: fmt.Sprintf("%s needs weights, and relationshipQuery returns none", m.Measure),
				Hint: "let it return a column AS weight",
			}
		}
	}
	return nil
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
	r.record.Changed, r.record.Exports = s.Read.Changed, 0
	if s.Read.Times > 1 {
		r.record.Exports = int64(s.Read.Times)
	}
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
	if n := r.record.Exports; n > 0 {
		text += fmt.Sprintf(", read %d times", n)
	}
	if r.record.Changed != "" {
		text += ", while the database changed: " + r.record.Changed
	}
	return text
}

// plan refuses what would not fit before anything is computed.
func (r *run) plan(context.Context) (string, error) {
	todo, err := passes(r.job.Measures)
	if err != nil {
		return "", err
	}
	free, err := r.Memory()
	if err != nil {
		return "", err
	}
	r.passes = todo
	size := kernels.Size{Nodes: r.record.Nodes, Edges: r.record.Edges, Directed: r.snapshot.Graph.Directed}
	var most int64
	note := ""
	for i := range todo {
		p := &todo[i]
		q := p.request(r.job.Compute)
		if err := p.measure.Check(q); err != nil {
			return "", err
		}
		fitted, need := p.measure.Fit(size, q, free)
		if fitted.Reduce != q.Reduce {
			note = fmt.Sprintf("; not reduced, which needs %s", hostmem.FormatBytes(p.measure.Bytes(size, q)))
		}
		p.reduce, most = fitted.Reduce, max(most, need)
	}
	if most > free {
		return "", &connector.Error{
			Kind: connector.TooLarge,
			Msg:  fmt.Sprintf("needs %s of memory beside the graph, and %s are free", hostmem.FormatBytes(most), hostmem.FormatBytes(free)),
			Hint: "fewer threads (compute.threads) need less, and so does compute.reduce: off",
		}
	}
	passes := "1 pass"
	if len(todo) != 1 {
		passes = fmt.Sprintf("%d passes", len(todo))
	}
	return fmt.Sprintf("%s, at most %s of memory beside the graph%s", passes, hostmem.FormatBytes(most), note), nil
}

// compute makes the columns of all measures, checks them, and keeps them on disk.
func (r *run) compute(ctx context.Context) (string, error) {
	start := r.Now()
	if e, ok := r.Engine.(rester); ok {
		defer e.Rest()
	}
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
	q := p.request(r.job.Compute)
	q.Reduce = p.reduce // as it fits into the memory
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
	if d := out.Scores.Reduction; d != nil {
		r.record.Reductions = append(r.record.Reductions, connector.Reduction{
			Measure: p.measure.Name, Taken: d.Taken, WorkRatio: d.WorkRatio, Searched: d.Searched, Seconds: d.Seconds, Reason: d.Reason,
		})
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
	r.record.Reductions = c.Run.Reductions
	return nil
}

// write stores the scores. The record says "unfinished" from before the first write until after the last, so that a
// process or a server that dies in between leaves the truth behind.
func (r *run) write(ctx context.Context) (string, error) {
	o := r.writeOptions()
	if err := r.Database.Await(ctx, o); err != nil {
		return "", err
	}
	r.record.Status = connector.Unfinished
	if err := r.save(ctx); err != nil {
		r.record.Status = connector.Running
		return "", err
	}
	start := r.Now()
	stats, err := r.Database.Write(ctx, r.snapshot, r.columns, o, func(done, expected int64) {
		r.Reporter.Progress(done, expected, "entities")
	})
	r.record.Write = stats
	r.record.WriteRate = rate(stats.Written+stats.Unchanged+stats.Missing, r.Now().Sub(start))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d scored entities written, %d unchanged, %d gone since the export, %d stale scores removed",
		stats.Written, stats.Unchanged, stats.Missing, stats.Cleared), nil
}

func (r *run) writeOptions() connector.WriteOptions {
	w := r.job.Write
	o := connector.WriteOptions{
		Job: r.job.Name, Run: r.record.ID, Projection: r.projection, OnlyChanged: -1, ClearStale: true, Batch: w.Batch,
		Lease: r.lease, Force: r.options.Force, Mode: connector.Mode(w.Mode), Drain: w.Drain,
	}
	if w.OnlyChanged != nil {
		o.OnlyChanged = *w.OnlyChanged
	}
	if w.ClearStale != nil {
		o.ClearStale = *w.ClearStale
	}
	return o
}
