package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
)

func newHistoryCommand(a *app) *cobra.Command {
	limit := 20
	c := &cobra.Command{
		Use:   "history [JOB]",
		Short: "List past runs, the newest first",
		Long: `Lists the runs that the database has records of, the newest first: of one job, or of all.` +
			exitSection(statusDone, statusUsage, statusUnreachable, statusInterrupted),
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, names []string) error {
			if limit < 1 {
				return usagef("--limit %d: at least 1", limit)
			}
			return a.withDatabase(c.Context(), func(ctx context.Context, _ *config.Config, db *neo4j.DB) error {
				return runHistory(ctx, a, db, append(names, "")[0], limit)
			})
		},
		ValidArgsFunction: a.completeJobs,
	}
	c.Flags().IntVar(&limit, "limit", limit, "show at most `N` runs")
	return c
}

func runHistory(ctx context.Context, a *app, db *neo4j.DB, job string, limit int) error {
	runs, err := db.Runs(ctx, job, limit)
	if err != nil {
		return err
	}
	if a.json {
		if runs == nil {
			runs = []connector.Run{}
		}
		return a.printJSON(runs)
	}
	if len(runs) == 0 {
		fmt.Fprintln(a.stdout, "no runs yet")
		return nil
	}
	t := &table{
		header: []string{"RUN", "JOB", "STATUS", "STARTED", "SECONDS", "NODES", "EDGES", "DEVICE", "WRITTEN", "ERROR"},
		right:  []bool{false, false, false, false, true, true, true, false, true, false},
	}
	for _, r := range runs {
		t.add(r.ID, r.Job, statusText(r), r.Started.Local().Format(time.DateTime), fmt.Sprintf("%.1f", total(r.Seconds)),
			fmt.Sprint(r.Nodes), fmt.Sprint(r.Edges), r.Device, fmt.Sprint(r.Write.Written), shorten(r.Error, 60))
	}
	return t.print(a.stdout)
}

func statusText(r connector.Run) string {
	if r.Status == connector.Succeeded {
		return string(r.Status)
	}
	return fmt.Sprintf("%s in %s", r.Status, r.Step)
}

func shorten(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
