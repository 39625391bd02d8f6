package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
)

// upcoming is the number of next times that --json lists.
const upcoming = 3

func newJobsCommand(a *app) *cobra.Command {
	cypher := false
	c := &cobra.Command{
		Use:     "jobs [--cypher [JOB...]]",
		GroupID: groupDaily,
		Short:   "List the jobs of the config, with the next time each is due; print how to read their scores",
		Long: `Lists the jobs of the config with the next time that each is due. No server is asked.

With --cypher it prints the Cypher by which applications read the scores of the jobs, all or
those named, under their write.mode: subqueries to put in front of one's own query. What one
statement reads is of one run, nodes and relationships alike.` +
			exitSection(statusDone, statusUsage),
		Example: `  linchpin jobs
  linchpin jobs --cypher hubs`,
		Args: func(c *cobra.Command, names []string) error {
			if cypher {
				return nil
			}
			return withHint(noArgs(c, names), "with --cypher it takes jobs")
		},
		RunE: func(_ *cobra.Command, names []string) error {
			if cypher {
				return runJobsCypher(a, names)
			}
			return runJobs(a, time.Now())
		},
		ValidArgsFunction: a.completeJobs,
	}
	c.Flags().BoolVar(&cypher, "cypher", false, "print the Cypher that reads the scores")
	return c
}

// jobLine describes one job.
type jobLine struct {
	Name     string `json:"name"`
	Schedule string `json:"schedule,omitempty"`
	Timezone string `json:"timezone"`
	After    string `json:"after,omitempty"`
	// Next are the next times that the job is due; empty without a schedule.
	Next                   []time.Time `json:"next"`
	Measures               []string    `json:"measures"`
	NodeProperties         []string    `json:"nodeProperties"`
	RelationshipProperties []string    `json:"relationshipProperties"`
}

func runJobs(a *app, now time.Time) error {
	c, err := a.loadJobs()
	if err != nil {
		return err
	}
	lines := []jobLine{}
	for _, j := range c.Jobs {
		line, err := describeJob(j, now)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	if a.json {
		return a.printJSON(lines)
	}
	t := &table{header: []string{"JOB", "SCHEDULE", "NEXT", "MEASURES", "NODES GET", "RELATIONSHIPS GET"}}
	for _, l := range lines {
		schedule, next := "on request", "-"
		switch {
		case len(l.Next) > 0:
			schedule, next = l.Schedule, l.Next[0].Format("2006-01-02 15:04 MST")
		case l.After != "":
			schedule = "after " + l.After
		}
		t.add(l.Name, schedule, next, list(l.Measures), list(l.NodeProperties), list(l.RelationshipProperties))
	}
	return t.print(a.stdout)
}

func describeJob(j config.Job, now time.Time) (jobLine, error) {
	l := jobLine{
		Name: j.Name, Schedule: j.Schedule, Timezone: j.Timezone, After: j.After,
		Next: []time.Time{}, Measures: []string{}, NodeProperties: []string{}, RelationshipProperties: []string{},
	}
	for _, m := range j.Measures {
		l.Measures = append(l.Measures, m.Measure)
		if m.Nodes != "" {
			l.NodeProperties = append(l.NodeProperties, m.Nodes)
		}
		if m.Relationships != "" {
			l.RelationshipProperties = append(l.RelationshipProperties, m.Relationships)
		}
	}
	if j.Schedule == "" {
		return l, nil
	}
	schedule, err := jobs.ParseSchedule(j.Schedule, j.Timezone)
	if err != nil {
		return l, err
	}
	zone, err := time.LoadLocation(j.Timezone)
	if err != nil {
		return l, err
	}
	for t := now.In(zone); len(l.Next) < upcoming; {
		if t = schedule.Next(t); t.IsZero() {
			break
		}
		l.Next = append(l.Next, t)
	}
	return l, nil
}

// list joins names for a table cell; a dash stands for none.
func list(names []string) string {
	if len(names) == 0 {
		return "-"
	}
	return strings.Join(names, ", ")
}
