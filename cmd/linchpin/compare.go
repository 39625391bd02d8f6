package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/internal/picture"
	"github.com/linchpin-graph/linchpin/jobs"
)

type compareOptions struct {
	tops          []int
	picture       string
	common        bool
	relationships bool
}

func (o *compareOptions) addFlags(f *pflag.FlagSet) {
	f.IntSliceVar(&o.tops, "top", []int{10, 100, 1000}, "compare the `K` highest of both; several with commas")
	f.StringVar(&o.picture, "picture", "", "write a scatter plot to `FILE` (.svg)")
	f.BoolVar(&o.common, "common", false,
		"compare scores of different graphs, over the nodes or relationships that both have")
	f.BoolVar(&o.relationships, "relationships", false,
		"take scores of relationships, where a job writes a property on both")
}

func newCompareCommand(a *app) *cobra.Command {
	var o compareOptions
	c := &cobra.Command{
		Use:     "compare A B",
		GroupID: groupResearch,
		Short:   "Compare two scores of a graph: rank correlations, overlap of the highest, scatter plot",
		Long: `Says how far two scores put the nodes or relationships of a graph in the same order: Spearman's rank correlation,
Kendall's tau-b, and which share of the highest of one are among the highest of the other. Equal scores share a rank.
If several share the last place among the highest, each counts for its part.

A and B are each a score of a job, JOB:PROPERTY, or PROPERTY if one job alone writes it; or a FILE of scores, as compute
and outputs write it (.csv, .csv.gz, .parquet, .arrow), or FILE:COLUMN if it has several. Scores of a job are those of its
last successful run, read from the database.

Scores of different graphs are refused. Jobs keep a digest of the graph, and so do their .parquet and .arrow files. Other
scores must have the same nodes, or relationships between the same nodes.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnreachable, statusInterrupted),
		Example: `  linchpin compare hubs:bc hubs:closeness --picture bc-closeness.svg
  linchpin compare volume.csv closeness.csv --top 10,50`,
		Args: twoArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(args); err != nil {
				return err
			}
			return runCompare(c.Context(), a, &o, args)
		},
	}
	o.addFlags(c.Flags())
	return c
}

func twoArgs(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return usagef("compare takes two scores, not %d", len(args))
	}
	return nil
}

func (o *compareOptions) check(args []string) error {
	for _, k := range o.tops {
		if k < 1 {
			return usagef("--top %d: at least 1", k)
		}
	}
	switch {
	case o.picture == "":
		return nil
	case strings.ToLower(filepath.Ext(o.picture)) != ".svg":
		return withHint(usagef("--picture %s: the name of a picture ends in .svg", o.picture),
			"linchpin compare writes SVG only")
	case slices.Contains(args, o.picture):
		return usagef("--picture %s would overwrite %s, which is read", o.picture, o.picture)
	}
	return checkOutput("picture", o.picture)
}

// compareResult is what compare --json prints.
type compareResult struct {
	A comparedScore `json:"a"`
	B comparedScore `json:"b"`
	jobs.Comparison
	Picture string `json:"picture,omitempty"`
}

// comparedScore says where a score is from.
type comparedScore struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Job  string `json:"job,omitempty"`
	Run  string `json:"run,omitempty"`
	// Property or column.
	Property string `json:"property"`
	// Graph is the digest of the graph, where it is known.
	Graph string `json:"graph,omitempty"`

	job    config.Job
	on     connector.Entity
	scores *connector.Scores
}

func runCompare(ctx context.Context, a *app, o *compareOptions, args []string) error {
	result := compareResult{A: scoreNamed(args[0]), B: scoreNamed(args[1])}
	both := []*comparedScore{&result.A, &result.B}
	err := readScores(ctx, a, o, both)
	if err != nil {
		return err
	}
	compared, err := jobs.Compare(result.A.scores, result.B.scores, o.common, o.tops)
	if err != nil {
		return refusedComparison(err)
	}
	result.Comparison, result.Picture = *compared, o.picture
	if o.picture != "" {
		drawing := picture.Scatter(picture.Series{Name: args[0], Values: compared.A},
			picture.Series{Name: args[1], Values: compared.B})
		if err := os.WriteFile(o.picture, []byte(drawing), 0o644); err != nil {
			return file.WriteError(o.picture, err)
		}
	}
	if a.json {
		return a.printJSON(result)
	}
	return a.printCompared(&result)
}

// refusedComparison says what to do about scores of different graphs.
func refusedComparison(err error) error {
	var different *jobs.DifferentGraphs
	switch {
	case !errors.As(err, &different):
		return err
	case different.Share:
		return withHint(asUsage(err), "--common compares what both have")
	}
	return asUsage(err)
}

// scoreNamed is what an argument names, as far as it says: a file, with its column, or a score of a job.
func scoreNamed(name string) comparedScore {
	s := comparedScore{Name: name}
	if isScoreFile(name) {
		s.File = name
		return s
	}
	i := strings.LastIndexByte(name, ':')
	switch {
	case i >= 0 && isScoreFile(name[:i]):
		s.File, s.Property = name[:i], name[i+1:]
	case i >= 0:
		s.Job, s.Property = name[:i], name[i+1:]
	default:
		s.Property = name
	}
	return s
}

// isScoreFile reports whether a name is that of a file of scores rather than of a score.
func isScoreFile(name string) bool {
	_, err := file.FormatOf(name)
	return err == nil || isFile(name)
}

// readScores reads both scores. A database is asked only if one of them is in it.
func readScores(ctx context.Context, a *app, o *compareOptions, both []*comparedScore) error {
	stored := false
	for _, s := range both {
		if s.File == "" {
			stored = true
			continue
		}
		var err error
		if s.scores, err = file.ReadScores(ctx, s.File, s.Property); err != nil {
			return err
		}
		s.Property, s.Graph = s.scores.Property, s.scores.Graph
	}
	if !stored {
		return nil
	}
	c, err := a.loadJobs()
	if err != nil {
		return err
	}
	for _, s := range both {
		if s.File == "" {
			if err := s.find(c, o.relationships); err != nil {
				return err
			}
		}
	}
	return a.connected(ctx, c, func(ctx context.Context, _ *config.Config, db *neo4j.DB) error {
		for _, s := range both {
			if s.File == "" {
				if err := s.read(ctx, db); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// printCompared shows the agreement as a table.
func (a *app) printCompared(r *compareResult) error {
	what := strings.TrimSuffix(string(r.On), "s")
	fmt.Fprintf(a.stdout, "%s and %s: %s\n", r.A.Name, r.B.Name, counted(r.Count, what))
	if r.OnlyA+r.OnlyB > 0 {
		fmt.Fprintf(a.stdout, "left out: %s with the first score alone, %d with the second\n",
			counted(r.OnlyA, what), r.OnlyB)
	}
	t := &table{header: []string{"AGREEMENT", "VALUE"}, right: []bool{false, true}}
	t.add("Spearman", agreement(r.Spearman))
	t.add("Kendall tau-b", agreement(r.Kendall))
	for _, o := range r.Overlap {
		t.add("top "+strconv.Itoa(o.K)+" shared", strconv.FormatFloat(100*o.Share, 'f', 1, 64)+" %")
	}
	return t.print(a.stdout)
}

// agreement writes a correlation; one of the scores may be the same everywhere.
func agreement(x *float64) string {
	if x == nil {
		return "none: a score does not vary"
	}
	return strconv.FormatFloat(*x, 'f', 4, 64)
}
