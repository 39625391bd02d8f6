package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/policy"
	"github.com/linchpin-graph/linchpin/jobs"
)

// runOptions are the flags of run.
type runOptions struct {
	recompute, dryRun, force, failIfSkipped, ignoreLimits bool
	from, device                                          string
	sample                                                int
	wait                                                  time.Duration
	output                                                outputOptions
	fleet                                                 fleetOptions
}

func (o *runOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.recompute, "recompute", false,
		"run even if neither the graph nor the settings changed, and reuse nothing of earlier runs")
	f.BoolVar(&o.dryRun, "dry-run", false, "export, compute and check, but write nothing")
	f.BoolVar(&o.ignoreLimits, "ignore-limits", false, "write the scores even if the graph is over the job's limits")
	f.BoolVar(&o.force, "force", false, "take over properties that exist already, from another job too")
	f.BoolVar(&o.failIfSkipped, "fail-if-skipped", false, "exit with status 4 when a job is unchanged")
	f.StringVar(&o.from, "from", "", "`STEP` to start from, with what an earlier run left: compute or write")
	f.StringVar(&o.device, "device", "",
		"`DEVICE`: auto, cpu, gpu, gpu:N, gpu:N,N or gpu:all, instead of the job's own device and devices")
	f.DurationVar(&o.wait, "wait", 0,
		"wait for another process's run of the same job, at most `DURATION`, instead of ending with status 4")
	f.Lookup("wait").NoOptDefVal = "24h"
	o.output.addFlags(f)
	o.fleet.addFlags(f)
	f.IntVar(&o.sample, "sample", 0, "estimate from `N` sources, drawn by the job's seed, instead of all")
}

func (o *runOptions) check() (jobs.Options, error) {
	from, err := jobs.ParseFrom(o.from)
	if err != nil {
		return jobs.Options{}, usagef("%v", err)
	}
	if _, err := policy.Parse(o.device); err != nil {
		return jobs.Options{}, withHint(usagef("--device %q", o.device), deviceWords)
	}
	if o.sample < 0 {
		return jobs.Options{}, usagef("--sample %d: it counts sources", o.sample)
	}
	if o.wait < 0 {
		return jobs.Options{}, usagef("--wait %s: it cannot be negative", o.wait)
	}
	return jobs.Options{
		Wait: o.wait, Recompute: o.recompute, DryRun: o.dryRun, Force: o.force, IgnoreLimits: o.ignoreLimits, From: from,
		Device: engine.Policy(o.device), Sample: o.sample,
	}, nil
}

func newRunCommand(a *app) *cobra.Command {
	o := &runOptions{}
	c := &cobra.Command{
		Use:     "run JOB...",
		GroupID: groupDaily,
		Short:   "Run jobs now: export, compute, check, write the scores back",
		Long: `Runs jobs now, one after the other. A job whose graph and settings are those of its last
success is left alone, unless --recompute is given. Scores are checked before anything is written.

A job whose graph is over the job's limits fails before it writes: too small, too much left out,
or much smaller than that of the last success. --ignore-limits allows it once. A run that left
something out or met a change of the database succeeds with warnings; --quiet shows them, too.

--output FILE writes the scores to a file, too: CSV, Parquet or Arrow by its extension, with ids, labels or
types, and --properties. --output - prints them as CSV, and nothing else goes to standard output. Together with
--no-write nothing is written to the database, neither scores nor lock nor record: the user need only read.

Each step leaves its result in the state folder, so that --from compute or --from write can
take up a run that failed later.

A run that takes longer than the job's timeout is cancelled and fails: exit status 1, or 3 once
the write was begun. Ctrl-C, SIGTERM and a closed terminal (SIGHUP) cancel it too: it records that
and gives up its lock.` + exitSection(statusDone, statusFailed, statusUsage, statusUnfinished,
			statusLocked, statusUnreachable, statusNoGPU, statusTooLarge, statusInterrupted),
		Example: `  linchpin run hubs
  linchpin run hubs miles --recompute
  linchpin run hubs --dry-run --sample 1000
  linchpin run hubs --wait=30m --quiet
  linchpin run hubs --output - --properties name --no-write | head
  linchpin run hubs --output 'hubs-{of}-{date}.parquet'`,
		Args: someArgs("JOB"),
		RunE: func(c *cobra.Command, names []string) error {
			options, err := o.check()
			if err != nil {
				return err
			}
			if err := o.output.check(a, c.Flags(), names); err != nil {
				return err
			}
			for _, name := range names {
				if _, err := time.ParseDuration(name); err == nil && c.Flags().Changed("wait") {
					return withHint(usagef("--wait has its time behind an equals sign, but there is %q", name), "write --wait="+name)
				}
			}
			return a.withJobs(c.Context(), names,
				func(ctx context.Context, cfg *config.Config, db *neo4j.DB, todo []config.Job) error {
					for _, w := range cfg.WarningsOf(names) {
						a.warn(w.Mistake)
					}
					options.NoWrite = o.output.noWrite
					if options.Outputs, err = o.output.requests(a, todo); err != nil {
						return err
					}
					return o.runJobsNow(ctx, a, cfg, db, todo, options)
				})
		},
		ValidArgsFunction: a.completeJobs,
	}
	o.addFlags(c.Flags())
	return c
}

// errSkipped marks a job that was unchanged, for --fail-if-skipped.
var errSkipped = errors.New("unchanged, so not run")

func (o *runOptions) runJobsNow(
	ctx context.Context, a *app, cfg *config.Config, db *neo4j.DB, todo []config.Job, with jobs.Options,
) error {
	reporter, session := newReporter(a), engine.NewSession()
	defer session.Close()
	runner := a.runner(cfg, db, reporter)
	runner.Engine = session
	nodes, err := a.nodesOfJobs(&o.fleet, cfg, session)
	if err != nil {
		return err
	}
	defer nodes.close()
	if nodes != nil {
		runner.Engine = nodes.engine
		for i := range todo {
			if todo[i].Compute.LeastNodes() == 0 {
				todo[i].Compute.Nodes = "any"
			}
		}
	}
	return a.runAll(ctx, runner, reporter, todo, with, o.failIfSkipped)
}

// runAll runs jobs one after another, and prints what became of them.
func (a *app) runAll(
	ctx context.Context, runner *jobs.Runner, reporter *reporter, todo []config.Job, o jobs.Options, failIfSkipped bool,
) error {
	results := make([]*jobs.Result, 0, len(todo))
	var failed error
	for _, job := range todo {
		reporter.job = job.Name
		result, err := runner.Run(ctx, job, o)
		results = append(results, result)
		if err == nil && result.Unchanged && failIfSkipped {
			err = errSkipped
		}
		if err != nil {
			failed = errors.Join(failed, withHint(fmt.Errorf("%s: %w", job.Name, err), hintOf(err)))
		} else if !a.json {
			fmt.Fprintln(a.results(o), outcome(job, o, result))
			failed = errors.Join(failed, a.look(o, result))
		}
		if ctx.Err() != nil {
			break
		}
	}
	if a.json {
		failed = errors.Join(failed, a.printJSON(results))
	}
	return failed
}

// look shows the highest scores of a run, unless --quiet is given or standard output carries all scores.
func (a *app) look(o jobs.Options, r *jobs.Result) error {
	if a.quiet || r.Unchanged || r.DryRun || a.results(o) != a.stdout {
		return nil
	}
	if err := a.printHighest(r.Run); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.stdout)
	return err
}

// outcome is one line on what a run did, and one on how to see it.
func outcome(job config.Job, o jobs.Options, r *jobs.Result) string {
	switch {
	case r.Unchanged:
		return fmt.Sprintf("%s: unchanged since the last run, nothing written (--recompute runs it all the same)", job.Name)
	case r.DryRun:
		return fmt.Sprintf("%s: dry run done in %.1f s, nothing written%s", job.Name, total(r.Run.Seconds),
			listed(r.Run.Ways))
	}
	files := written(r.Run)
	if o.NoWrite || job.Write.Mode == config.NoMode {
		return fmt.Sprintf("%s: %s in %.1f s, nothing written to the database%s", job.Name, doneWith(r.Run),
			total(r.Run.Seconds), files)
	}
	text := ending(r.Run) + files
	if job.Write.Mode != string(connector.InPlace) {
		text += "\n  how to read them: linchpin jobs --cypher " + job.Name
	} else if query := topQuery(job, r.Run); query != "" {
		text += "\n  see them: " + query
	}
	return text
}

// listed are the ways to compute, one a line.
func listed(ways []connector.Way) string {
	text := ""
	for _, w := range ways {
		text += fmt.Sprintf("\n  %s: %s", w.Measure, w.Reason)
	}
	return text
}

// ending is one line on a run that succeeded.
func ending(r connector.Run) string {
	return fmt.Sprintf("%s: %s in %.1f s, %d scored entities written", r.Job, doneWith(r), total(r.Seconds),
		r.Write.Written)
}

// doneWith says that a run is done, and with how many warnings.
func doneWith(r connector.Run) string {
	if n := len(r.Warnings); n > 0 {
		return "done with " + counted(n, "warning")
	}
	return "done"
}

// topQuery is the Cypher that shows the ten highest scores of a run in place, without entities that have none: they
// would come first.
func topQuery(job config.Job, r connector.Run) string {
	const query = "MATCH %s WHERE %s IS NOT NULL RETURN %s ORDER BY %[2]s DESC LIMIT 10"
	var types []string
	for _, rel := range job.Graph.Relationships {
		types = append(types, rel.Type)
	}
	switch {
	case len(r.NodeProperties) > 0:
		return fmt.Sprintf(query, "(n"+cypherNames(jobs.Projection(job.Graph).Labels)+")",
			"n."+cypherName(r.NodeProperties[0]), "n")
	case len(r.RelationshipProperties) > 0:
		return fmt.Sprintf(query, "(a)-[r"+cypherNames(types)+"]->(b)",
			"r."+cypherName(r.RelationshipProperties[0]), "a, r, b")
	}
	return ""
}

// cypherNames is the part of a pattern that demands one of the labels or types, or nothing.
func cypherNames(names []string) string {
	if len(names) == 0 {
		return ""
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = cypherName(name)
	}
	return ":" + strings.Join(quoted, "|")
}

// cypherName quotes a name where Cypher needs it.
func cypherName(name string) string {
	for i, r := range name {
		if r != '_' && !(r >= 'a' && r <= 'z') && !(r >= 'A' && r <= 'Z') && !(i > 0 && r >= '0' && r <= '9') {
			return neo4j.Quote(name)
		}
	}
	return name
}

func total(seconds map[string]float64) float64 {
	sum := 0.0
	for _, s := range seconds {
		sum += s
	}
	return sum
}

// completeJobs offers the job names of the config to the shell.
func (a *app) completeJobs(_ *cobra.Command, have []string, prefix string) ([]string, cobra.ShellCompDirective) {
	a.quiet = true // the shell wants names alone
	c, err := a.loadJobs()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, j := range c.Jobs {
		if strings.HasPrefix(j.Name, prefix) && !slices.Contains(have, j.Name) {
			out = append(out, j.Name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
