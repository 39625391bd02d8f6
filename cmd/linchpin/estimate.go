package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
)

// estimateOptions are the flags of estimate.
type estimateOptions struct {
	compute computeOptions
	gpus    int
}

func newEstimateCommand(a *app) *cobra.Command {
	var o estimateOptions
	c := &cobra.Command{
		Use:     "estimate JOB|FILE...",
		GroupID: groupDaily,
		Short:   "Say how large a run would be and how long it would take; writes nothing",
		Long: `Works out rows, memory and time of a run on this machine's CPU; nothing is written. A graph of up to
half a million nodes and relationships is read, and each computation is tried on it for some 0.3 s of
processor time, reductions included. Of a larger graph a part is looked at, ~ marks what is extrapolated,
and the computations are tried on a random graph of the same mean degree, without reductions: these are
only known after the export, and may make a run much faster. Times are those of idle processors.
Of a graph that was read, the ways to compute each measure follow, the fastest that fits first: what a
cost model predicts for the CPU and for a GPU, if there is one, with the memory that each needs.
Of a sample with a bound, how much it draws at least and at most comes before these, with the time, and whether
exact scores are computed instead. A few pairs are drawn for that.

With --measure, FILE is a graph in a file, in the formats of "linchpin compute". The whole file is read, and only the
ways to compute are listed.

For a job with compute.nodes, the time on 1, 2, 4 and 8 nodes like this machine follows, with the number of
shards; for "3..", on 3, 6, 12 and 24.

--gpus N adds what 1, 2, 4 ... N GPUs give: the time, where it stops being linear, and why. All are of the kind of this
machine's GPU, or NVIDIA H200 where there is none.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnreachable, statusTooLarge, statusInterrupted),
		Example: `  linchpin estimate hubs
  linchpin estimate roads.csv --measure betweenness --gpus 8`,
		Args: someArgs("JOB or FILE"),
		RunE: func(c *cobra.Command, names []string) error {
			o.compute.given = givenFlags(c.Flags())
			if err := o.check(); err != nil {
				return err
			}
			if o.compute.measure != "" {
				return runEstimateOfFiles(c.Context(), a, &o, names)
			}
			return a.withJobs(c.Context(), names,
				func(ctx context.Context, cfg *config.Config, db *neo4j.DB, todo []config.Job) error {
					return runEstimate(ctx, a, cfg, db, todo, o.gpus)
				})
		},
		ValidArgsFunction: a.completeFilesAndJobs,
	}
	o.addFlags(c.Flags())
	markResearch(c, "precision", "reduce")
	if err := completeComputeFlags(c, &o.compute); err != nil {
		c.RunE = func(*cobra.Command, []string) error { return err }
	}
	return c
}

func runEstimate(ctx context.Context, a *app, cfg *config.Config, db *neo4j.DB, todo []config.Job, gpus int) error {
	runner := a.runner(cfg, db, newReporter(a))
	estimates := []*jobs.Estimate{}
	for _, job := range todo {
		e, err := runner.Estimate(ctx, db, job)
		if err != nil {
			return err
		}
		if gpus > 0 {
			if err := runner.Scale(ctx, e, job, gpus); err != nil {
				return err
			}
		}
		estimates = append(estimates, e)
	}
	if a.json {
		return a.printJSON(withNodes(todo, estimates))
	}
	if err := a.printEstimates(estimates); err != nil {
		return err
	}
	for i, e := range estimates {
		for _, line := range remarks(todo[i], e) {
			fmt.Fprintf(a.stdout, "%s: %s\n", e.Job, line)
		}
		for _, f := range e.Forecasts {
			fmt.Fprintf(a.stdout, "%s: %s: %s\n", e.Job, f.Measure, f)
		}
		for _, w := range e.Ways {
			fmt.Fprintf(a.stdout, "%s: %s: %s\n", e.Job, w.Measure, w.Reason)
		}
		for _, s := range e.Scaling {
			if err := a.printScaling(e.Job+": "+s.Measure, s); err != nil {
				return err
			}
		}
		if err := a.printShared(e.Job, sharedBy(todo[i], e)); err != nil {
			return err
		}
	}
	return nil
}

// printEstimates prints a line per job.
func (a *app) printEstimates(estimates []*jobs.Estimate) error {
	t := &table{
		header: []string{"JOB", "NODES", "RELATIONSHIPS", "GRAPH", "COMPUTE NEEDS", "FREE", "EXPORT",
			"COMPUTE (CPU)", "WRITE"},
		right: []bool{false, true, true, true, true, true, true, true, true},
	}
	for _, e := range estimates {
		roughly := ""
		if !e.Exact {
			roughly = "~"
		}
		t.add(e.Job, roughly+fmt.Sprint(e.Nodes), roughly+fmt.Sprint(e.Relationships), hostmem.FormatBytes(e.GraphBytes),
			hostmem.FormatBytes(e.ComputeBytes), hostmem.FormatBytes(e.FreeBytes), about(e.Seconds["export"]), computeTime(e),
			about(e.Seconds["write"]))
	}
	return t.print(a.stdout)
}

// computeTime is the time of the computation, where it is known.
func computeTime(e *jobs.Estimate) string {
	seconds, known := e.Seconds["compute"]
	switch {
	case !e.Fits:
		return "does not fit"
	case !known:
		return "unknown"
	}
	return about(seconds)
}

// remarks are lines on what the numbers of an estimate rest on, and on what would help.
func remarks(job config.Job, e *jobs.Estimate) []string {
	var lines []string
	for _, problem := range e.Problems {
		lines = append(lines, "a run would fail: "+problem.Error())
	}
	lines = append(append(lines, e.Warnings...), e.Notes...)
	if e.Snapshot == nil && e.MayReduce(job) {
		lines = append(lines,
			"the time is that of a random graph without reductions; these are only known after the export, and may make the run much faster")
	}
	if s := e.Sample; s != nil {
		lines = append(lines,
			fmt.Sprintf("to take less, estimate the scores: compute.sample: %d searches from %d of %d nodes, in %s", s.Sources,
				s.Sources, e.Nodes, about(s.Seconds)))
	}
	return lines
}

// about rounds a time to what an estimate can know.
func about(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Second:
		return "< 1s"
	case d < time.Minute:
		return "~" + d.Round(time.Second).String()
	case d < 48*time.Hour:
		return "~" + d.Round(time.Minute).String()
	}
	return fmt.Sprintf("~%.0f days", d.Hours()/24)
}
