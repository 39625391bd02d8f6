package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
)

// mostGPUs is more than any machine or fleet has.
const mostGPUs = 4096

func (o *estimateOptions) addFlags(f *pflag.FlagSet) {
	o.compute.addTaskFlags(f)
	o.compute.device, o.compute.strategy = string(engine.Auto), "auto"
	o.compute.addThreadsFlag(f)
	addPrecisionFlag(f, &o.compute.precision)
	f.BoolVar(&o.compute.nodes, "nodes", false,
		"score nodes; the default where the measure scores nodes, unless --edges is given")
	f.BoolVar(&o.compute.edges, "edges", false, "score edges")
	f.IntVar(&o.gpus, "gpus", 0, "predict a run on 1, 2, 4 ... `N` GPUs")
}

func (o *estimateOptions) check() error {
	if o.compute.given["gpus"] && (o.gpus < 1 || o.gpus > mostGPUs) {
		return usagef("--gpus %d: from 1 to %d", o.gpus, mostGPUs)
	}
	if o.compute.measure != "" {
		return nil
	}
	for flag := range o.compute.given {
		if taskFlags().Lookup(flag) != nil {
			return withHint(usagef("--%s does not go with a job", flag),
				"set it in the config, or add --measure for a graph in a file")
		}
	}
	return nil
}

// taskFlags are the flags that a job has in the config instead.
func taskFlags() *pflag.FlagSet {
	var unused estimateOptions
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	unused.compute.addTaskFlags(f)
	unused.compute.addThreadsFlag(f)
	addPrecisionFlag(f, &unused.compute.precision)
	return f
}

// estimateResult is what estimate FILE --json prints.
type estimateResult struct {
	File    string           `json:"file"`
	N       int              `json:"n"`
	M       int              `json:"m"`
	Measure string           `json:"measure"`
	Ways    []plan.Candidate `json:"ways"`
	Scaling *jobs.Scaling    `json:"scaling,omitempty"`
}

// runEstimateOfFiles estimates a measure of graphs in files.
func runEstimateOfFiles(ctx context.Context, a *app, o *estimateOptions, paths []string) error {
	o.compute.dryRun = true
	spec, err := o.compute.check()
	if err != nil {
		return err
	}
	session := engine.NewSession()
	defer session.Close()
	for _, path := range paths {
		c := newComputation(a, &o.compute, spec, path, session)
		if err := c.stepThrough(ctx, c.plan, c.compute); err != nil {
			return err
		}
		if err := o.print(ctx, c, len(paths) > 1); err != nil {
			return err
		}
	}
	return nil
}

// print shows the ways to compute one file, and what GPUs give.
func (o *estimateOptions) print(ctx context.Context, c *computation, named bool) error {
	var scaling *jobs.Scaling
	if o.gpus > 0 {
		var err error
		if scaling, err = jobs.ScalingOf(ctx, c.engine, c.work.Task, o.gpus); err != nil {
			return c.inFile(err)
		}
	}
	if c.json {
		g := c.snapshot.Graph
		return c.printJSON(estimateResult{c.path, g.N(), g.M(), c.spec.Name, c.work.Ranking.Ways, scaling})
	}
	if err := c.printWays(named); err != nil || scaling == nil {
		return err
	}
	return c.printScaling(c.spec.Name, *scaling)
}

// printScaling shows what devices give for a measure.
func (a *app) printScaling(of string, s jobs.Scaling) error {
	if s.Problem != "" {
		fmt.Fprintf(a.stdout, "%s: %s\n", of, s.Problem)
		return nil
	}
	at := s.Scaling.Device
	if s.Table {
		at += " (no GPU here; rates of the table)"
	}
	fmt.Fprintf(a.stdout, "\n%s on %s: %s, %s of %s per device\n", of, at, s.Scaling.Way.Engine,
		hostmem.FormatBytes(s.Scaling.Way.DeviceBytes), hostmem.FormatBytes(s.Scaling.Memory))
	if misfit := s.Scaling.Way.Misfit; misfit != "" {
		fmt.Fprintf(a.stdout, "it does not fit: it %s\n", misfit)
	}
	if err := printPoints(a, s.Scaling.Points); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout, linear(s.Scaling))
	return nil
}
