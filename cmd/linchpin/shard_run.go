package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// fileSettings are what merge needs to read a graph in a file again, and to find its sources.
type fileSettings struct {
	File        string         `json:"file"`
	Measure     string         `json:"measure"`
	Params      kernels.Params `json:"params"`
	Directed    bool           `json:"directed,omitempty"`
	Parallel    string         `json:"parallel"`
	ZeroWeights string         `json:"zeroWeights"`
	WeightAs    string         `json:"weightAs,omitempty"`
	Header      bool           `json:"header,omitempty"`
	NoHeader    bool           `json:"noHeader,omitempty"`
	Sources     string         `json:"sources"`
	Targets     string         `json:"targets,omitempty"`
	Within      float64        `json:"within,omitempty"`
	Demand      string         `json:"demand,omitempty"`
	DemandOf    string         `json:"demandOf,omitempty"`
	Seed        int64          `json:"seed"`
	Reduce      string         `json:"reduce"`
	Strategy    string         `json:"strategy,omitempty"`
	Precision   string         `json:"precision,omitempty"`
	Nodes       bool           `json:"nodes,omitempty"`
	Edges       bool           `json:"edges,omitempty"`
}

// settings are those of flags and a file.
func (o *computeOptions) settings(path string) fileSettings {
	return fileSettings{
		File: path, Measure: o.measure, Params: o.Params, Directed: o.directed, Parallel: o.parallel,
		ZeroWeights: o.zeroWeights, WeightAs: o.weightAs, Header: o.header, NoHeader: o.noHeader, Sources: o.sources,
		Seed: o.seed, Reduce: o.reduce, Strategy: o.strategy, Precision: o.precision, Nodes: o.nodes, Edges: o.edges,
		Targets: o.pairs.targets, Within: o.pairs.longest(), Demand: o.pairs.demand, DemandOf: o.pairs.demandOf,
	}
}

// shardResult is what shard --json prints.
type shardResult struct {
	Part  string `json:"part"`
	Index int    `json:"index"`
	Of    int    `json:"of"`
	Job   string `json:"job,omitempty"`
	// Graph and Options are digests: equal for all parts of a run.
	Graph   string `json:"graph"`
	Options string `json:"options"`
	// By says how each measure was computed, and Left how many sources are left to the next step, which merge does.
	By      []parts.Way        `json:"by"`
	Left    int                `json:"left,omitempty"`
	Bytes   int64              `json:"bytes"`
	Seconds map[string]float64 `json:"seconds"`
}

// partRun is one run of shard.
type partRun struct {
	*app
	options *shardOptions
	session *engine.Session
	begun   time.Time
	about   parts.About
	found   []*parts.Found
	work    []*jobs.Computation
}

func newPartRun(a *app, o *shardOptions) (*partRun, error) {
	p, err := thisProgram()
	if err != nil {
		return nil, err
	}
	return &partRun{
		app: a, options: o, session: engine.NewSession(), begun: time.Now(),
		about: parts.About{Program: p, Index: o.index, Of: o.of},
	}, nil
}

// runShardOfFile computes a part of a graph in a file.
func runShardOfFile(ctx context.Context, a *app, o *shardOptions, path string) error {
	spec, err := o.compute.check()
	if err != nil {
		return err
	}
	p, err := newPartRun(a, o)
	if err != nil {
		return err
	}
	defer p.session.Close()
	if p.about.Settings, err = json.Marshal(o.compute.settings(path)); err != nil {
		return err
	}
	if err := o.await(ctx, path); err != nil {
		return err
	}
	c := newComputation(a, &o.compute, spec, path, p.session)
	compute := func(ctx context.Context) (string, error) {
		p.about.Graph = c.snapshot.Digest()
		p.work = []*jobs.Computation{&c.work}
		summary, err := p.compute(ctx)
		if err != nil {
			return "", c.inFile(err)
		}
		return summary, nil
	}
	if err := c.stepThrough(ctx, c.plan, compute); err != nil {
		return err
	}
	return p.write(ctx, &c.steps)
}

// await waits for the file of the graph. Whoever writes it gives it its name when it is complete.
func (o *shardOptions) await(ctx context.Context, path string) error {
	for deadline := time.Now().Add(o.wait); time.Now().Before(deadline); {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		if err := pause(ctx, deadline); err != nil {
			return err
		}
	}
	return nil
}

// lookEvery is the time between two looks at files that are waited for.
const lookEvery = time.Second

// pause waits until it is time for another look.
func pause(ctx context.Context, deadline time.Time) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(min(lookEvery, time.Until(deadline))):
		return nil
	}
}

// compute computes the part.
func (p *partRun) compute(ctx context.Context) (string, error) {
	var err error
	p.about, p.found, err = jobs.ComputePart(ctx, p.session, p.work, p.about)
	return strings.Join(append([]string{fmt.Sprintf("part %d of %d", p.about.Index, p.about.Of)}, p.places()...), ", "),
		err
}

// places names who computed, each once.
func (p *partRun) places() (all []string) {
	for _, t := range p.about.Tasks {
		if !slices.Contains(all, t.By.Place()) {
			all = append(all, t.By.Place())
		}
	}
	return all
}

// result is what the part is, for programs.
func (p *partRun) result(bytes int64, seconds map[string]float64) shardResult {
	r := shardResult{
		Part: p.options.out, Index: p.about.Index, Of: p.about.Of, Job: p.about.Job, Graph: p.about.Graph,
		Options: p.about.Options, Bytes: bytes, Seconds: seconds,
	}
	for i, t := range p.about.Tasks {
		r.By, r.Left = append(r.By, t.By), r.Left+p.about.Told[i].Left
	}
	return r
}

// write writes the file of the part, and prints what it is.
func (p *partRun) write(ctx context.Context, steps *jobs.Steps) error {
	var size int64
	err := steps.Do(ctx, jobs.Write, func(context.Context) (string, error) {
		if err := parts.Write(p.options.out, p.about, p.found); err != nil {
			return "", err
		}
		sweep(p.options.out, p.begun)
		if info, err := os.Stat(p.options.out); err == nil {
			size = info.Size()
		}
		return hostmem.FormatBytes(size), nil
	})
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(p.result(size, steps.Seconds))
	}
	_, err = fmt.Fprintf(p.stdout, "%s: part %d of %d, %s\n", p.options.out, p.about.Index, p.about.Of,
		hostmem.FormatBytes(size))
	return err
}

// runShardOfJob computes a part of a job of the config.
func runShardOfJob(ctx context.Context, a *app, o *shardOptions, name string) error {
	cfg, err := a.loadJobs(name)
	if err != nil {
		return err
	}
	found, err := findJobs(cfg, []string{name})
	if err != nil {
		return err
	}
	p, err := newPartRun(a, o)
	if err != nil {
		return err
	}
	defer p.session.Close()
	job := found[0]
	if o.graph == "" {
		o.graph = jobs.SnapshotFile(cfg.State, name)
	}
	if o.compute.given["threads"] {
		job.Compute.Threads = o.compute.threads
	}
	if err := o.await(ctx, o.graph); err != nil {
		return err
	}
	p.about.Job = name
	var several kernels.Measure // which the config names
	c := newComputation(a, &o.compute, several, name, p.session)
	load := func(context.Context) (string, error) { return p.openSnapshot(job, c.report) }
	for _, step := range []struct {
		name jobs.Step
		do   stepFunc
	}{{jobs.Load, load}, {jobs.Plan, p.plan}, {jobs.Compute, p.compute}} {
		if err := c.steps.Do(ctx, step.name, c.hurried(step.do)); err != nil {
			return err
		}
	}
	return p.write(ctx, &c.steps)
}

// openSnapshot opens the snapshot of a job.
func (p *partRun) openSnapshot(job config.Job, report jobs.Reporter) (string, error) {
	var device engine.Policy // of the config
	if p.options.compute.given["device"] {
		device = engine.Policy(p.options.compute.device)
	}
	m, err := export.OpenSnapshot(p.options.graph)
	if err != nil {
		return "", withHint(err, "linchpin export "+job.Name+
			" writes a snapshot; copy it to this machine and name it with --graph")
	}
	p.about.Graph = m.Digest()
	p.work, err = jobs.JobComputations(job, m.Snapshot, device)
	for _, w := range p.work {
		w.Task.Request.Progress = func(done,
			total int) {
			report.Progress(int64(done), int64(total), w.Measure.Name+" sources")
		}
	}
	return fmt.Sprintf("%s, %s", counted(m.Graph.N(), "node"), counted(m.Graph.M(), "edge")), err
}

// plan plans all computations of a job.
func (p *partRun) plan(ctx context.Context) (string, error) {
	free, err := hostmem.Available()
	if err != nil {
		return "", asUsage(err)
	}
	return jobs.PlanAll(ctx, p.session, p.work, free)
}
