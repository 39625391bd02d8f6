package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/internal/report"
)

// reportOptions are the flags of report. compute has those for a file.
type reportOptions struct {
	out, run string
	compute  computeOptions
}

func newReportCommand(a *app) *cobra.Command {
	var o reportOptions
	c := &cobra.Command{
		Use:     "report JOB|FILE",
		GroupID: groupDaily,
		Short:   "Write one HTML file about a job's scores, or about a graph in a file",
		Long: `Writes what a job or a file's measures are, the distributions and the highest scores, a map if nodes have
coordinates or a drawing of the backbone, the changes since the run before, and a paragraph on methods to cite. The file
needs no network and no other file.

A JOB's report is made from the record of its last successful run, or of --run. Its scores are not computed again.
A FILE is a graph, as compute reads it; it takes compute's options, and --measure may name several, with commas.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnreachable, statusNoGPU, statusTooLarge,
				statusInterrupted),
		Example: `  linchpin report hubs -o hubs.html
  linchpin report graph.csv --measure betweenness,degree`,
		Args: oneArg("JOB or FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			o.out = cmp.Or(o.out, filepath.Base(args[0])+".html")
			if err := checkReportFile(o.out); err != nil {
				return err
			}
			if o.compute.measure == "" && !isFile(args[0]) {
				return a.withJobs(c.Context(), args,
					func(ctx context.Context, _ *config.Config, db *neo4j.DB, found []config.Job) error {
						return reportJob(ctx, a, db, found[0], &o)
					})
			}
			return reportFile(c, a, &o, args[0])
		},
		ValidArgsFunction: a.completeJobs,
	}
	c.Flags().StringVarP(&o.out, "output", "o", "", "`FILE` to write (default JOB.html)")
	c.Flags().StringVar(&o.run, "run", "", "the run of this `ID` instead of the last successful one")
	o.compute.addFlags(c.Flags())
	for _, hidden := range []string{"nodes-out", "edges-out", "dry-run"} {
		_ = c.Flags().MarkHidden(hidden) // the flag exists: addFlags added it
	}
	if err := completeComputeFlags(c, &o.compute); err != nil {
		c.RunE = func(*cobra.Command, []string) error { return err }
	}
	return c
}

// isFile reports whether a name is that of a file rather than of a job.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() || strings.ContainsRune(name, filepath.Separator)
}

func checkReportFile(path string) error {
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".html" && ext != ".htm" {
		return withHint(usagef("--output %s: the name of a report ends in .html", path), "linchpin report writes HTML only")
	}
	return checkOutput("output", path)
}

// reportJob makes the report of a job's run from its record.
func reportJob(ctx context.Context, a *app, db *neo4j.DB, job config.Job, o *reportOptions) error {
	run, err := chooseRun(ctx, db, job.Name, o.run)
	if err != nil {
		return err
	}
	r := report.Report{Title: job.Name, Run: *run, Measures: measuresOf(job), Selection: selectionOf(job),
		Made: time.Now()}
	if r.Previous, err = runBefore(ctx, db, run); err != nil {
		return err
	}
	if len(r.Run.Scores) == 0 {
		r.Notes = append(r.Notes,
			"The record of this run has no summary of its scores. It is of an earlier version, or nothing was computed.")
	}
	return a.writeReport(o.out, r)
}

// recentRuns is the number of runs among which those with scores are looked for.
const recentRuns = 50

// chooseRun finds the last successful run that has scores, or the run with an id.
func chooseRun(ctx context.Context, db *neo4j.DB, job, id string) (*connector.Run, error) {
	if id != "" {
		run, err := db.Run(ctx, id)
		if err == nil && run.Job != job {
			return nil, withHint(usagef("run %s is one of job %s, not of %s", id, run.Job, job), "linchpin history "+job)
		}
		return run, err
	}
	last, err := db.LastSuccess(ctx, job)
	if err != nil || last != nil && len(last.Scores) > 0 {
		return last, err
	}
	runs, err := db.Runs(ctx, job, recentRuns)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.Status == connector.Succeeded && len(r.Scores) > 0 {
			return &r, nil
		}
	}
	switch {
	case last != nil:
		return last, nil
	case len(runs) > 0:
		return nil, withHint(usagef("no run of job %s has succeeded", job), "linchpin history "+job)
	}
	return nil, withHint(usagef("job %s has no runs", job), "linchpin run "+job)
}

// runBefore finds the successful run with scores before another one; nil when there is none.
func runBefore(ctx context.Context, db *neo4j.DB, run *connector.Run) (*connector.Run, error) {
	runs, err := db.Runs(ctx, run.Job, recentRuns)
	for _, r := range runs {
		if r.Started.Before(run.Started) && r.Status == connector.Succeeded && len(r.Scores) > 0 {
			return &r, err
		}
	}
	return nil, err
}

// writeReport writes a report, whole or not at all.
func (a *app) writeReport(path string, r report.Report) error {
	var b bytes.Buffer
	if err := report.Write(&b, r); err != nil {
		return err
	}
	temporary := path + ".tmp"
	if err := os.WriteFile(temporary, b.Bytes(), 0o644); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	if err := os.Rename(temporary, path); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	if a.json {
		return a.printJSON(map[string]any{"report": path, "bytes": b.Len()})
	}
	fmt.Fprintf(a.stdout, "%s, %d KB\n", path, (b.Len()+1023)/1024)
	return nil
}
