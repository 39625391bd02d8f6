package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/jobs"
)

func newRollbackCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "rollback JOB",
		GroupID: groupDaily,
		Short:   "Let readers see the scores of the run before the last again",
		Long: `Lets readers see the scores of the run before the last one again, nodes and relationships at
once, where the job's write.mode is ab or stamp. The other run is marked as withdrawn in the
history. It goes one run back, as far as scores are kept: until the next run begins to write.

A job that is rolled back is left alone until its graph or its settings change; run JOB
--recompute runs it all the same. The job need not stand in the config any more.` +
			exitSection(statusDone, statusFailed, statusUsage, statusLocked, statusUnreachable, statusInterrupted),
		Example: `  linchpin rollback hubs`,
		Args:    oneArg("JOB"),
		RunE: func(c *cobra.Command, names []string) error {
			return a.withDatabase(c.Context(), func(ctx context.Context, _ *config.Config, db *neo4j.DB) error {
				return runRollback(ctx, a, db, names[0])
			})
		},
		ValidArgsFunction: a.completeJobs,
	}
}

func runRollback(ctx context.Context, a *app, db *neo4j.DB, job string) error {
	done, err := db.Rollback(ctx, job, jobs.Owner(hostname(), "rollback"))
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(done)
	}
	fmt.Fprintf(a.stdout, "%s: readers see the scores of run %s again; run %s is withdrawn\n", job, done.Run,
		done.Withdrawn)
	if done.Mode == connector.Stamp {
		fmt.Fprintln(a.stdout,
			"  who reads a score without the Cypher of linchpin jobs --cypher sees the withdrawn run's until the next run")
	}
	return nil
}
