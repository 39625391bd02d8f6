package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/jobs"
)

func newExportCommand(a *app) *cobra.Command {
	out := ""
	c := &cobra.Command{
		Use:     "export JOB",
		GroupID: groupFiles,
		Short:   "Export a job's graph into a snapshot file that compute and pyarrow can read",
		Long: `Exports the subgraph of a job into an Arrow IPC file: one row a node, with its arcs and the
relationships that start at it as lists. "linchpin compute FILE" reads it, and so does pyarrow.
The database is only read.` + exitSection(statusDone, statusFailed, statusUsage, statusUnreachable, statusInterrupted),
		Example: `  linchpin export hubs --out hubs.arrow`,
		Args:    oneArg("JOB"),
		RunE: func(c *cobra.Command, names []string) error {
			if out == "" {
				out = names[0] + ".arrow"
			}
			if err := checkSnapshotFile(out); err != nil {
				return err
			}
			return a.withJobs(c.Context(), names,
				func(ctx context.Context, _ *config.Config, db *neo4j.DB, found []config.Job) error {
					return runExport(ctx, a, db, found[0], out)
				})
		},
		ValidArgsFunction: a.completeJobs,
	}
	c.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write, .arrow (default JOB.arrow)")
	return c
}

// checkSnapshotFile finds a file that could not be written after the export, or not be read again.
func checkSnapshotFile(path string) error {
	if filepath.Ext(path) != ".arrow" {
		return withHint(usagef("--out %s: a snapshot's name ends in .arrow", path),
			"linchpin compute tells formats by the extension")
	}
	return checkOutput("out", path)
}

func runExport(ctx context.Context, a *app, db *neo4j.DB, job config.Job, out string) error {
	reporter := newReporter(a)
	reporter.Begin(job.Name, jobs.Export)
	projection := jobs.Projection(job.Graph)
	s, err := db.Export(ctx, projection, func(done, expected int64) {
		reporter.Progress(done, expected, "relationships")
	})
	if err != nil {
		reporter.End(jobs.BadEnd(err))
		return err
	}
	reporter.End(fmt.Sprintf("%d nodes, %d edges", s.Graph.N(), s.Graph.M()))
	for _, text := range jobs.Omissions(projection, s) {
		reporter.Warn(text)
	}
	if err := export.WriteSnapshot(out, s); err != nil {
		return err
	}
	summary := struct {
		File          string         `json:"file"`
		Nodes         int            `json:"nodes"`
		Relationships int            `json:"relationships"`
		Edges         int            `json:"edges"`
		Directed      bool           `json:"directed"`
		Weighted      bool           `json:"weighted"`
		Dropped       export.Dropped `json:"dropped"`
		Digest        string         `json:"digest"`
	}{out, s.Graph.N(), s.Rels.Len(), s.Graph.M(), s.Graph.Directed, s.Graph.Weights != nil, s.Dropped, s.Digest()}
	if a.json {
		return a.printJSON(summary)
	}
	fmt.Fprintf(a.stdout, "%s: %d nodes, %d relationships, %d edges\n", out, summary.Nodes, summary.Relationships,
		summary.Edges)
	return nil
}
