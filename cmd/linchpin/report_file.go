package main

import (
	"context"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/internal/report"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// reportFile computes the measures of a graph in a file and makes the report of them.
func reportFile(c *cobra.Command, a *app, o *reportOptions, path string) error {
	if o.run != "" {
		return usagef("--run is of jobs, and %s is a file", path)
	}
	given := map[string]bool{}
	c.Flags().Visit(func(f *pflag.Flag) { given[f.Name] = true })
	each, specs, err := eachMeasure(o, given)
	if err != nil {
		return err
	}
	session := engine.NewSession()
	defer session.Close()
	r := report.Report{Title: filepath.Base(path), Made: time.Now(), Selection: fileSelection(o, path)}
	r.Run = connector.Run{Status: connector.Succeeded, Started: time.Now(), Version: version, Host: hostname(),
		Seconds: map[string]float64{}}
	f := &fileReport{app: a, report: &r, path: path}
	for i := range each {
		if err := f.add(c.Context(), &each[i], specs[i], session); err != nil {
			return err
		}
	}
	r.Run.Finished = time.Now()
	jobs.Describe(&r.Run, f.last.snapshot, f.columns)
	return a.writeReport(o.out, r)
}

// eachMeasure checks the options for each measure that --measure names, before anything is computed.
func eachMeasure(o *reportOptions, given map[string]bool) (each []computeOptions, specs []kernels.Measure, err error) {
	for _, name := range strings.Split(o.compute.measure, ",") {
		one := o.compute
		one.measure, one.look, one.given = strings.TrimSpace(name), true, given
		spec, err := one.check()
		if err != nil {
			return nil, nil, err
		}
		each, specs = append(each, one), append(specs, spec)
	}
	return each, specs, nil
}

func fileSelection(o *reportOptions, path string) []report.Fact {
	edges := "undirected"
	if o.compute.directed {
		edges = "directed, from src to dst"
	}
	return []report.Fact{{Name: "File", Value: path},
		{Name: "Edges", Value: edges + ", parallel ones: " + o.compute.parallel}}
}

// fileReport is a report under way: one computation for each measure.
type fileReport struct {
	*app
	report  *report.Report
	path    string
	columns []connector.Column
	last    *computation
}

// add computes a measure.
func (f *fileReport) add(ctx context.Context, o *computeOptions, spec kernels.Measure, session *engine.Session) error {
	c := newComputation(f.app, o, spec, f.path, session)
	if err := c.do(ctx); err != nil {
		return err
	}
	m := report.Measure{Measure: spec, Params: c.work.Task.Request.Params, Seed: o.seed}
	if sources := c.work.Task.Request.Sources; sources != nil {
		m.Sampled = int64(len(sources))
	}
	nodeGroups, edgeGroups := spec.NumbersGroups(m.Params)
	if scores := c.work.Outcome.Scores.Nodes; scores != nil {
		m.Nodes = spec.Name
		f.columns = append(f.columns,
			connector.Column{On: connector.OnNodes, Property: m.Nodes, Groups: nodeGroups, Values: scores})
	}
	if c.edges != nil {
		m.Relationships = spec.Name
		f.columns = append(f.columns,
			connector.Column{On: connector.OnRelationships, Property: m.Relationships, Groups: edgeGroups, Values: c.edges})
	}
	f.report.Measures = append(f.report.Measures, m)
	f.record(c)
	jobs.Draw(&f.report.Run, spec.Name, c.snapshot, c.work.Outcome.Scores, jobs.InReports)
	f.last = c
	return nil
}

// record notes what the computation says of the graph and of the device.
func (f *fileReport) record(c *computation) {
	run, g, out := &f.report.Run, c.snapshot.Graph, c.work.Outcome
	run.Graph, run.Dropped = c.snapshot.Digest(), c.snapshot.Dropped
	run.Nodes, run.Edges, run.Relationships = int64(g.N()), int64(g.M()), int64(c.snapshot.Rels.Len())
	run.Device, run.Strategy, run.Reason, run.Ties = out.Device, out.Strategy, out.Reason, out.Scores.Ties
	maps.Copy(run.Seconds, c.steps.Seconds)
	if bias := c.work.Bias(); bias != "" {
		run.Warnings = append(run.Warnings, bias)
	}
	if b := out.Scores.Backbone; b != nil {
		run.Backbones = append(run.Backbones, jobs.BackboneOf(c.spec.Name, b))
	}
	if r := out.Scores.Reduction; r != nil {
		run.Reductions = append(run.Reductions, reductionOf(c.spec, r))
	}
}

func reductionOf(m kernels.Measure, r *kernels.Reduction) connector.Reduction {
	return connector.Reduction{Measure: m.Name, Taken: r.Taken, WorkRatio: r.WorkRatio, Searched: r.Searched,
		Seconds: r.Seconds, Reason: r.Reason}
}
