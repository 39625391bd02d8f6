package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/jobs"
)

func newDropCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "drop JOB...",
		GroupID: groupDaily,
		Short:   "Remove a job's scores and its run records from the database",
		Long: `Removes every score that the job has written, by what its records say, the records themselves,
and requests for the job, in batches. The job need not stand in the config any more. Under write.mode inplace a
node keeps its scores if it has lost the labels that the job wrote on. Constraints and indexes on
linchpin's own labels stay, and so do files of the job in the state folder.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnfinished, statusLocked, statusUnreachable,
				statusInterrupted),
		Example: `  linchpin drop hubs`,
		Args:    someArgs("JOB"),
		RunE: func(c *cobra.Command, names []string) error {
			return a.withDatabase(c.Context(), func(ctx context.Context, _ *config.Config, db *neo4j.DB) error {
				return runDrop(ctx, a, db, names)
			})
		},
		ValidArgsFunction: a.completeJobs,
	}
}

func runDrop(ctx context.Context, a *app, db *neo4j.DB, names []string) error {
	reporter := newReporter(a)
	all := map[string]neo4j.Dropped{}
	var failed error
	for _, name := range names {
		if ctx.Err() != nil {
			failed = errors.Join(failed, ctx.Err())
			break
		}
		reporter.Begin(name, "drop")
		dropped, err := db.Drop(ctx, name, jobs.Owner(hostname(), "drop"), func(done, expected int64) {
			reporter.Progress(done, expected, "scores")
		})
		if err != nil {
			reporter.End(jobs.BadEnd(err))
			failed = errors.Join(failed, withHint(fmt.Errorf("drop %s: %w", name, err), hintOf(err)))
			continue
		}
		removed := fmt.Sprintf("removed %s, %s, %s", counted(int(dropped.NodeScores), "node score"),
			counted(int(dropped.RelationshipScores), "relationship score"), counted(int(dropped.Runs), "run record"))
		if dropped.Requests > 0 {
			removed += ", " + counted(int(dropped.Requests), "request")
		}
		reporter.End(removed)
		all[name] = dropped
		if !a.json {
			fmt.Fprintf(a.stdout, "%s: %s\n", name, removed)
		}
	}
	if a.json {
		failed = errors.Join(failed, a.printJSON(all))
	}
	return failed
}
