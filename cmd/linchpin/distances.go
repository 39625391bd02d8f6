package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
)

// distancesOptions are the flags of distances: those of compute that matter to it, and a file for the rows.
type distancesOptions struct {
	computeOptions
	rowsOut string
}

func (o *distancesOptions) addFlags(f *pflag.FlagSet) {
	var all pflag.FlagSet
	o.computeOptions.addFlags(&all)
	for _, name := range []string{"weighted", "directed", "parallel", "zero-weights", "weight-as", "strategy", "device",
		"threads", "sources", "seed", "tolerance", "header", "no-header"} {
		f.AddFlag(all.Lookup(name))
	}
	f.StringVar(&o.rowsOut, "rows-out", "",
		"`FILE` for the distance of every pair: src,dst,distance (.csv or .csv.gz), pairs without a path left out; or an array (.npy)")
}

func newDistancesCommand(a *app) *cobra.Command {
	var o distancesOptions
	c := &cobra.Command{
		Use:     "distances FILE",
		GroupID: groupResearch,
		Short:   "Tell how far the nodes of a graph in a file lie apart: number of pairs, mean, diameter, hop plot",
		Long: `Searches from every node of the graph in FILE, or from those of --sources, and tells how many ordered pairs of a source
and another node have a path, their mean and greatest distance, and by hops how many lie 1, 2, ... apart. With --rows-out
it writes the distance of every pair as well. The formats of FILE are those of compute.

An array (.npy) has a row for each source and a column for each node, in the order of compute --nodes-out: int32 for hops,
-1 without a path, and float64 with --weighted, infinite without a path. Memory holds some rows at a time. If the
command is interrupted, the same command goes on with the row at which it stopped.` +
			exitSection(statusDone, statusFailed, statusUsage, statusNoGPU, statusTooLarge, statusInterrupted),
		Example: `  linchpin distances roads.csv.gz --sources 1000
  linchpin distances roads.csv.gz --weighted --sources @stations.txt --rows-out apart.csv.gz`,
		Args: oneArg("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			o.given = map[string]bool{}
			c.Flags().Visit(func(f *pflag.Flag) { o.given[f.Name] = true })
			return runDistances(c.Context(), a, &o, args[0])
		},
	}
	o.addFlags(c.Flags())
	return c
}

// distanceSpec stands for distances where compute has a measure: searched for as closeness is, or stress for rows.
func (o *distancesOptions) distanceSpec() kernels.Measure {
	like := "closeness"
	if o.rowsOut != "" {
		like = "stress"
	}
	spec, _ := kernels.Lookup(like)
	spec.Name, spec.BySource, spec.Reducible, spec.Chained, spec.Options, spec.Variants = "distances", true, false,
		false, nil, nil
	return spec
}

func (o *distancesOptions) check() (kernels.Measure, error) {
	spec := o.distanceSpec()
	o.precision, o.reduce = kernels.DefaultPrecision, kernels.ReduceOff
	for _, check := range []func(kernels.Measure) error{o.checkWords, o.checkDevice, o.checkOptions, o.checkZeroWeights,
		o.checkWeightAs, o.checkSampling} {
		if err := check(spec); err != nil {
			return spec, err
		}
	}
	if p := engine.Policy(o.device); isShared(p) {
		return spec, withHint(usagef("--device %s: distances are of one GPU", p), "such as --device gpu:0")
	}
	if o.rowsOut == "" {
		if o.given["rows-out"] {
			return spec, usagef("--rows-out names no file")
		}
		return spec, nil
	}
	if name := strings.ToLower(o.rowsOut); !strings.HasSuffix(name, ".csv") && !strings.HasSuffix(name, ".csv.gz") &&
		!isArray(name) {
		return spec, withHint(usagef("--rows-out %s: the extension names no format of distances", o.rowsOut),
			"use .csv, .csv.gz or .npy")
	}
	return spec, nil
}

// distancesResult is what distances --json prints.
type distancesResult struct {
	File     string `json:"file"`
	N        int    `json:"n"`
	M        int    `json:"m"`
	Directed bool   `json:"directed"`
	Weighted bool   `json:"weighted"`
	Sources  int    `json:"sources"`
	kernels.DistanceSummary
	Strategy string          `json:"strategy,omitempty"` // of a GPU
	Device   string          `json:"device"`
	Reason   string          `json:"reason"`
	Fallback protocol.Reason `json:"fallback,omitempty"`
	Seconds  seconds         `json:"seconds"`
	RowsOut  string          `json:"rowsOut,omitempty"`
}

func runDistances(ctx context.Context, a *app, o *distancesOptions, path string) error {
	spec, err := o.check()
	if err == nil && o.rowsOut != "" {
		err = errors.Join(o.checkOverwrites("rows-out", o.rowsOut, []string{path}), checkOutput("rows-out", o.rowsOut))
	}
	if err != nil {
		return err
	}
	c := newComputation(a, &o.computeOptions, spec, path, engine.NewSession())
	defer c.engine.Close()
	d := &distancesRun{computation: c, options: o}
	if err := c.stepThrough(ctx, d.plan, d.compute); err != nil {
		return err
	}
	return d.print()
}

// distancesRun is one run of distances FILE.
type distancesRun struct {
	*computation
	options *distancesOptions
	summary *kernels.DistanceSummary
}

// plan finds the sources and refuses what would not fit.
func (d *distancesRun) plan(context.Context) (string, error) {
	g := d.snapshot.Graph
	params := kernels.Params{Weighted: d.options.Weighted, Tolerance: d.options.Tolerance}
	request := kernels.Request{Params: params, Threads: d.options.threads}
	var err error
	if request.Sources, _, err = d.options.resolveSources(d.snapshot); err != nil {
		return "", err
	}
	d.work.Task = d.task(request)
	d.work.Task.Measure = "" // distances are none
	free, err := hostmem.Available()
	if err != nil {
		return "", asUsage(err)
	}
	need := distances.Bytes(kernels.Size{Nodes: int64(g.N()), Edges: int64(g.M()), Directed: g.Directed}, request)
	if need > free {
		return "", withHint(tooLarge("distances of "+counted(g.N(), "node"), need, free), "fewer --threads need less")
	}
	return hostmem.FormatBytes(need) + " of memory in addition to the graph", nil
}

func (d *distancesRun) compute(ctx context.Context) (string, error) {
	task := d.work.Task
	var err error
	if d.options.rowsOut == "" {
		d.summary, d.work.Outcome, err = d.engine.SummarizeDistances(ctx, task)
	} else {
		err = d.writeRows(ctx, task)
	}
	if err != nil {
		return "", d.inFile(err)
	}
	return jobs.Computed(&d.work), nil
}

// writeRows writes the rows to a file, which takes its name when all of them stand in it, and sums them up.
func (d *distancesRun) writeRows(ctx context.Context, task engine.Task) error {
	path := d.options.rowsOut
	if isArray(path) {
		return d.writeArray(ctx, task)
	}
	p, err := export.CreatePending(path)
	if err != nil {
		return file.WriteError(path, err)
	}
	defer p.Discard()
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		zip := gzip.NewWriter(p)
		if err = d.rows(ctx, task, zip); err == nil {
			err = zip.Close()
		}
	} else {
		err = d.rows(ctx, task, p)
	}
	if err == nil {
		err = p.Commit()
	}
	if lost := (*fs.PathError)(nil); errors.As(err, &lost) {
		return file.WriteError(path, err)
	}
	return err
}

func isArray(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".npy") }

// writeArray writes the rows to an array of NumPy, from the row on that an earlier process came to.
func (d *distancesRun) writeArray(ctx context.Context, task engine.Task) error {
	a, err := jobs.OpenDistances(d.options.rowsOut, task)
	if err != nil {
		return err
	}
	defer a.Close()
	if a.Done > 0 {
		d.tell(slog.LevelInfo, fmt.Sprintf("%s: goes on after %s", d.options.rowsOut, counted(a.Done, "row")), "")
	}
	if d.summary, d.work.Outcome, err = jobs.WriteDistances(ctx, d.engine, task, a); err != nil {
		return err
	}
	return a.Commit()
}

// rows computes the rows and writes them.
func (d *distancesRun) rows(ctx context.Context, task engine.Task, to io.Writer) (err error) {
	out := bufio.NewWriterSize(to, 1<<16)
	if _, err := out.WriteString("src,dst,distance\n"); err != nil {
		return err
	}
	total := jobs.NewDistanceTotal(d.work.Task.Request.Weighted)
	d.work.Outcome, err = d.engine.Distances(ctx, task, func(source int32, distances []float64) error {
		total.Add(source, distances)
		return d.writeRow(out, source, distances)
	})
	if err != nil {
		return err
	}
	d.summary = total.Summary(d.snapshot.Graph)
	return out.Flush()
}

func (d *distancesRun) writeRow(out *bufio.Writer, source int32, distances []float64) error {
	from := file.AppendField(nil, d.snapshot.Nodes.String(int(source)))
	var line []byte
	for v, x := range distances {
		if math.IsInf(x, 1) {
			continue
		}
		line = append(append(line[:0], from...), ',')
		line = append(file.AppendField(line, d.snapshot.Nodes.String(v)), ',')
		line = append(strconv.AppendFloat(line, x, 'g', -1, 64), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// print shows the summary.
func (d *distancesRun) print() error {
	g, s, out, request := d.snapshot.Graph, d.summary, d.work.Outcome, &d.work.Task.Request
	sources := request.SourceCount(g.N())
	if d.json {
		return d.printJSON(distancesResult{
			File: d.path, N: g.N(), M: g.M(), Directed: g.Directed, Weighted: request.Weighted, Sources: sources,
			DistanceSummary: *s, Strategy: out.Strategy, Device: out.Device, Reason: out.Reason, Fallback: out.Fallback,
			Seconds: d.seconds(), RowsOut: d.options.rowsOut,
		})
	}
	fmt.Fprintf(d.stdout, "%s from %s: mean distance %s, greatest %s\n", counted(int(s.Pairs), "pair"),
		counted(sources, "source"), score(s.Mean), score(s.Diameter))
	fmt.Fprintln(d.stdout, componentsText(s.Components, s.LargestComponent))
	if len(s.Hops) == 0 {
		return nil
	}
	t := &table{header: []string{"HOPS", "PAIRS"}, right: []bool{true, true}}
	for h, pairs := range s.Hops[1:] {
		t.add(strconv.Itoa(h+1), strconv.FormatInt(pairs, 10))
	}
	return t.print(d.stdout)
}

// componentsText says in how many parts a graph is.
func componentsText(count, largest int64) string {
	if count == 1 {
		return "1 component"
	}
	return fmt.Sprintf("%d components, the largest of %s", count, counted(int(largest), "node"))
}
