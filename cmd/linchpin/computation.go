package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// computation is one run of compute FILE: load, plan, compute, write.
type computation struct {
	*app
	options *computeOptions
	spec    kernels.Measure
	path    string
	report  jobs.Reporter
	engine  *engine.Session

	snapshot *export.Snapshot
	request  kernels.Request
	ranking  *engine.Ranking
	outcome  *engine.Outcome
	estimate *cpu.Estimate   // of a sample with a bound
	adaptive *adaptiveResult // of an adaptive sample
	edges    []float64       // one score a row of the input, in the order of Snapshot.Rels
	seconds  seconds
}

// seconds are the times of the steps. Compute includes Preprocess. Start is that of a GPU's worker, up to its first kernel: what
// comes before Compute, and the beginning of that.
type seconds struct {
	Start      float64 `json:"start,omitempty"`
	Load       float64 `json:"load"`
	Plan       float64 `json:"plan"`
	Preprocess float64 `json:"preprocess"`
	Compute    float64 `json:"compute"`
	Write      float64 `json:"write"`
}

// computationStep is one of the steps of a computation, and where its time goes.
type computationStep struct {
	name    jobs.Step
	do      func(context.Context) (string, error)
	seconds *float64
}

func (c *computation) do(ctx context.Context) error {
	steps := []computationStep{{"load", c.load, &c.seconds.Load}, {jobs.Plan, c.plan, &c.seconds.Plan}}
	if c.options.dryRun {
		return c.steps(ctx, steps)
	}
	steps = append(steps, computationStep{jobs.Compute, c.compute, &c.seconds.Compute})
	if c.options.nodesOut != "" || c.options.edgesOut != "" {
		steps = append(steps, computationStep{jobs.Write, c.write, &c.seconds.Write})
	}
	return c.steps(ctx, steps)
}

// steps does the steps one after the other.
func (c *computation) steps(ctx context.Context, steps []computationStep) error {
	for _, step := range steps {
		c.report.Begin(filepath.Base(c.path), step.name)
		start := time.Now()
		summary, err := c.step(ctx, step.name, step.do)
		*step.seconds = time.Since(start).Seconds()
		if err != nil {
			return err
		}
		c.report.End(summary)
	}
	if c.outcome != nil && c.outcome.Compute > 0 { // without the checks of the scores, which are no part of a rate
		c.seconds.Compute, c.seconds.Preprocess = c.outcome.Compute, c.outcome.Preprocess
		c.seconds.Start = c.outcome.Start
	}
	return nil
}

// load reads the file and gives up when the graph outgrows the memory.
func (c *computation) load(ctx context.Context) (string, error) {
	o := c.options
	rel := connector.Relationship{Parallel: export.Parallel(o.parallel), Orientation: export.Undirected}
	if o.directed {
		rel.Orientation = export.Natural
	}
	if o.Weighted || c.spec.Weights == kernels.RequiredWeights {
		rel.Weight = file.WeightColumn
	}
	free, err := hostmem.Available()
	if err != nil {
		return "", asUsage(err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	source := &file.Source{Path: c.path}
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
	summary := fmt.Sprintf("%s, %s", counted(s.Graph.N(), "node"), counted(s.Graph.M(), "edge"))
	if skipped := s.Dropped.ZeroWeight; skipped > 0 {
		summary += fmt.Sprintf("; %s of weight 0 left out", counted(int(skipped), "edge"))
	}
	return summary, nil
}

// loadBytes is the memory that an edge of the input takes while the graph is built: columns, their sorted copies and
// the CSR buffers of both directions. It is the least that is live at once; with what the garbage collector leaves lying,
// 105 to 125 bytes were measured (4 million edges, 500,000 nodes).
const loadBytes = 64

// plan finds the sources and refuses what would not fit.
func (c *computation) plan(ctx context.Context) (string, error) {
	g := c.snapshot.Graph
	c.request = c.options.request(c.spec)
	var err error
	if !c.options.adapts() { // which draws its own
		if c.request.Sources, c.request.Scale, err = c.options.resolveSources(c.snapshot); err != nil {
			return "", err
		}
	}
	free, err := hostmem.Available()
	if err != nil {
		return "", asUsage(err)
	}
	more := int64(0)
	if g.Directed { // the transpose
		more += g.Bytes()
	}
	if c.options.approximates() || c.options.adapts() {
		return c.planSample(free, more+c.approximateBytes())
	}
	if c.ranking, err = c.engine.Rank(ctx, c.task(c.request), free-more); err != nil {
		return "", c.inFile(err)
	}
	first := c.ranking.First()
	if first == nil && len(c.ranking.Ways) > 0 {
		return "", c.doesNotFit(c.ranking.Least()+more, free)
	}
	if first == nil { // a GPU that is missing is for the computation to report
		return "on a GPU", nil
	}
	return fmt.Sprintf("%s of memory in addition to the graph; %s", hostmem.FormatBytes(first.HostBytes+more), c.ranking), nil
}

// planSample refuses a sample with a bound, or an adaptive one, that does not fit. It takes more bytes besides.
func (c *computation) planSample(free, more int64) (string, error) {
	g := c.snapshot.Graph
	c.request.Reduce = kernels.ReduceOff // it samples
	size := kernels.Size{Nodes: int64(g.N()), Edges: int64(g.M()), Directed: g.Directed}
	var need int64
	c.request, need = cpu.Fit(c.spec, size, c.request, free-more)
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
	return engine.Task{
		Measure: c.spec.Name, Request: r, Snapshot: c.snapshot, Device: engine.Policy(o.device), Strategy: o.strategy,
		Precision: o.precision, Ranking: c.ranking,
	}
}

// tooLarge says what needs how much memory, and how much there is.
func tooLarge(what string, need, free int64) error {
	return &connector.Error{Kind: connector.TooLarge, Msg: fmt.Sprintf(
		"%s needs %s of memory, and %s are free", what, hostmem.FormatBytes(need), hostmem.FormatBytes(free))}
}

// compute computes the scores and checks them.
func (c *computation) compute(ctx context.Context) (string, error) {
	o := c.options
	r := c.request
	r.Progress = func(done, total int) { c.report.Progress(int64(done), int64(total), "sources") }
	var out *engine.Outcome
	var err error
	switch {
	case o.approximates():
		out, err = c.approximate(ctx, r)
	case o.adapts():
		out, err = c.sampleAdaptively(ctx, r)
	default:
		out, err = c.engine.Compute(ctx, c.task(r))
	}
	if err != nil {
		return "", c.inFile(err)
	}
	if err := out.Check(c.spec, c.snapshot.Graph, c.request); err != nil {
		return "", c.inFile(err)
	}
	c.outcome = out
	if out.Scores.Edges != nil {
		c.edges = c.snapshot.Rels.Spread(out.Scores.Edges, c.spec.BothEdges(c.request.Params))
	}
	if bias := c.bias(); bias != "" {
		return out.Summary() + "; " + bias, nil
	}
	return out.Summary(), nil
}

// bias is that of scores from a drawn sample; "" when there is none.
func (c *computation) bias() string {
	if c.request.Scale == 0 || c.request.Scale == 1 {
		return ""
	}
	return c.spec.SampleBias(c.request.Params)
}

// inFile names the file and its nodes in an error of computing; what a device or an interrupt is to blame for stays as it is.
func (c *computation) inFile(err error) error {
	if reason, _ := engine.ReasonOf(err); reason != "" || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%s: %w", c.path, export.NameNodes(err, c.snapshot.Nodes))
}

// write writes the files that the flags name.
func (c *computation) write(ctx context.Context) (string, error) {
	sink := &file.Sink{Nodes: c.options.nodesOut, Relationships: c.options.edgesOut}
	var columns []connector.Column
	if c.options.nodesOut != "" {
		columns = append(columns, connector.Column{On: connector.OnNodes, Property: "score", Values: c.outcome.Scores.Nodes})
	}
	if c.options.edgesOut != "" {
		columns = append(columns, connector.Column{On: connector.OnRelationships, Property: "score", Values: c.edges})
	}
	stats, err := sink.Write(ctx, c.snapshot, columns, connector.WriteOptions{}, func(done, expected int64) {
		c.report.Progress(done, expected, "rows")
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d scores", stats.Written), nil
}
