package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
)

type computeOptions struct {
	measure string
	kernels.Params
	directed           bool
	parallel           string
	zeroWeights        string
	weightAs           string
	policy             export.WeightPolicy // that zeroWeights says
	strategy, device   string
	devices            string
	precision          string
	threads            int
	reduce             string
	sources            string
	pairs              pairOptions
	seed               int64
	accuracy           kernels.Accuracy
	adaptive           float64
	nodesOut, edgesOut string
	nodes, edges       bool // the scores that a part adds up
	dendrogramOut      string
	hierarchyOut       string
	journal            string
	backboneOut        string
	pictureOut         string
	dryRun             bool
	shards             int
	fleet              fleetOptions
	given              map[string]bool // flags of the command line
	look               bool            // print the highest scores
	header, noHeader   bool
}

// addReadFlags adds the flags on how a file is read.
func (o *computeOptions) addReadFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.header, "header", false,
		"the first line of a .csv, .tsv or .txt file names columns, even if it looks otherwise")
	f.BoolVar(&o.noHeader, "no-header", false,
		"the first line of a .csv or .tsv file is an edge, even if it looks otherwise")
}

// headerIn says what the flags say of the first line.
func (o *computeOptions) headerIn() file.Header {
	switch {
	case o.header:
		return file.WithHeader
	case o.noHeader:
		return file.WithoutHeader
	}
	return file.FindHeader
}

func (o *computeOptions) addFlags(f *pflag.FlagSet) {
	o.addTaskFlags(f)
	o.addThreadsFlag(f)
	f.StringVar(&o.strategy, "strategy", "auto", "method `S` of the GPU; auto chooses. Not with --device cpu")
	f.StringVar(&o.device, "device", "auto",
		"where to compute, `auto|cpu|gpu|gpu:N`; gpu fails without one, gpu:1 is one of several, gpu:0,2 are two that share the run")
	f.StringVar(&o.devices, "devices", "",
		"GPUs that share the run, `all|N,N`: all, or some by their numbers; without it, one. Scores do not depend on it")
	f.Float64Var(&o.accuracy.Confidence, "confidence", kernels.DefaultConfidence,
		"probability `C` with which the bound of --error, --sample-top or --sample-seconds holds")
	f.Float64Var(&o.accuracy.Seconds, "sample-seconds", 0, "sample for about so many seconds `S`")
	f.IntVar(&o.accuracy.Top, "sample-top", 0, "sample until the `K` best nodes (and edges) are told from all others")
	f.Float64Var(&o.adaptive, "adaptive", 0,
		"sample for each node until its dependencies sum to more than `C` times n, from at most --sources N")
	addPrecisionFlag(f, &o.precision)
	f.BoolVar(&o.dryRun, "dry-run", false, "list the ways to compute, the fastest that fits first, and compute nothing")
	f.IntVar(&o.shards, "shards", 0, "cut the run into `N` parts, which share the GPUs of the machine; "+
		"0 leaves it to the plan; scores do not depend on it")
	o.fleet.addFlags(f)
	o.addOutputFlags(f)
	f.StringVar(&o.dendrogramOut, "dendrogram-out", "", "`FILE.json` for the order in which communities join")
	f.StringVar(&o.hierarchyOut, "hierarchy-out", "",
		"`FILE.json` for the order in which groups merge by the links between them")
	f.StringVar(&o.backboneOut, "backbone-out", "",
		"`FILE.csv` for the edges that a backbone keeps: src,dst, and weight if it reads weights")
	f.StringVar(&o.pictureOut, "picture-out", "",
		"`FILE` (.svg or .png) for a drawing of the graph next to its backbone, or of groups with bundles of links")
	f.StringVar(&o.journal, "journal", "",
		"`FILE` that keeps the cuts of communities; an interrupted run goes on from there")
}

// addPrecisionFlag adds the flag on the precision of a GPU.
func addPrecisionFlag(f *pflag.FlagSet, precision *string) {
	f.StringVar(precision, "precision", kernels.DefaultPrecision,
		"`"+strings.Join(kernels.Precisions(), "|")+"`; single is faster on a GPU and right to 1e-5. Not with --device cpu")
}

// addTaskFlags adds the flags on what is computed of which graph.
func (o *computeOptions) addTaskFlags(f *pflag.FlagSet) {
	f.StringVar(&o.measure, "measure", "", "what to compute: `M` is one of "+strings.Join(measureNames(), ", "))
	addMeasureOptions(f, &o.Params)
	f.BoolVar(&o.directed, "directed", false, "edges lead from src to dst only; not for METIS")
	f.StringVar(&o.parallel, "parallel", "keep", "what several edges between two nodes become: `keep|min|max|sum|count`")
	f.StringVar(&o.weightAs, "weight-as", "length",
		"what weights are: `length|strength`: paths add up lengths; the length of a strength is 1 over it")
	f.StringVar(&o.zeroWeights, "zero-weights", "refuse",
		"what an edge of weight 0 does: `refuse|skip|E`: fail, be left out, or weigh E")
	f.StringVar(&o.reduce, "reduce", "auto", "search less of an undirected graph, exactly: `auto|on|off`, or of "+
		strings.Join(kernels.Reductions(), ",")+"; scores do not depend on it")
	f.StringVar(&o.sources, "sources", "all",
		"nodes to search from, `N|all|A:B|@FILE`: N drawn nodes, scores scaled up; the nodes at places A to B-1 "+
			"in the order of the file, or the ids of FILE, one a line, both not scaled")
	o.pairs.addFlags(f)
	f.Int64Var(&o.seed, "seed", 1, "draw by the seed `N`: the same one draws the same nodes, or finds the same groups")
	o.addReadFlags(f)
}

func (o *computeOptions) addThreadsFlag(f *pflag.FlagSet) {
	f.IntVar(&o.threads, "threads", 0, "`N` CPU threads, 0 for all; scores do not depend on it")
}

// addOutputFlags adds the flags on the files that take scores.
func (o *computeOptions) addOutputFlags(f *pflag.FlagSet) {
	f.StringVar(&o.nodesOut, "nodes-out", "",
		"`FILE` for the scores of nodes: id,score (.csv, .csv.gz, .parquet or .arrow; .npy without ids); * for the name of each of several graphs")
	f.StringVar(&o.edgesOut, "edges-out", "", "`FILE` for the scores of edges: src,dst,score, in the order of the input")
}

func newComputeCommand(a *app) *cobra.Command {
	var o computeOptions
	c := &cobra.Command{
		Use:     "compute FILE... --measure M",
		GroupID: groupFiles,
		Short:   "Compute a measure of a graph in a file, without any server",
		Long: `Computes one measure of the graph in FILE; neither server nor config is needed. Without --nodes-out and
--edges-out it prints the ten highest scores. Several files are several graphs, which share the start of a GPU; one that
fails leaves the others be, and --json prints an object for each of the others.

FILE formats, told by the extension, each but .npz and .arrow also with .gz:
  .csv     source, target and optionally weight, by a header (src,dst; source,target; from,to; start,end) or in this
           order without one; separated by commas, semicolons or tabs; any ids. Also .tsv
  .txt     two or three columns separated by white space
  .mtx     MatrixMarket; a symmetric matrix lists one triangle
  .graph   METIS, always undirected
  .npz     a sparse matrix of SciPy (save_npz), one edge per entry
  .arrow   a snapshot, as linchpin export writes it

Measures:
` + measureHelp() + `
Engines of a GPU, for --strategy; auto takes the one that is predicted to be the fastest, and batched stands for those
that search from many sources at a time:
` + strategyHelp(false) + `
LINCHPIN_MEMORY_LIMIT (such as 8GiB) lowers the memory that it may take.

LINCHPIN_PROGRESS (such as 500ms) sets how often a log has a line of progress, every 10s without it.

Research: strategies of the papers, for --strategy, to compare with:
` + strategyHelp(true) + `
--shards N cuts a run into N parts. Each GPU of the machine, or of --devices, takes one part after another, and prepares
the run once; so does the CPU. The plan and --json give the number, and the scores have the same bits for any.` +
			exitSection(statusDone, statusFailed, statusUsage, statusNoGPU, statusTooLarge, statusInterrupted),
		Example: `  linchpin compute roads.csv.gz --measure betweenness --weighted --edges-out scores.csv
  linchpin compute teams/*.csv --measure closeness --nodes-out 'scores/*.csv'`,
		Args: someArgs("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			defer hostmem.Spare()()
			o.given = map[string]bool{}
			c.Flags().Visit(func(f *pflag.Flag) { o.given[f.Name] = true })
			o.takeError()
			return runCompute(c.Context(), a, &o, args)
		},
	}
	o.addFlags(c.Flags())
	o.pairs.several = true
	c.Flags().Lookup("within").Usage += "; several such as 2,5,10 share one pass, and give a column for each: score_2"
	markResearch(c, "strategy", "precision", "reduce", "shards")
	if err := completeComputeFlags(c, &o); err != nil {
		c.RunE = func(*cobra.Command, []string) error { return err }
	}
	return c
}

func runCompute(ctx context.Context, a *app, o *computeOptions, paths []string) error {
	o.look = !a.json && !o.writes()
	spec, err := o.check()
	if err != nil {
		return err
	}
	each, err := o.forEach(paths)
	if err != nil {
		return err
	}
	session := engine.NewSession()
	defer session.Close()
	nodes, err := a.nodesOfCompute(o, session)
	if err != nil {
		return err
	}
	defer nodes.close()
	var failed error
	for i, path := range paths {
		c := newComputation(a, &each[i], spec, path, session)
		c.nodes = nodes
		err := c.do(ctx)
		if err == nil {
			err = c.print(len(paths) > 1)
		}
		if len(paths) == 1 {
			return err
		}
		if err != nil && !strings.HasPrefix(err.Error(), path) {
			err = withHint(fmt.Errorf("%s: %w", path, err), hintOf(err))
		}
		failed = errors.Join(failed, err)
		if noGPU := (*engine.Unavailable)(nil); ctx.Err() != nil || errors.As(err, &noGPU) {
			break
		}
	}
	return failed
}

// writes reports whether a flag names a file for results.
func (o *computeOptions) writes() bool {
	return slices.ContainsFunc(o.outputs(), func(f fileFlag) bool { return *f.path != "" })
}

// fileFlag is a flag that names a file.
type fileFlag struct {
	flag string
	path *string
}

// outputs are the files that a computation writes when it is done.
func (o *computeOptions) outputs() []fileFlag {
	return []fileFlag{
		{"nodes-out", &o.nodesOut}, {"edges-out", &o.edgesOut}, {"dendrogram-out", &o.dendrogramOut},
		{"hierarchy-out", &o.hierarchyOut},
		{"backbone-out", &o.backboneOut}, {"picture-out", &o.pictureOut},
	}
}

// forEach returns the options for each file: its name, without folder and extension, in place of the * of outputs.
func (o *computeOptions) forEach(paths []string) ([]computeOptions, error) {
	out := make([]computeOptions, len(paths))
	of := map[string]string{}
	for i, path := range paths {
		out[i] = *o
		name := strings.TrimSuffix(filepath.Base(path), ".gz")
		name = strings.TrimSuffix(name, filepath.Ext(name))
		outputs := out[i].outputs()
		for _, f := range append(outputs, fileFlag{"journal", &out[i].journal}) {
			switch before, again := of[name]; {
			case *f.path == "", len(paths) == 1 && !strings.Contains(*f.path, "*"):
				continue
			case !strings.Contains(*f.path, "*"):
				return nil, withHint(usagef("--%s %s is one file for %d graphs", f.flag, *f.path, len(paths)),
					"write * where their names belong, as in 'scores/*.csv'")
			case again:
				return nil, usagef("--%s %s: %s and %s have the same name", f.flag, *f.path, before, path)
			}
			*f.path = strings.ReplaceAll(*f.path, "*", name)
		}
		of[name] = path
		for _, f := range outputs {
			if *f.path == "" {
				continue
			}
			if err := errors.Join(o.checkOverwrites(f.flag, *f.path, paths), checkOutput(f.flag, *f.path)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func measureNames() []string {
	var out []string
	for _, m := range kernels.Measures() {
		out = append(out, m.Name)
	}
	return out
}

// strategyHelp lists the strategies of the papers, or all others, some on a line.
func strategyHelp(ofPapers bool) string {
	var names []string
	for _, m := range kernels.Measures() {
		for _, name := range append(m.StrategiesFor(false), m.StrategiesFor(true)...) {
			if kernels.OfPapers(name) == ofPapers && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	var b strings.Builder
	for line := range slices.Chunk(names, 6) {
		fmt.Fprintf(&b, "  %s\n", strings.Join(line, ", "))
	}
	return b.String()
}

// measureHelp lists every measure with what it says and its options.
func measureHelp() string {
	var b strings.Builder
	for _, m := range kernels.Measures() {
		options := make([]string, len(m.Options))
		for i, o := range m.Options {
			options[i] = "--" + o
			if o == "variant" {
				options[i] += " " + strings.Join(m.Variants, "|")
			}
		}
		extra := ""
		if len(options) > 0 {
			extra = " (" + strings.Join(options, ", ") + ")"
		}
		fmt.Fprintf(&b, "  %-22s %s%s\n", m.Name, m.Summary, extra)
	}
	return b.String()
}
