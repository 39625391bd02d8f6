package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
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
	if err := checkQueryWeights(r.job, s); err != nil {
		return "", err
	}
	r.describe(s)
	r.record.ReadRate = rate(r.record.Nodes+r.record.Relationships, r.Now().Sub(start))
	r.fresh = r.state.fresh(r.record.ID)
	if err := export.WritePrivateSnapshot(r.fresh, s); err != nil {
		return "", fmt.Errorf("keep the snapshot: %w", err)
	}
	if file, err := os.Stat(r.fresh); err == nil {
		r.record.SnapshotBytes = file.Size()
	}
	return r.sizes(), nil
}

// keepGraph puts the snapshot into the place of the last run's. Until this run has the lock, another one may read that.
func (r *run) keepGraph() error {
	if r.fresh == "" {
		return nil
	}
	if err := os.Rename(r.fresh, r.state.graph()); err != nil {
		return fmt.Errorf("keep the snapshot: %w", err)
	}
	r.fresh = ""
	return nil
}

// dropGraph removes the snapshot of a run that ended before it had the lock. Where the job has no other snapshot, it
// keeps this one.
func (r *run) dropGraph() {
	if r.fresh == "" {
		return
	}
	if _, err := os.Stat(r.state.graph()); errors.Is(err, fs.ErrNotExist) && r.keepGraph() == nil {
		return
	}
	_ = os.Remove(r.fresh)
}

// rate is how many a second; 0 when no time was seen to pass.
func rate(count int64, spent time.Duration) float64 {
	if spent <= 0 {
		return 0
	}
	return float64(count) / spent.Seconds()
}

// checkQueryWeights refuses a weighted measure of a relationshipQuery without weights, which the config could not tell.
func checkQueryWeights(job config.Job, s *export.Snapshot) error {
	if job.Graph.RelationshipQuery == "" || s.Graph.Weights != nil {
		return nil
	}
	for _, m := range job.Measures {
		if spec, _ := kernels.Lookup(m.Measure); m.Weighted || spec.Weights == kernels.RequiredWeights {
			return &connector.Error{
				Kind: connector.BadQuery, Msg: fmt.Sprintf("%s needs weights, and relationshipQuery returns none", m.Measure),
				Hint: "let it return a column AS weight, or write weighted: false",
			}
		}
	}
	return nil
}

func (r *run) openSnapshot() (string, error) {
	m, err := export.OpenSnapshot(r.graphFile())
	if err != nil {
		return "", fmt.Errorf("no snapshot to start from: %w", err)
	}
	r.describe(m.Snapshot)
	return r.sizes() + ", from " + r.graphFile(), nil
}

// graphFile is the snapshot that the run starts from, or keeps.
func (r *run) graphFile() string { return cmp.Or(r.options.Graph, r.state.graph()) }

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
	for _, c := range r.record.Dropped.Causes() {
		text += fmt.Sprintf(", %d left out: %s", c.Count, c.What)
	}
	if n := r.record.Exports; n > 0 {
		text += fmt.Sprintf(", read %d times", n)
	}
	if r.record.Changed != "" {
		text += ", while the database changed: " + r.record.Changed
	}
	return text
}

// compute makes the columns of all measures, checks them, and keeps them on disk.
func (r *run) compute(ctx context.Context) (string, error) {
	start := r.Now()
	if e, ok := r.Engine.(rester); ok {
		defer e.Rest()
	}
	r.warnOfSamples(r.passes)
	r.forecast()
	for _, p := range r.passes {
		if err := r.computePass(ctx, p); err != nil {
			return "", fmt.Errorf("%s: %w", p.measure.Name, err)
		}
	}
	distances, err := r.distances(ctx)
	if err != nil {
		return "", err
	}
	if !r.options.DryRun && !r.options.NoWrite {
		if err := r.state.saveScores(computed{Run: r.record, Columns: r.columns, Cuts: r.cuts}); err != nil {
			return "", err
		}
		r.keepReuse()
	}
	if spent := r.Now().Sub(start).Seconds(); spent > 0 {
		r.record.Gteps = r.traversed / spent / 1e9
	}
	return Computed(computations(r.passes)...) + distances, nil
}

// dropCuts removes the journal of communities when a run has found its groups, unless a limit of time ended it: the
// next run then goes on from there.
func (r *run) dropCuts(found []connector.Grouping) {
	limited := func(g connector.Grouping) bool { return g.Limited }
	if r.records() && len(found) > 0 && !slices.ContainsFunc(found, limited) {
		os.Remove(r.state.cuts())
	}
}

// warnOfSamples warns of measures whose scores from a sample are biased, or take longer than exact ones, each once.
func (r *run) warnOfSamples(all []pass) {
	for _, p := range all {
		for _, text := range []string{p.work.Bias(), p.work.Instead()} {
			if text != "" {
				r.warnOnce(text)
			}
		}
	}
}

func (r *run) computePass(ctx context.Context, p pass) error {
	g, q, steps := r.snapshot.Graph, &p.work.Task.Request, "sources"
	if p.measure.Kind.Iterates() {
		steps = "iterations"
	}
	p.work.Task.Path = r.graphFile()
	if r.records() { // under the lock: nobody else writes the journal
		q.Journal, q.JournalOf = r.state.cuts(), r.record.Graph
	}
	q.Progress = func(done, total int) { r.Reporter.Progress(int64(done), int64(total), p.measure.Name+" "+steps) }
	err, follows := p.work.Compute(ctx, r.Engine), p.work.follows()
	if q.Shared = nil; err != nil {
		return r.showNodes(ctx, err)
	}
	out := p.work.Outcome
	if r.record.Device == "" || p.measure.OnDevices() { // a degree needs no device: it says nothing about the run
		r.record.Device, r.record.Strategy, r.record.Reason, r.record.Fallback = out.Device, out.Strategy, out.Reason,
			string(out.Fallback)
		r.record.Parts, r.record.Devices = int64(out.Parts()), int64(out.Devices)
	}
	if p.chosen != nil && !p.measure.Kind.Restarts() {
		r.notePairs(p.work)
	}
	if out.Devices > 0 && out.Remark != "" { // a device failed
		r.warn(out.Remark)
	}
	if p.measure.BySource && !follows {
		searches := float64(g.N())
		if q.Sources != nil {
			searches = float64(len(q.Sources))
		}
		r.traversed += searches * float64(g.M())
	}
	if out.Scores.Ties != "" {
		r.record.Ties = out.Scores.Ties
	}
	if e := p.work.Estimate; e != nil {
		r.record.Bounds = append(r.record.Bounds, connector.Bound{
			Measure: p.measure.Name, Error: e.Bound, Confidence: e.Confidence, Pairs: e.Pairs, Sources: int64(e.Sources),
			Exact: e.Exact,
		})
	}
	if top := q.Top; top != nil && out.Scores.Kept > *top {
		r.warn(fmt.Sprintf("%s: %d nodes are written for top %d: all that tie with the last of them", p.measure.Name,
			out.Scores.Kept, *top))
	}
	if d := out.Scores.Reduction; d != nil {
		r.record.Reductions = append(r.record.Reductions, connector.Reduction{
			Measure: p.measure.Name, Taken: d.Taken, WorkRatio: d.WorkRatio, Searched: d.Searched, Seconds: d.Seconds,
			Reason: d.Reason,
		})
	}
	r.noteReuse(p)
	Draw(&r.record, p.measure.Name, r.snapshot, out.Scores, InRecords)
	if c := out.Scores.Grouping; c != nil {
		r.addGrouping(p.measure.Name, c)
		if err := cmp.Or(r.addSupernodes(p, c), r.addDendrogram(p, c)); err != nil {
			return err
		}
	}
	if c := out.Scores.Convergence; c != nil {
		r.record.Convergences = append(r.record.Convergences, connector.Convergence{
			Measure: p.measure.Name, Iterations: int64(c.Iterations), Residual: c.Residual,
		})
	}
	if s := out.Scores.Solution; s != nil {
		r.addSolution(p.measure.Name, s)
	}
	if b := out.Scores.Backbone; b != nil {
		r.record.Backbones = append(r.record.Backbones, BackboneOf(p.measure.Name, b))
		if warning := ExcessOf(b); warning != "" {
			r.warn(p.measure.Name + ": " + warning)
		}
	}
	return r.addColumns(p, out.Scores)
}

func (r *run) addGrouping(measure string, c *kernels.Grouping) {
	r.record.Groupings = append(r.record.Groupings, connector.Grouping{
		Measure: measure, Groups: int64(c.Count), Components: int64(c.Components), Modularity: c.Modularity,
		Cuts: int64(c.Cuts), Merges: int64(len(c.Merges)), Limited: c.Limited, Resumed: int64(c.Resumed),
		Levels: int64(c.Levels), Unsettled: int64(c.Unsettled),
	})
	if c.Unsettled > 0 {
		r.warn(fmt.Sprintf("%s: stopped before %d nodes were settled; raise iterations", measure, c.Unsettled))
	}
	if c.Limited {
		r.warn(fmt.Sprintf("%s: stopped at the limit of time, after %d cuts", measure, c.Cuts))
	}
}

func (r *run) addSolution(measure string, s *kernels.Solution) {
	r.record.Solutions = append(r.record.Solutions, connector.Solution{
		Measure: measure, Systems: int64(s.Systems), Iterations: int64(s.Iterations), Residual: s.Residual,
		Drawn: int64(s.Drawn), Error: s.Error, Delta: s.Delta,
	})
	if s.Drawn > 0 {
		r.warn(fmt.Sprintf("%s: estimated from %d draws: scores have an error of %g at most, with a probability of %g",
			measure, s.Drawn, s.Error, 1-s.Delta))
	}
}

// showNodes adds to an error about nodes how to look at them, where the database can tell.
func (r *run) showNodes(ctx context.Context, err error) error {
	var about *export.NodesError
	if !errors.As(err, &about) {
		return err
	}
	shower, ok := r.Database.(Shower)
	if !ok {
		return err
	}
	return &connector.Error{Kind: connector.BadData, Msg: err.Error(),
		Hint: "look at them: " + shower.ShowNodes(ctx, r.snapshot.Nodes.Pick(about.Nodes...))}
}

// boundsOf returns the bounds on the errors of scores in their places: 0 of exact scores, and null where a run was told
// to draw a sample that has none.
func boundsOf(c *Computation, of *kernels.Scores) *kernels.Scores {
	if e := c.Estimate; e != nil {
		return &kernels.Scores{Nodes: e.Nodes, Edges: e.Edges}
	}
	bound := 0.0
	if c.Task.Request.Sources != nil || c.Adaptive != nil {
		bound = math.NaN()
	}
	return &kernels.Scores{
		Nodes: slices.Repeat([]float64{bound}, len(of.Nodes)), Edges: slices.Repeat([]float64{bound}, len(of.Edges)),
	}
}

func (r *run) addColumns(p pass, scores *kernels.Scores) error {
	nodeGroups, edgeGroups := p.measure.NumbersGroups(p.params)
	for _, m := range p.outputs {
		s := scores
		if m.TakesBound() {
			s = boundsOf(p.work, scores)
		}
		if m.Nodes != "" {
			r.columns = append(r.columns,
				connector.Column{On: connector.OnNodes, Property: m.Nodes, Groups: nodeGroups, Values: s.Nodes})
		}
		if m.Relationships != "" {
			// Edge scores have passed Check; the sum of two of them can still overflow.
			values := r.snapshot.Rels.Spread(s.Edges, p.measure.BothEdges(p.params))
			for i, x := range values {
				if math.IsInf(x, 0) {
					return fmt.Errorf("check: %s of relationship %s overflows float64", m.Relationships, idOf(r.snapshot.Rels.IDs, i))
				}
			}
			r.columns = append(r.columns,
				connector.Column{On: connector.OnRelationships, Property: m.Relationships, Groups: edgeGroups, Values: values})
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
	todo, err := passes(r.job.Measures)
	if err != nil {
		return err
	}
	for i := range todo {
		todo[i].chosen = r.chosen[choice(todo[i].outputs[0])]
		todo[i].work = r.computation(todo[i])
	}
	r.warnOfSamples(todo)
	r.columns = c.Columns
	r.record.Device, r.record.Strategy, r.record.Reason, r.record.Ties = c.Run.Device, c.Run.Strategy,
		c.Run.Reason, c.Run.Ties
	r.record.Fallback, r.record.Reductions, r.record.Ways = c.Run.Fallback, c.Run.Reductions, c.Run.Ways
	r.record.Parts, r.record.Devices, r.record.Reuses = c.Run.Parts, c.Run.Devices, c.Run.Reuses
	r.record.Distances, r.record.Groupings, r.record.Convergences = c.Run.Distances, c.Run.Groupings, c.Run.Convergences
	r.record.Pairs, r.record.Solutions, r.record.Backbones, r.record.Bounds = c.Run.Pairs, c.Run.Solutions,
		c.Run.Backbones, c.Run.Bounds
	r.record.Supernodes, r.record.Dendrogram, r.cuts = c.Run.Supernodes, c.Run.Dendrogram, c.Cuts
	r.record.Bundles, r.record.Simplified = c.Run.Bundles, c.Run.Simplified
	return r.resumeDistances()
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
	r.record.WriteRate = rate(stats.Written+stats.Unchanged+stats.Missing+stats.Refused, r.Now().Sub(start))
	if err != nil {
		return "", err
	}
	if stats.Missing > 0 && r.projection.OnChange != connector.IgnoreChange {
		r.warn(counted(stats.Missing, "score") + " not written: the node or relationship was gone")
	}
	if stats.Refused > 0 && r.projection.OnChange != connector.IgnoreChange {
		r.warn(counted(stats.Refused, "node") +
			" got no scores: a new node may have the id of a deleted one (graph.key tells nodes apart)")
	}
	return written(stats), nil
}

// written describes a write.
func written(s connector.WriteStats) string {
	refused := ""
	if s.Refused > 0 {
		refused = fmt.Sprintf(", %d nodes refused", s.Refused)
	}
	return fmt.Sprintf("%d scored entities written, %d unchanged, %d gone since the export%s, %d stale scores removed",
		s.Written, s.Unchanged, s.Missing, refused, s.Cleared)
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
