package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/kernels"
)

// shardOptions are the flags of shard.
type shardOptions struct {
	compute   computeOptions
	index, of int
	out       string
	graph     string // a job's snapshot
	wait      time.Duration
}

// mostParts is more than any batch system starts processes.
const mostParts = 100_000

// partSuffix ends the names of files of parts.
const partSuffix = ".part"

func newShardCommand(a *app) *cobra.Command {
	var o shardOptions
	c := &cobra.Command{
		Use:     "shard FILE|JOB",
		GroupID: groupBatch,
		Short:   "Compute one part of a run, for batch systems",
		Long: `Computes one of K parts of a run and writes it to a file of its own. Start K processes with the indices 0 to K-1,
on as many machines as you like; they need not know each other. "linchpin merge" makes the scores of their files.
The scores have the same bits for any K. They are those of "linchpin compute" or "linchpin run" with the same --device
and, on a GPU, the same --strategy.

With --measure, FILE is a graph in a file, in the formats of "linchpin compute", and the flags are those of compute.
Without it, JOB is a job of the config. Its graph is read from the snapshot of --graph, which "linchpin export" writes,
or else from the snapshot that the last run left in the state folder of this machine. The database is not read.

A part is computed on a GPU if this machine has one, and on the CPU otherwise. --device chooses, or for a job its config.
All parts of a run must be of the same build of linchpin and the same kind of device. So where some machines have a GPU,
give all processes --device gpu, which fails without one, or --device cpu. Each process takes one GPU.

Exit status 0 means that the file is complete. A process that is killed leaves no file of that name, and can be
started again.` + exitSection(statusDone, statusFailed, statusUsage, statusNoGPU, statusTooLarge, statusInterrupted),
		Example: `  linchpin shard roads.csv --measure betweenness --index 0 --of 3
  linchpin shard roads.csv --measure betweenness --index 17 --of 64 --out parts/
  linchpin shard roads.csv --measure betweenness --index 17 --of 64 --out parts/ --device gpu
  linchpin shard hubs --graph hubs.arrow --index 0 --of 3`,
		Args: oneArg("FILE or JOB"),
		RunE: func(c *cobra.Command, args []string) error {
			o.compute.given = givenFlags(c.Flags())
			if err := o.check(args[0]); err != nil {
				return err
			}
			if o.compute.measure == "" {
				return runShardOfJob(c.Context(), a, &o, args[0])
			}
			return runShardOfFile(c.Context(), a, &o, args[0])
		},
		ValidArgsFunction: a.completeFilesAndJobs,
	}
	o.addFlags(c.Flags())
	markResearch(c, "reduce", "strategy", "precision")
	if err := completeComputeFlags(c, &o.compute); err != nil {
		c.RunE = func(*cobra.Command, []string) error { return err }
	}
	return c
}

// completeFilesAndJobs offers the jobs of the config and the files of the folder to the shell.
func (a *app) completeFilesAndJobs(
	c *cobra.Command, have []string, prefix string,
) ([]string, cobra.ShellCompDirective) {
	found, _ := a.completeJobs(c, have, prefix)
	return found, cobra.ShellCompDirectiveDefault
}

// givenFlags are the flags of a command line.
func givenFlags(f *pflag.FlagSet) map[string]bool {
	out := map[string]bool{}
	f.Visit(func(f *pflag.Flag) { out[f.Name] = true })
	return out
}

func (o *shardOptions) addFlags(f *pflag.FlagSet) {
	o.addTaskFlags(f)
	o.compute.addThreadsFlag(f)
	f.StringVar(&o.compute.device, "device", "auto",
		"where to compute, `auto|cpu|gpu|gpu:N`; auto takes a GPU if there is one, gpu fails without one")
	f.IntVar(&o.index, "index", 0, "number `I` of the part, 0 to K-1")
	f.IntVar(&o.of, "of", 0, "`K` parts in all")
	f.StringVarP(&o.out, "out", "o", "",
		"`FILE` for the part, or a folder for it; one with a / at its end is made (default NAME.I-of-K.part)")
	f.DurationVar(&o.wait, "wait", 0, "wait for the file of the graph to be there, at most `DURATION`")
	f.StringVar(&o.graph, "graph", "",
		"snapshot `FILE` of a job's graph, .arrow (default: what the job's last run left on this machine)")
}

// addTaskFlags adds the flags that a job has in the config instead.
func (o *shardOptions) addTaskFlags(f *pflag.FlagSet) {
	o.compute.addTaskFlags(f)
	f.StringVar(&o.compute.strategy, "strategy", "auto", "method `S` of the GPU; auto chooses. Not with --device cpu")
	f.StringVar(&o.compute.precision, "precision", kernels.DefaultPrecision,
		"`"+strings.Join(kernels.Precisions(), "|")+"`; single is faster on a GPU and right to 1e-5. Not with --device cpu")
	f.BoolVar(&o.compute.nodes, "nodes", false,
		"score nodes; the default where the measure scores nodes, unless --edges is given")
	f.BoolVar(&o.compute.edges, "edges", false, "score edges")
}

func (o *shardOptions) check(name string) error {
	given := o.compute.given
	switch {
	case !given["index"] || !given["of"]:
		return withHint(usagef("--index and --of are needed"), "--index 0 --of 3 is the first of three parts")
	case o.wait < 0:
		return usagef("--wait %s: it cannot be negative", o.wait)
	case o.of < 1 || o.of > mostParts:
		return usagef("--of %d: from 1 to %d", o.of, mostParts)
	case o.index < 0 || o.index >= o.of:
		return usagef("--index %d: from 0 to %d with --of %d", o.index, o.of-1, o.of)
	case o.compute.measure == approximable && given["error"]:
		return withHint(usagef("--error has no effect: samples with a bound are not cut into parts"),
			"samples of --sources are; linchpin compute takes --error")
	case o.compute.measure != "" && o.graph != "":
		return withHint(usagef("--graph is for jobs, and --measure for graphs in files"), "name the graph in place of FILE")
	case o.compute.measure == "":
		if err := o.checkJob(name); err != nil {
			return err
		}
	}
	if err := checkDeviceFlag(o.compute.device); err != nil {
		return err
	}
	return o.checkOut(name)
}

// checkJob finds flags that do not go with a job.
func (o *shardOptions) checkJob(name string) (err error) {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return withHint(usagef("--measure is missing"), "one of "+strings.Join(measureNames(), ", "))
	}
	var unused shardOptions
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	unused.addTaskFlags(f)
	f.VisitAll(func(f *pflag.Flag) {
		if o.compute.given[f.Name] && err == nil {
			err = withHint(usagef("--%s does not go with a job", f.Name),
				"set it in the config, or add --measure for a graph in a file")
		}
	})
	return err
}

// checkOut completes the name of the part, and finds one that cannot be written.
func (o *shardOptions) checkOut(name string) error {
	base := name
	if o.compute.measure != "" {
		base = strings.TrimSuffix(filepath.Base(name), ".gz")
		base = strings.TrimSuffix(base, filepath.Ext(base))
	}
	base = fmt.Sprintf("%s.%0*d-of-%d%s", base, len(fmt.Sprint(o.of-1)), o.index, o.of, partSuffix)
	if strings.HasSuffix(o.out, "/") {
		if err := os.MkdirAll(o.out, 0o777); err != nil {
			return usagef("--out %s: %s", o.out, plainReason(err))
		}
	}
	info, err := os.Stat(o.out)
	switch {
	case o.out == "":
		o.out = base
	case err == nil && info.IsDir():
		o.out = filepath.Join(o.out, base)
	}
	if filepath.Ext(o.out) != partSuffix {
		return usagef("--out %s: the name of a part ends in %s; a / at its end makes it a folder", o.out, partSuffix)
	}
	return checkOutput("out", o.out)
}
