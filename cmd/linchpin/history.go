package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
)

func newHistoryCommand(a *app) *cobra.Command {
	limit, diff := 20, false
	c := &cobra.Command{
		Use:     "history [JOB [--diff RUN RUN]]",
		GroupID: groupDaily,
		Short:   "List past runs, the newest first",
		Long: `Lists the runs that the database has records of, the newest first: of one job, or of all. With
--diff, compares two runs of a job: settings, graph, device, seconds, and the highest scores.` +
			exitSection(statusDone, statusUsage, statusUnreachable, statusInterrupted),
		Example: `  linchpin history
  linchpin history hubs --limit 5
  linchpin history hubs --diff 20260101-030000-aaaa 20260102-030000-bbbb`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case diff && len(args) != 3:
				return withHint(usagef("--diff compares two runs of a job"), "linchpin history JOB --diff A B")
			case !diff && len(args) > 1:
				return usagef("one JOB at a time, but there is also %q", args[1])
			}
			return nil
		},
		RunE: func(c *cobra.Command, names []string) error {
			if limit < 1 {
				return usagef("--limit %d: at least 1", limit)
			}
			return a.withDatabase(c.Context(), func(ctx context.Context, cfg *config.Config, db *neo4j.DB) error {
				if diff {
					return runHistoryDiff(ctx, a, db, names[0], names[1:])
				}
				return runHistory(ctx, a, cfg, db, append(names, "")[0], limit)
			})
		},
		ValidArgsFunction: a.completeJobs,
	}
	c.Flags().BoolVar(&diff, "diff", false, "compare two runs, whose ids follow the job")
	c.Flags().IntVar(&limit, "limit", limit, "show at most `N` runs")
	return c
}

func runHistory(ctx context.Context, a *app, cfg *config.Config, db *neo4j.DB, job string, limit int) error {
	runs, err := db.Runs(ctx, job, limit)
	if err == nil && len(runs) == 0 && job != "" { // a job that is not in the config any more may have records
		_, err = findJobs(cfg, []string{job})
	}
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
		header: []string{"RUN", "JOB", "STATUS", "STARTED", "SECONDS", "NODES", "EDGES", "DEVICE", "WRITTEN", "READ/S",
			"WRITE/S", "ERROR, WARNING OR REASON"},
		right: []bool{false, false, false, false, true, true, true, false, true, true, true, false},
	}
	for _, r := range runs {
		t.add(r.ID, r.Job, statusText(r), r.Started.Local().Format(zonedTime),
			fmt.Sprintf("%.1f", r.Elapsed(time.Now()).Seconds()), fmt.Sprint(r.Nodes), fmt.Sprint(r.Edges), r.Device,
			fmt.Sprint(r.Write.Written), rateText(r.ReadRate), rateText(r.WriteRate),
			shorten(cmp.Or(r.Error, strings.Join(r.Warnings, "; "), r.Note), 60))
	}
	return t.print(a.stdout)
}

// zonedTime is the form of local times, which stand beside run ids, schedules and logs in UTC.
const zonedTime = "2006-01-02 15:04:05 MST"

func statusText(r connector.Run) string {
	switch r.Status {
	case connector.Succeeded, connector.Withdrawn, connector.Skipped, connector.Missed:
		return r.State()
	}
	if r.Step == "" { // it came to none
		return string(r.Status)
	}
	return fmt.Sprintf("%s in %s", r.Status, r.Step)
}

// rateText is a number a second, or nothing where none was measured.
func rateText(rate float64) string {
	if rate == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", rate)
}

func shorten(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
