package main

import (
	"context"
	"fmt"
	"math"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
)

// difference is one fact of two runs.
type difference struct {
	What   string `json:"what"`
	A      string `json:"a"`
	B      string `json:"b"`
	Differ bool   `json:"differ"`
}

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
	all := compareRuns(runs[0], runs[1])
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

func compareRuns(a, b connector.Run) []difference {
	var out []difference
	add := func(what string, x, y any) {
		p, q := fmt.Sprint(x), fmt.Sprint(y)
		out = append(out, difference{what, p, q, p != q})
	}
	add("run", a.ID, b.ID)
	add("started", a.Started.Local().Format(zonedTime), b.Started.Local().Format(zonedTime))
	add("status", a.State(), b.State())
	add("error", a.Error, b.Error)
	add("settings", a.Config, b.Config)
	add("graph", a.Graph, b.Graph)
	add("nodes", a.Nodes, b.Nodes)
	add("relationships", a.Relationships, b.Relationships)
	add("edges", a.Edges, b.Edges)
	add("dropped", a.Dropped, b.Dropped)
	add("device", a.Device, b.Device)
	add("strategy", a.Strategy, b.Strategy)
	add("reason", a.Reason, b.Reason)
	for _, step := range []string{"export", "plan", "compute", "output", "write"} {
		add("seconds of "+step, fmt.Sprintf("%.3f", a.Seconds[step]), fmt.Sprintf("%.3f", b.Seconds[step]))
	}
	add("read a second", rateText(a.ReadRate), rateText(b.ReadRate))
	add("GTEPS", fmt.Sprintf("%.3g", a.Gteps), fmt.Sprintf("%.3g", b.Gteps))
	add("written a second", rateText(a.WriteRate), rateText(b.WriteRate))
	add("written", a.Write.Written, b.Write.Written)
	add("gone", a.Write.Missing, b.Write.Missing)
	add("refused", a.Write.Refused, b.Write.Refused)
	add("version", a.Version, b.Version)
	return append(out, compareSummaries(a, b)...)
}

// compareSummaries goes through the score properties of both runs: their digests, ranges, and highest entities.
func compareSummaries(a, b connector.Run) []difference {
	var out []difference
	for _, x := range a.Scores {
		for _, y := range b.Scores {
			if x.On != y.On || x.Property != y.Property {
				continue
			}
			for _, d := range []struct{ what, p, q string }{
				{"digest", x.Digest, y.Digest}, {"scores", fmt.Sprint(x.Count), fmt.Sprint(y.Count)},
				{"max", fmt.Sprint(x.Max), fmt.Sprint(y.Max)}, {"mean", fmt.Sprint(x.Mean), fmt.Sprint(y.Mean)},
				{"rank correlation", rankText(x), rankText(y)},
			} {
				out = append(out, difference{x.Property + " " + d.what, d.p, d.q, d.p != d.q})
			}
			for i := range max(len(x.Top), len(y.Top)) {
				p, q := topText(x, i), topText(y, i)
				out = append(out, difference{fmt.Sprintf("%s top %d", x.Property, i+1), p, q, p != q})
			}
		}
	}
	return out
}

func rankText(s connector.ScoreSummary) string {
	if s.Rank == nil {
		return "-"
	}
	return fmt.Sprint(math.Round(*s.Rank*1e6) / 1e6)
}

func topText(s connector.ScoreSummary, i int) string {
	if i >= len(s.Top) {
		return "-"
	}
	t := s.Top[i]
	name := t.ID
	switch {
	case t.Source != "":
		name = t.Source + " - " + t.Target
	case t.Name != "":
		name = t.Name
	}
	return fmt.Sprintf("%s %.6g", shorten(name, 40), t.Score)
}
