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

func newEstimateCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "estimate JOB...",
		Short: "Say how large a run would be and how long it would take; writes nothing",
		Long: `Asks the database for counts and works out rows, memory and time of a run on this machine's
CPU. Nothing is exported and nothing is written.` +
			exitSection(statusDone, statusUsage, statusUnreachable, statusInterrupted),
		Args: someArgs("JOB"),
		RunE: func(c *cobra.Command, names []string) error {
			return a.withJobs(c.Context(), names, func(ctx context.Context, cfg *config.Config, db *neo4j.DB, todo []config.Job) error {
				return runEstimate(ctx, a, cfg, db, todo)
			})
		},
		ValidArgsFunction: a.completeJobs,
	}
}

func runEstimate(ctx context.Context, a *app, cfg *config.Config, db *neo4j.DB, todo []config.Job) error {
	runner := a.runner(cfg, db, newReporter(a))
	estimates := []*jobs.Estimate{}
	for _, job := range todo {
		e, err := runner.Estimate(ctx, db, job)
		if err != nil {
			return err
		}
		estimates = append(estimates, e)
	}
	if a.json {
		return a.printJSON(estimates)
	}
	t := &table{
		header: []string{"JOB", "NODES", "RELATIONSHIPS", "GRAPH", "COMPUTE NEEDS", "FREE", "EXPORT", "COMPUTE (CPU)", "WRITE"},
		right:  []bool{false, true, true, true, true, true, true, true, true},
	}
	for _, e := range estimates {
		atMost := ""
		if !e.Exact {
			atMost = "<= "
		}
		t.add(e.Job, atMost+fmt.Sprint(e.Nodes), atMost+fmt.Sprint(e.Relationships), hostmem.FormatBytes(e.GraphBytes),
			hostmem.FormatBytes(e.ComputeBytes), hostmem.FormatBytes(e.FreeBytes), about(e.Seconds["export"]), about(e.Seconds["compute"]),
			about(e.Seconds["write"]))
	}
	return t.print(a.stdout)
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
