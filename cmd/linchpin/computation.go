package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// computation is one run of compute FILE: load, plan, compute, write.
type computation struct {
	*app
	options *computeOptions
	spec    kernels.Measure
	path    string
	report  jobs.Reporter
	steps   jobs.Steps
	engine  *engine.Session
	merger  *jobs.Merger // of parts; nil where this process computes all
	nodes   *listening   // that compute too; nil for none

	snapshot *export.Snapshot
	work     jobs.Computation
	ranges   []rangeWork     // one for each of several ranges; work is the first. nil for one range or none
	adaptive *adaptiveResult // of an adaptive sample
	edges    []float64       // one score a row of the input, in the order of Snapshot.Rels
}

// newComputation prepares a run of a file.
func newComputation(a *app, o *computeOptions, spec kernels.Measure, path string, e *engine.Session) *computation {
	r := newReporter(a)
	return &computation{
		app: a, options: o, spec: spec, path: path, report: r, engine: e,
		steps: jobs.Steps{Of: filepath.Base(path), Reporter: r, Now: time.Now, Seconds: map[string]float64{}},
	}
}

// seconds are the times of the steps. Compute includes Preprocess. Start is that of a GPU's worker, up to its first
// kernel: what comes before Compute, and the beginning of that.
type seconds struct {
	Start      float64 `json:"start,omitempty"`
	Load       float64 `json:"load"`
	Plan       float64 `json:"plan"`
	Preprocess float64 `json:"preprocess"`
	Compute    float64 `json:"compute"`
	Write      float64 `json:"write"`
}

func (c *computation) do(ctx context.Context) error {
	o := c.options
	if err := c.stepThrough(ctx, c.plan, c.compute); err != nil || o.dryRun || !o.writes() {
		return err
	}
	return c.steps.Do(ctx, jobs.Write, c.write) // which cleans up after itself, so that it is waited for
}

// stepThrough does the steps up to the scores, or up to the plan for a dry run.
func (c *computation) stepThrough(ctx context.Context, plan, compute stepFunc) error {
	for _, step := range []struct {
		name jobs.Step
		do   stepFunc
	}{{jobs.Load, c.load}, {jobs.Plan, plan}, {jobs.Compute, compute}} {
		if step.name == jobs.Compute && c.options.dryRun {
			break
		}
		if err := c.steps.Do(ctx, step.name, c.hurried(step.do)); err != nil {
			return err
		}
	}
	return nil
}

// seconds returns the times of the steps. That to compute is without the checks of the scores, which are no part of a
// rate.
func (c *computation) seconds() seconds {
	all := c.steps.Seconds
	s := seconds{
		Load: all[string(jobs.Load)], Plan: all[string(jobs.Plan)],
		Compute: all[string(jobs.Compute)], Write: all[string(jobs.Write)],
	}
	if out := c.work.Outcome; out != nil && out.Compute > 0 {
		s.Compute, s.Preprocess, s.Start = out.Compute, out.Preprocess, out.Start
	}
	return s
}

// load reads the file and gives up when the graph outgrows the memory.
func (c *computation) load(ctx context.Context) (string, error) {
	o := c.options
	rel := connector.Relationship{Parallel: export.Parallel(o.parallel), Orientation: export.Undirected}
	if o.directed {
		rel.Orientation = export.Natural
	}
	if o.Weighted || c.spec.Weights == kernels.RequiredWeights {
		rel.Weight, rel.Strength = file.WeightColumn, o.weightAs == asStrength
	}
	free, err := hostmem.Available()
	if err != nil {
		return "", asUsage(err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	source := &file.Source{Path: c.path, Header: o.headerIn(), Note: c.report.Note}
	projection := connector.Projection{Relationships: []connector.Relationship{rel}, Weights: o.policy}
	s, err := source.Export(ctx, projection, func(done, expected int64) {
		if need := done * loadBytes; need > free {
			cancel(tooLarge(fmt.Sprintf("a graph of more than %d edges", done), need, free))
		}
		c.report.Progress(done, expected, "edges")
	})
	if err != nil {
		if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
			return "", cause
		}
		return "", err
	}
	if err := s.Graph.Validate(); err != nil {
		return "", fmt.Errorf("%s: %w", c.path, err)
	}
	c.snapshot = s
	runtime.GC() // what was read is garbage now, which would take room and time from the computation
	summary := fmt.Sprintf("%s, %s", counted(s.Graph.N(), "node"), counted(s.Graph.M(), "edge"))
	if skipped := s.Dropped.ZeroWeight; skipped > 0 {
		summary += fmt.Sprintf("; %s of weight 0 left out", counted(int(skipped), "edge"))
	}
	return summary, nil
}

// loadBytes is the memory that an edge of the input takes while the graph is built: columns, their sorted copies and
// the CSR buffers of both directions. It is the least that is live at once; with what the garbage collector leaves
// lying, 105 to 125 bytes were measured (4 million edges, 500,000 nodes).
const loadBytes = 64

// plan finds the sources and refuses what would not fit.
func (c *computation) plan(ctx context.Context) (string, error) {
	o := c.options
	request := o.request(c.spec)
	var err error
	if !o.adapts() { // which draws its own
		if request.Sources, request.Scale, err = o.resolveSources(c.snapshot); err != nil {
			return "", err
		}
		if err = o.resolvePairs(ctx, c.snapshot, &request); err != nil {
			return "", err
		}
		if err = cmp.Or(c.spec.Check(request), request.CheckPairs(c.snapshot.Graph.N())); err != nil {
			return "", asUsage(err)
		}
	}
	c.work = jobs.Computation{Measure: c.spec, Task: c.task(request)}
	c.split(ctx)
	if o.approximates() {
		c.work.Accuracy = o.accuracyOf()
		if err := c.work.Accuracy.CheckNodes(c.snapshot.Graph.N()); err != nil {
			return "", usagef("--sample-%v", err)
		}
	}
	free, err := hostmem.Available()
	if err != nil {
		return "", asUsage(err)
	}
	if o.adapts() {
		return c.planSample(free)
	}
	none := (*jobs.NoRoom)(nil)
	switch err := c.work.Plan(ctx, c.computes(), free); {
	case errors.As(err, &none):
		return "", c.doesNotFit(none.Need, none.Free)
	case err != nil:
		return "", c.inFile(err)
	}
	if o.dryRun {
		if err := c.work.Foresee(ctx, c.computes(), free); err != nil {
			return "", c.inFile(err)
		}
	}
	if c.nodes != nil {
		return jobs.Planned(&c.work) + "; " + c.nodes.engine.Shares(c.work.Task), nil
	}
	return jobs.Planned(&c.work), nil
}

// planSample refuses an adaptive sample that does not fit.
func (c *computation) planSample(free int64) (string, error) {
	g, r := c.snapshot.Graph, &c.work.Task.Request
	r.Reduce = kernels.ReduceOff // it samples
	size := kernels.Size{Nodes: int64(g.N()), Edges: int64(g.M()), Directed: g.Directed}
	more := c.work.TransposeBytes() + samples.Bytes(size, *r)
	var need int64
	*r, need = cpu.Fit(c.spec, size, *r, free-more)
	if need += more; need > free {
		return "", c.doesNotFit(need, free)
	}
	return fmt.Sprintf("%s of memory in addition to the graph", hostmem.FormatBytes(need)), nil
}

// doesNotFit is the error of a computation for which there is too little memory.
func (c *computation) doesNotFit(need, free int64) error {
	g := c.snapshot.Graph
	what := fmt.Sprintf("%s of %s and %s", c.spec.Name, counted(g.N(), "node"), counted(g.M(), "edge"))
	return withHint(tooLarge(what, need, free), "fewer --threads need less")
}

// task is what the engine is asked for.
func (c *computation) task(r kernels.Request) engine.Task {
	o := c.options
	policy, err := o.where()
	if err != nil { // not reached: it was checked
		policy = engine.Policy(o.device)
	}
	unit := "sources"
	if c.spec.Kind.Iterates() {
		unit = "iterations"
	}
	if c.spec.Kind == kernels.Communities {
		unit = "cuts"
		r.Journal, r.JournalOf = o.journal, c.snapshot.Digest()
	}
	r.Progress = func(done, total int) { c.report.Progress(int64(done), int64(total), unit) }
	return engine.Task{
		Measure: c.spec.Name, Request: r, Snapshot: c.snapshot, Device: policy, Strategy: o.strategy,
		Precision: o.precision, Shards: o.shards, Nodes: c.leastNodes(),
	}
}

// computes is what computes the scores: this machine, or nodes too.
func (c *computation) computes() jobs.Engine {
	if c.nodes != nil {
		return c.nodes.engine
	}
	return c.engine
}

func (c *computation) leastNodes() int {
	if c.nodes != nil {
		return engine.AnyNodes
	}
	return 0
}

// tooLarge says what needs how much memory, and how much there is.
func tooLarge(what string, need, free int64) error {
	return &connector.Error{Kind: connector.TooLarge, Msg: fmt.Sprintf(
		"%s needs %s of memory, and %s are free", what, hostmem.FormatBytes(need), hostmem.FormatBytes(free))}
}

// compute computes the scores.
func (c *computation) compute(ctx context.Context) (string, error) {
	if c.ranges != nil {
		return c.computeRanges(ctx)
	}
	var err error
	switch {
	case c.options.adapts():
		err = c.sampleAdaptively(ctx)
	case c.merger != nil:
		err = c.work.Compute(ctx, c.merger)
	default:
		err = c.work.Compute(ctx, c.computes())
	}
	if err != nil {
		return "", c.inFile(err)
	}
	out := c.work.Outcome
	if out.Scores.Edges != nil {
		c.edges = c.snapshot.Rels.Spread(out.Scores.Edges, c.spec.BothEdges(c.work.Task.Request.Params))
	}
	text := jobs.Computed(&c.work)
	for _, more := range []string{jobs.PairsOf(&c.work).String(), c.work.Bias()} {
		if more != "" {
			text += "; " + more
		}
	}
	return text, nil
}

// inFile names the file in an error of computing; what a device or an interrupt is to blame for stays as it is.
func (c *computation) inFile(err error) error {
	if reason, _ := engine.ReasonOf(err); reason != "" || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%s: %w", c.path, err)
}

// write writes the files that the flags name.
func (c *computation) write(ctx context.Context) (string, error) {
	sink := &file.Sink{Nodes: c.options.nodesOut, Relationships: c.options.edgesOut}
	snapshot, columns := c.columns()
	stats, err := sink.Write(ctx, snapshot, columns, connector.WriteOptions{}, func(done, expected int64) {
		c.report.Progress(done, expected, "rows")
	})
	if err != nil {
		return "", err
	}
	for _, output := range []struct {
		path  string
		write func(path string) error
	}{
		{c.options.backboneOut, c.writeBackbone}, {c.options.pictureOut, c.drawPicture},
		{c.options.dendrogramOut, c.writeDendrogram},
		{c.options.hierarchyOut, c.writeHierarchy},
	} {
		if output.path == "" {
			continue
		}
		if err := output.write(output.path); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d scores", stats.Written), nil
}

// columns returns the scores that files take, with the nodes that they list.
func (c *computation) columns() (snapshot *export.Snapshot, out []connector.Column) {
	add := func(property string, nodes, edges []float64) {
		if c.options.nodesOut != "" {
			out = append(out, connector.Column{On: connector.OnNodes, Property: property, Values: nodes})
		}
		if c.options.edgesOut != "" {
			out = append(out, connector.Column{On: connector.OnRelationships, Property: property, Values: edges})
		}
	}
	for _, r := range c.ranges {
		add(r.rangeName(scoreColumn), r.work.Outcome.Scores.Nodes, r.edges)
	}
	if c.ranges != nil {
		return c.snapshot, out
	}
	snapshot, scores := c.written()
	add(scoreColumn, scores, c.edges)
	return snapshot, out
}

// scoreColumn names the scores in a file.
const scoreColumn = "score"

// written returns the nodes that a file of scores lists, with their scores: all, or under --top those that have one. An
// array has all.
func (c *computation) written() (*export.Snapshot, []float64) {
	all, out := c.work.Outcome.Scores, *c.snapshot
	if all.Kept == 0 || strings.HasSuffix(strings.ToLower(c.options.nodesOut), ".npy") {
		return c.snapshot, all.Nodes
	}
	var scores []float64
	out.Nodes = export.IDs{}
	for v, score := range all.Nodes {
		switch {
		case math.IsNaN(score):
			continue
		case c.snapshot.Nodes.Ints != nil:
			out.Nodes.Ints = append(out.Nodes.Ints, c.snapshot.Nodes.Ints[v])
		default:
			out.Nodes.Texts = append(out.Nodes.Texts, c.snapshot.Nodes.Texts[v])
		}
		scores = append(scores, score)
	}
	return &out, scores
}
