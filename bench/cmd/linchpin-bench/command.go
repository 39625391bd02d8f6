package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/bench"
	"github.com/linchpin-graph/linchpin/bench/planning"
	"github.com/linchpin-graph/linchpin/bench/report"
	"github.com/linchpin-graph/linchpin/kernels"
)

// program is what every task of the command shares.
type program struct {
	json, quiet    bool
	stdout, stderr io.Writer
}

type options struct {
	suites             []string
	graphs, strategies []string
	precisions         []string
	one                bench.Case // without --suite
	device             string
	timing             bench.Timing
	budget, runLimit   time.Duration
	data, cache, out   string
	known              []string
	retry, list, left  bool
	pack, render       string
	planning           bool
	simulate           string
	radius             int
	command            string
	share              string
	counts             []int
	part               bool
}

func (o *options) addFlags(f *pflag.FlagSet) {
	f.StringSliceVar(&o.suites, "suite", nil, "`SUITES` to measure, graph by graph; without it --graphs and --measure "+
		"say what")
	f.StringSliceVar(&o.graphs, "graphs", nil, "`GRAPHS`, such as kron16,luxembourg_osm+w10; of a suite, those only")
	f.StringSliceVar(&o.strategies, "strategies", []string{"all"},
		"`STRATEGIES`: those of linchpin --strategy, engines by name among them; cpu and cpu-1 are the CPU on all threads "+
			"and on one")
	f.StringSliceVar(&o.precisions, "precision", nil,
		"`PRECISIONS`: double, single or double,single; without it the suite's, or "+kernels.DefaultPrecision)
	f.StringVar(&o.one.Measure, "measure", "betweenness", "what to compute, without --suite")
	f.BoolVar(&o.one.Weighted, "weighted", false, "follow weights, without --suite")
	f.BoolVar(&o.one.EdgeScores, "edges", false, "edge scores as well, without --suite")
	f.IntVar(&o.one.Drawn, "drawn", 0, "so many `SOURCES` at random, without --suite; 0 for the rule above")
	f.IntVar(&o.radius, "radius", -1, "`RADIUS` of volume, without --suite; -1 leaves the default")
	f.StringVar(&o.device, "device", "auto", "`DEVICE`: auto, cpu or gpu; gpu fails without one")
	f.Float64Var(&o.timing.Min, "seconds-min", 2, "shortest run, where not all sources are taken; --seconds-max where "+
		"that is less")
	f.Float64Var(&o.timing.Max, "seconds-max", 60, "longest run for which all sources are taken")
	f.DurationVar(&o.budget, "budget", 0, "`TIME` for everything; run again for what is left (0: no end)")
	f.DurationVar(&o.runLimit, "run-limit", 2*time.Minute,
		"`TIME` after which a single run is ended and recorded as failed")
	f.StringVar(&o.data, "data", "", "`FOLDER` with the graphs that are read from files")
	f.StringVar(&o.cache, "cache", "", "`FOLDER` to keep graphs in from one call to the next; without it they are removed")
	f.StringVar(&o.out, "out", "", "results `FILE` (.jsonl); what stands in it is not measured again")
	f.StringSliceVar(&o.known, "known", nil, "other results `FILES`, or a folder of them; what is right in them is not "+
		"measured again")
	f.BoolVar(&o.left, "left", false, "say what of the suites is left to measure, and about how long it takes")
	f.BoolVar(&o.retry, "retry", false, "measure again what failed or was wrong")
	f.StringVar(&o.share, "share", "",
		"`devices` or processes: time each of --graphs on one, and on as many as --counts says, which share it; "+
			"with so many sources that one takes --seconds-min")
	f.IntSliceVar(&o.counts, "counts", []int{1, 2}, "`COUNTS` of devices or processes")
	f.BoolVar(&o.part, "part", false, "be one of these processes")
	_ = f.MarkHidden("part") // it is there
	f.BoolVar(&o.list, "list", false, "list suites and graphs")
	f.StringVar(&o.pack, "pack", "", "write the graphs of --data, or --graphs with their weights, to `FOLDER`, small "+
		"enough to carry to another machine")
	f.BoolVar(&o.planning, "planning", false,
		"print the tables of docs/howto/planning.md: what devices give for graphs that "+
			"do not exist")
	f.StringVar(&o.simulate, "simulate", "",
		"compare the runs in shards of `FILE` (.jsonl) with what the simulator of the "+
			"queue predicts from the one of a single worker")
	f.StringVar(&o.render, "render", "", "make all pages and pictures of the results in `FOLDER`")
}

func newCommand(p *program) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "linchpin-bench (--suite SUITE | --graphs GRAPHS --measure M) --out FILE",
		Short: "Measure strategies side by side, and make tables and pictures of the results",
		Long: `linchpin-bench checks each strategy against the exact scores of the CPU, times it if it is right, and appends one
JSON line per measurement to --out. --list shows suites and graphs.

A strategy is right when every score over a few sources agrees to a relative 1e-9 (1e-5 in single precision). It is
timed on all sources if that takes at most --seconds-max. Otherwise it is timed on whole batches of neighbouring
sources, spread evenly: the fewest that take --seconds-min. Measurements that --out already holds are not repeated, so
give each machine a file of its own.

EXIT STATUS
  0    done
  1    a measurement failed, or a file is broken
  2    usage, unknown name
  6    a GPU was demanded and there is none
  130  interrupted`,
		Example: `  linchpin-bench --suite jia-tables --data graphs --out results/jia-tables.jsonl
  linchpin-bench --graphs delaunay17 --strategies hybrid,auto --out mine.jsonl
  linchpin-bench --share devices --counts 1,2 --graphs kron20,kron20+w10 --seconds-min 20 --out devices.json
  linchpin-bench --render results`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, _ []string) error {
			o.command = commandLine(c)
			if o.radius >= 0 {
				o.one.Radius = &o.radius
			}
			return o.run(c.Context(), p)
		},
	}
	o.addFlags(c.Flags())
	c.Flags().BoolVar(&p.json, "json", false, "print --list as one JSON value")
	c.Flags().BoolVar(&p.quiet, "quiet", false, "no progress, only errors")
	c.SetOut(p.stdout)
	c.SetErr(p.stderr)
	return c
}

// commandLine is the command as it goes on record: without the folders of this machine.
func commandLine(c *cobra.Command) string {
	words := []string{"linchpin-bench"}
	c.Flags().Visit(func(f *pflag.Flag) {
		value := strings.Trim(f.Value.String(), "[]")
		switch f.Name {
		case "cache", "quiet", "budget", "known":
			return
		case "data", "out":
			value = filepath.Base(value)
		}
		if f.Value.Type() == "bool" {
			words = append(words, "--"+f.Name+"="+value)
			return
		}
		words = append(words, "--"+f.Name, value)
	})
	return strings.Join(words, " ")
}

func (o *options) run(ctx context.Context, p *program) error {
	if o.part {
		return bench.ServePart(ctx, os.Stdin, p.stdout)
	}
	tasks := 0
	for _, given := range []bool{o.list, o.pack != "", o.render != "", o.planning, o.simulate != "", o.out != ""} {
		if given {
			tasks++
		}
	}
	switch {
	case tasks > 1:
		return usagef("--list, --pack, --render, --planning, --simulate and --out cannot be used together")
	case o.list:
		return printSuites(p)
	case o.planning:
		return planning.Write(p.stdout)
	case o.simulate != "":
		return printSimulated(p, o.simulate)
	case o.pack != "":
		return packGraphs(ctx, p, o)
	case o.render != "":
		written, err := report.Render(o.render)
		for _, name := range written {
			p.say("wrote %s", filepath.Join(o.render, name))
		}
		return err
	}
	if o.share != "" {
		return shareRuns(ctx, p, o)
	}
	suites, err := o.choose()
	if err != nil {
		return asUsage(err)
	}
	if o.known, err = resultFiles(o.known); err != nil {
		return asUsage(err)
	}
	if o.left {
		return printLeft(p, o, suites)
	}
	return measureSuites(ctx, p, o, suites)
}

// choose returns the suites that the flags ask for.
func (o *options) choose() ([]bench.Suite, error) {
	switch {
	case o.out == "":
		return nil, usagef("--out is missing: the file that the results are appended to")
	case !slices.Contains([]string{"auto", "cpu", "gpu"}, o.device):
		return nil, usagef("--device %s: a device is auto, cpu or gpu", o.device)
	case o.timing.Min <= 0 || o.timing.Max < 0:
		return nil, usagef("--seconds-min %g --seconds-max %g: the first is over 0, the second 0 or more", o.timing.Min,
			o.timing.Max)
	}
	if o.one.Drawn < 0 {
		return nil, usagef("--drawn %d: a number of sources, or 0", o.one.Drawn)
	}
	if len(o.suites) == 0 {
		s, err := bench.NewSuite(o.graphs, o.one, o.strategies, o.precisions)
		return []bench.Suite{s}, err
	}
	var suites []bench.Suite
	var other error
	for _, name := range o.suites {
		s, err := bench.FindSuite(name)
		if err != nil {
			return nil, err
		}
		if s, err = s.Select(o.graphs, o.strategies, o.precisions); err != nil {
			other = err // one of several suites need not have every graph
			continue
		}
		suites = append(suites, s)
	}
	if len(suites) == 0 {
		return nil, other
	}
	return suites, nil
}

// resultFiles lists results files, those of a folder for the folder.
func resultFiles(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, usagef("--known %s: %s", path, reason(err))
		}
		if !info.IsDir() {
			out = append(out, path)
			continue
		}
		files, err := filepath.Glob(filepath.Join(path, "*.jsonl"))
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	return out, nil
}
