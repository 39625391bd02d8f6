package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// mergeOptions are the flags of merge.
type mergeOptions struct {
	compute      computeOptions
	graph, job   string
	complete     bool
	mixed        bool
	force        bool
	ignoreLimits bool
	wait         time.Duration
}

func newMergeCommand(a *app) *cobra.Command {
	var o mergeOptions
	c := &cobra.Command{
		Use:     "merge PART...",
		GroupID: groupBatch,
		Short:   "Make scores of the parts that shard computed",
		Long: `Makes scores of the parts of a run. PART is a file that "linchpin shard" wrote, or a folder of such files
(*.part). Parts that are missing, damaged, there twice, or of another graph, job, version, kind of device or other options
are refused, and nothing is written. The scores have the same bits for any number of parts.

The parts of a graph in a file know where the file was; --graph names it if it is elsewhere now. Without --nodes-out
and --edges-out, merge prints the ten highest scores.

The parts of a job need --job. The scores go to the database as those of "linchpin run JOB --from compute" do: under the
job's lock, and with a record. The graph is read from --graph, or else from the snapshot that the last run left in the
state folder of this machine.

The parts of a GPU are merged without one, unless they leave some work to it: reductions to undo, or sources that need a
second search in wider numbers. Merge then says so. Parts of several kinds of GPU differ in their last digits; --mixed takes
them, and the scores are right to 1e-9 (to 1e-5 in single precision).

--complete computes the parts that are missing, damaged or cannot be read, on the same kind of device. --wait waits for
them first. Merge changes no part, so a merge that was ended can be repeated.` +
			exitSection(statusDone, statusFailed, statusUsage, statusUnfinished,
				statusLocked, statusUnreachable, statusNoGPU, statusTooLarge, statusInterrupted),
		Example: `  linchpin merge roads.*.part --nodes-out scores.csv
  linchpin merge parts/ --complete --edges-out scores.parquet
  linchpin merge --job hubs --graph hubs.arrow parts/`,
		Args: someArgs("PART"),
		RunE: func(c *cobra.Command, args []string) error {
			o.compute.given = givenFlags(c.Flags())
			if err := o.check(); err != nil {
				return err
			}
			m, err := o.collect(c.Context(), a, args)
			if err != nil {
				return err
			}
			defer m.session.Close()
			if o.job != "" {
				return m.intoDatabase(c.Context())
			}
			return m.intoFiles(c.Context())
		},
	}
	o.addFlags(c.Flags())
	if err := c.RegisterFlagCompletionFunc("job", a.completeJobs); err != nil {
		c.RunE = func(*cobra.Command, []string) error { return err }
	}
	return c
}

func (o *mergeOptions) addFlags(f *pflag.FlagSet) {
	o.compute.addOutputFlags(f)
	o.compute.addThreadsFlag(f)
	f.StringVar(&o.graph, "graph", "", "`FILE` of the graph, if it is not where it was when the parts were computed")
	f.StringVar(&o.job, "job", "", "write the scores of the parts of `JOB` to the database")
	f.BoolVar(&o.complete, "complete", false,
		"compute the parts that are missing, and those that are damaged or cannot be read")
	f.BoolVar(&o.mixed, "mixed", false, "take parts of several kinds of GPU, whose scores may differ in their last digits")
	f.DurationVar(&o.wait, "wait", 0, "wait for parts that are missing, and for the job's lock, at most `DURATION`")
	f.BoolVar(&o.ignoreLimits, "ignore-limits", false, "write the scores even if the graph is over the job's limits")
	f.BoolVar(&o.force, "force", false, "take over properties that exist already, from another job too")
}

func (o *mergeOptions) check() error {
	given := o.compute.given
	switch {
	case o.wait < 0:
		return usagef("--wait %s: it cannot be negative", o.wait)
	case o.compute.threads < 0:
		return usagef("--threads %d: 0 stands for all", o.compute.threads)
	case o.job == "" && (o.force || o.ignoreLimits):
		return usagef("--force and --ignore-limits are for the parts of a job: add --job")
	case o.job != "" && (given["nodes-out"] || given["edges-out"]):
		return withHint(usagef("--nodes-out and --edges-out do not go with --job"), "the job's outputs are in the config")
	}
	return nil
}

// checkJob finds parts of a job without --job, and the other way round.
func (o *mergeOptions) checkJob(f *parts.File) error {
	switch {
	case f.Job == o.job:
		return nil
	case f.Job == "":
		return withHint(usagef("%s is of a graph in a file, not of job %s", f.Path, o.job), "leave --job out")
	case o.job == "":
		return withHint(usagef("%s is of job %s", f.Path, f.Job), "add --job "+f.Job+" to write its scores to the database")
	}
	return usagef("%s is of job %s, not of job %s", f.Path, f.Job, o.job)
}

// checkMissing refuses parts that are missing, unless they are to be computed.
func (o *mergeOptions) checkMissing(f *parts.File, missing []int) error {
	if len(missing) == 0 || o.complete {
		return nil
	}
	what := "part " + parts.Numbers(missing) + " of %d is missing"
	if len(missing) > 1 {
		what = "parts " + parts.Numbers(missing) + " of %d are missing"
	}
	return withHint(usagef(what, f.Of), fmt.Sprintf(
		"compute them with linchpin shard (--index %d --of %d), or add --complete to compute them here", missing[0], f.Of))
}

// merger is what computes in place of an engine.
func (m *merging) merger(note func(string)) *jobs.Merger {
	return &jobs.Merger{Parter: m.session, Files: m.files, Complete: m.options.complete,
		Mixed: m.options.mixed, Note: note}
}

// policy is that of the parts: it plans for a GPU if they are of one.
func (m *merging) policy() engine.Policy {
	if m.files[0].Tasks[0].By.OnGPU() {
		return engine.Auto
	}
	return engine.CPU
}

// intoFiles makes scores of the parts of a graph in a file.
func (m *merging) intoFiles(ctx context.Context) error {
	var from fileSettings
	if err := json.Unmarshal(m.files[0].Settings, &from); err != nil {
		return fmt.Errorf("%s: %w", m.files[0].Path, err)
	}
	o := &m.options.compute
	path := cmp.Or(m.options.graph, from.File)
	if _, err := os.Stat(path); err != nil {
		return withHint(usagef("the graph %s cannot be read: %s", path, plainReason(err)),
			"--graph FILE says where it is now")
	}
	o.use(from)
	o.device = string(m.policy())
	if err := o.checkParts(m.files[0]); err != nil {
		return err
	}
	o.look = !m.json && o.nodesOut == "" && o.edgesOut == ""
	spec, err := o.check()
	if err != nil {
		return err
	}
	each, err := o.forEach([]string{path})
	if err != nil {
		return err
	}
	c := newComputation(m.app, &each[0], spec, path, m.session)
	m.noteUnreadable(c.report.Note)
	c.merger = m.merger(c.report.Note)
	if err := c.do(ctx); err != nil {
		return err
	}
	for _, out := range []string{o.nodesOut, o.edgesOut} {
		sweep(out, m.begun)
	}
	return c.print(false)
}

// sweep removes what processes that were killed left half written of a file: what nobody has written to since this one
// began.
func sweep(path string, begun time.Time) {
	if path != "" {
		file.Sweep(path, time.Since(begun))
	}
}

// use takes over the settings of parts.
func (o *computeOptions) use(from fileSettings) {
	o.measure, o.Params, o.directed, o.parallel = from.Measure, from.Params, from.Directed, from.Parallel
	o.zeroWeights, o.weightAs, o.header, o.noHeader = from.ZeroWeights, cmp.Or(from.WeightAs, asLength), from.Header,
		from.NoHeader
	o.sources, o.seed, o.reduce, o.nodes, o.edges = from.Sources, from.Seed, from.Reduce, from.Nodes, from.Edges
	o.pairs = pairOptions{targets: cmp.Or(from.Targets, "all"), demand: from.Demand,
		demandOf: cmp.Or(from.DemandOf, demandOfBoth)}
	if from.Within > 0 {
		o.pairs.within = []float64{from.Within}
	}
	o.strategy, o.precision = cmp.Or(from.Strategy, "auto"), cmp.Or(from.Precision, kernels.DefaultPrecision)
}

// checkParts finds outputs of scores that the parts have not, and sets the scores that they have.
func (o *computeOptions) checkParts(f *parts.File) error {
	have := f.Tasks[0]
	switch {
	case o.nodesOut != "" && !have.Nodes:
		return withHint(usagef("--nodes-out: the parts have no scores of nodes"), "compute them with linchpin shard --nodes")
	case o.edgesOut != "" && !have.Edges:
		return withHint(usagef("--edges-out: the parts have no scores of edges"), "compute them with linchpin shard --edges")
	}
	o.nodes, o.edges = have.Nodes, have.Edges
	return nil
}
