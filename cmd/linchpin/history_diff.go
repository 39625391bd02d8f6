package main

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/jobs"
)

// runHistoryDiff compares the records of two runs of a job.
func runHistoryDiff(ctx context.Context, a *app, db *neo4j.DB, job string, ids []string) error {
	var runs [2]connector.Run
	for i, id := range ids {
		r, err := db.Run(ctx, id)
		if err != nil {
			return err
		}
		if r.Job != job {
			return withHint(usagef("run %s is one of job %s, not of %s", id, r.Job, job), "linchpin history "+r.Job)
		}
		runs[i] = *r
	}
	all := jobs.CompareRuns(runs[0], runs[1], time.Local)
	if a.json {
		return a.printJSON(map[string]any{"a": runs[0], "b": runs[1], "differences": all})
	}
	t := &table{header: []string{"", "WHAT", "A", "B"}}
	for _, d := range all {
		mark := ""
		if d.Differ {
			mark = "*"
		}
		t.add(mark, d.What, d.A, d.B)
	}
	return t.print(a.stdout)
}
