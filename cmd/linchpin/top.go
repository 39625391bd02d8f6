package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/internal/nearest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// mostTop is the largest number of rows that top shows of a property.
const mostTop = 100_000

type topOptions struct {
	n             int
	property      string
	relationships bool
	csv           bool
}

func (o *topOptions) addFlags(f *pflag.FlagSet) {
	f.IntVarP(&o.n, "number", "n", highest, "show `N` nodes or relationships per property")
	f.StringVar(&o.property, "property", "", "show the score `P` only, such as bc")
	f.BoolVar(&o.relationships, "relationships", false, "show scores of relationships only")
	f.BoolVar(&o.csv, "csv", false, "print comma-separated values")
}

// topScores are the highest scores of one property.
type topScores struct {
	On       connector.Entity   `json:"on"`
	Property string             `json:"property"`
	Top      []connector.Ranked `json:"top"`
}

// topResult is what top --json prints.
type topResult struct {
	Job    string      `json:"job"`
	Run    string      `json:"run"`
	Scores []topScores `json:"scores"`
}

func newTopCommand(a *app) *cobra.Command {
	var o topOptions
	c := &cobra.Command{
		Use:     "top JOB",
		GroupID: groupDaily,
		Short:   "Show the nodes and relationships with the highest scores",
		Long: `Shows the nodes and relationships that have the highest scores of the job's last successful run, with their
names. It reads the published scores from the database, under any write.mode. If both relationships between two
nodes have the same score, one of them is shown.` +
			exitSection(statusDone, statusUsage, statusUnreachable, statusInterrupted),
		Example: `  linchpin top hubs
  linchpin top hubs -n 50 --property bc --csv > bc.csv
  linchpin top hubs --relationships`,
		Args: oneArg("JOB"),
		RunE: func(c *cobra.Command, names []string) error {
			switch {
			case o.n < 1 || o.n > mostTop:
				return usagef("--number %d: 1 to %d", o.n, mostTop)
			case o.csv && a.json:
				return usagef("--csv and --json cannot be used together")
			}
			return a.withJobs(c.Context(), names, func(ctx context.Context, _ *config.Config, db *neo4j.DB, found []config.Job) error {
				return runTop(ctx, a, db, found[0], o)
			})
		},
		ValidArgsFunction: a.completeJobs,
	}
	o.addFlags(c.Flags())
	return c
}

func runTop(ctx context.Context, a *app, db *neo4j.DB, job config.Job, o topOptions) error {
	published, err := db.Publication(ctx, job.Name)
	if err != nil {
		return err
	}
	if published.Run == "" {
		return withHint(usagef("%s has no successful run yet", job.Name), "linchpin run "+job.Name)
	}
	result := topResult{Job: job.Name, Run: published.Run}
	if result.Scores, err = o.choose(job); err != nil {
		return err
	}
	for i := range result.Scores {
		s := &result.Scores[i]
		property, most := published.Mode.Property(s.Property, published.Slot), o.n
		if s.On == connector.OnRelationships {
			most *= 2 // of two between the same nodes one is shown
		}
		all, err := db.Highest(ctx, jobs.Projection(job.Graph), s.On, property, most)
		if err != nil {
			return err
		}
		s.Top = oncePerPair(all)
		s.Top = s.Top[:min(len(s.Top), o.n)]
	}
	switch {
	case a.json:
		return a.printJSON(result)
	case o.csv:
		return a.printTopCSV(result)
	}
	return a.printTop(result.Scores)
}

// choose returns the scores of the job that the flags ask for, without their highest.
func (o *topOptions) choose(job config.Job) ([]topScores, error) {
	var out []topScores
	var all []string
	nodes, relationships := jobs.Properties(job)
	for _, part := range []struct {
		on         connector.Entity
		properties []string
	}{{connector.OnNodes, nodes}, {connector.OnRelationships, relationships}} {
		if o.relationships && part.on == connector.OnNodes {
			continue
		}
		for _, p := range part.properties {
			all = append(all, p)
			if o.property == "" || o.property == p {
				out = append(out, topScores{On: part.on, Property: p})
			}
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case len(all) == 0:
		return nil, withHint(usagef("%s writes no scores of relationships", job.Name), "leave --relationships out")
	}
	return nil, withHint(usagef("%s writes no score %q", job.Name, o.property), nearest.DidYouMean(o.property, all))
}

// oncePerPair leaves out a relationship whose counterpart, with the same score, comes before it.
func oncePerPair(all []connector.Ranked) []connector.Ranked {
	type pair struct {
		source, target string
		score          float64
	}
	seen := map[pair]bool{}
	out := []connector.Ranked{}
	for _, r := range all {
		if r.Source != "" && seen[pair{r.Target, r.Source, r.Score}] {
			continue
		}
		seen[pair{r.Source, r.Target, r.Score}] = true
		out = append(out, r)
	}
	return out
}

// printTop prints a table per property, with an empty line between two.
func (a *app) printTop(scores []topScores) error {
	for i, s := range scores {
		t := &table{header: []string{"NODE", s.Property}, right: []bool{false, true}}
		if s.On == connector.OnRelationships {
			t = &table{header: []string{"FROM", "TO", s.Property}, right: []bool{false, false, true}}
		}
		for _, r := range s.Top {
			cells := []string{shorten(cmp.Or(r.Name, r.ID), longestID)}
			if s.On == connector.OnRelationships {
				cells = []string{shorten(cmp.Or(r.Source, r.ID), longestID), shorten(r.Target, longestID)}
			}
			t.add(append(cells, score(r.Score))...)
		}
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if err := t.print(a.stdout); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) printTopCSV(result topResult) error {
	w := csv.NewWriter(a.stdout)
	rows := [][]string{{"on", "property", "rank", "id", "name", "source", "target", "score"}}
	for _, s := range result.Scores {
		for i, r := range s.Top {
			rows = append(rows, []string{string(s.On), s.Property, strconv.Itoa(i + 1), r.ID, r.Name, r.Source, r.Target,
				strconv.FormatFloat(r.Score, 'g', -1, 64)})
		}
	}
	return w.WriteAll(rows)
}

// printHighest shows the highest scores of a run that has just ended: ten, or five of each property if there are several.
func (a *app) printHighest(r connector.Run) error {
	most := highest
	if len(r.Scores) > 1 {
		most = highest / 2
	}
	var all []topScores
	for _, s := range r.Scores {
		top := oncePerPair(s.Top)
		if len(top) > 0 {
			all = append(all, topScores{On: s.On, Property: s.Property, Top: top[:min(len(top), most)]})
		}
	}
	slices.SortStableFunc(all, func(a, b topScores) int { return cmp.Compare(a.On, b.On) }) // nodes first
	if len(all) > 0 {
		fmt.Fprintln(a.stdout)
	}
	return a.printTop(all)
}
