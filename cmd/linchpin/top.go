package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/internal/nearest"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
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

// topScores are the highest scores of one property, or the largest of the groups that it numbers.
type topScores struct {
	On       connector.Entity   `json:"on"`
	Property string             `json:"property"`
	Top      []connector.Ranked `json:"top,omitzero"`
	Groups   *connector.Groups  `json:"groups,omitempty"`
	// numbers says that the scores are numbers of groups.
	numbers bool
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
nodes have the same score, one of them is shown. Of a measure that numbers groups, such as components or louvain, it
shows the largest groups, with their sizes; in comma-separated values, id is the number and score the size.` +
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
			return a.withJobs(c.Context(), names,
				func(ctx context.Context, _ *config.Config, db *neo4j.DB, found []config.Job) error {
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
		if err := s.read(ctx, db, jobs.Projection(job.Graph),
			published.Mode.Property(s.Property, published.Slot), o.n); err != nil {
			return err
		}
	}
	switch {
	case a.json:
		return a.printJSON(result)
	case o.csv:
		return a.printTopCSV(result)
	}
	return a.printTop(result.Scores)
}

// read takes the n highest scores, or the n largest groups, from the database.
func (s *topScores) read(
	ctx context.Context, db *neo4j.DB, p connector.Projection, property string, n int,
) (err error) {
	if s.numbers {
		s.Groups, err = db.Groups(ctx, p, s.On, property, n)
		return err
	}
	most := n
	if s.On == connector.OnRelationships {
		most *= 2 // of two between the same nodes one is shown
	}
	all, err := db.Highest(ctx, p, s.On, property, most)
	s.Top = oncePerPair(all)
	s.Top = s.Top[:min(len(s.Top), n)]
	return err
}

// choose returns the scores of the job that the flags ask for, without their highest.
func (o *topOptions) choose(job config.Job) ([]topScores, error) {
	var out []topScores
	var all []string
	for _, s := range scoresOf(job) {
		if o.relationships && s.On == connector.OnNodes {
			continue
		}
		all = append(all, s.Property)
		if o.property == "" || o.property == s.Property {
			out = append(out, s)
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

// scoresOf returns the scores that the job writes, those of nodes first.
func scoresOf(job config.Job) []topScores {
	var nodes, relationships []topScores
	for _, m := range job.Measures {
		spec, _ := kernels.Lookup(m.Measure)
		ofNodes, ofEdges := spec.NumbersGroups(m.Params)
		if m.Nodes != "" {
			nodes = append(nodes, topScores{On: connector.OnNodes, Property: m.Nodes, numbers: ofNodes})
		}
		if m.Relationships != "" {
			relationships = append(relationships,
				topScores{On: connector.OnRelationships, Property: m.Relationships, numbers: ofEdges})
		}
	}
	return append(nodes, relationships...)
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
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if s.Groups != nil {
			fmt.Fprintf(a.stdout, "%s: %s\n", s.Property, counted(int(s.Groups.Count), "group"))
		}
		if err := s.table().print(a.stdout); err != nil {
			return err
		}
	}
	return nil
}

func (s *topScores) table() *table {
	if s.Groups != nil {
		t := &table{header: []string{"GROUP", strings.ToUpper(string(s.On))}, right: []bool{true, true}}
		for _, g := range s.Groups.Largest {
			t.add(strconv.FormatInt(g.Number, 10), strconv.FormatInt(g.Size, 10))
		}
		return t
	}
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
	return t
}

func (a *app) printTopCSV(result topResult) error {
	w := csv.NewWriter(a.stdout)
	rows := [][]string{{"on", "property", "rank", "id", "name", "source", "target", "score"}}
	for _, s := range result.Scores {
		for i, r := range s.Top {
			rows = append(rows, []string{string(s.On), s.Property, strconv.Itoa(i + 1), r.ID, r.Name, r.Source, r.Target,
				strconv.FormatFloat(r.Score, 'g', -1, 64)})
		}
		if s.Groups == nil {
			continue
		}
		for i, g := range s.Groups.Largest {
			rows = append(rows, []string{string(s.On), s.Property, strconv.Itoa(i + 1),
				strconv.FormatInt(g.Number, 10), "", "", "", strconv.FormatInt(g.Size, 10)})
		}
	}
	return w.WriteAll(rows)
}

// printHighest shows the highest scores of a run that has just ended: ten, or five of each property if there are
// several.
func (a *app) printHighest(r connector.Run) error {
	most := highest
	if len(r.Scores) > 1 {
		most = highest / 2
	}
	var all []topScores
	for _, s := range r.Scores {
		top := oncePerPair(s.Top)
		switch {
		case s.Groups != nil:
			largest := s.Groups.Largest[:min(len(s.Groups.Largest), most)]
			all = append(all, topScores{On: s.On, Property: s.Property,
				Groups: &connector.Groups{Count: s.Groups.Count, Largest: largest}})
		case len(top) > 0:
			all = append(all, topScores{On: s.On, Property: s.Property, Top: top[:min(len(top), most)]})
		}
	}
	slices.SortStableFunc(all, func(a, b topScores) int { return cmp.Compare(a.On, b.On) }) // nodes first
	if len(all) > 0 {
		fmt.Fprintln(a.stdout)
	}
	return a.printTop(all)
}
