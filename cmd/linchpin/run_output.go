package main

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/file"
	"github.com/linchpin-graph/linchpin/internal/nearest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// outputOptions are the flags of run about files of scores.
type outputOptions struct {
	path, format, of string
	properties       []string
	noWrite          bool
}

func (o *outputOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.path, "output", "",
		"write the scores to `FILE`, too (.csv, .csv.gz, .parquet or .arrow), or - for standard output; "+
			"{of}, {job}, {run} and {date} in it stand for nodes or relationships, the job, the run and the day")
	f.StringVar(&o.format, "format", "",
		"format `F` of --output, instead of that of its extension: csv, csv.gz, parquet or arrow; csv for -")
	f.StringVar(&o.of, "of", "",
		"which scores go to --output: `nodes|relationships`; needed when the job has both, unless FILE has {of}")
	f.StringSliceVar(&o.properties, "properties", nil,
		"`NAMES` of properties that become columns of --output, separated by commas")
	f.BoolVar(&o.noWrite, "no-write", false,
		"write nothing to the database, neither scores nor lock nor record: only files")
}

// check finds flags that do not go together. It needs no config.
func (o *outputOptions) check(a *app, f *pflag.FlagSet, names []string) error {
	if o.path == "" {
		for _, flag := range []string{"output", "format", "of", "properties"} {
			if !f.Changed(flag) {
				continue
			}
			if flag == "output" {
				return usagef("--output names no file")
			}
			return withHint(usagef("--%s has no effect without --output", flag),
				"add --output FILE, or --output - for standard output")
		}
		return nil
	}
	kinds := []string{config.OfNodes, config.OfRelationships}
	formats := file.Formats()
	switch {
	case o.of != "" && !slices.Contains(kinds, o.of):
		return withHint(usagef("--of %q", o.of), nearest.DidYouMean(o.of, kinds))
	case o.format != "" && !slices.Contains(formats, o.format):
		return withHint(usagef("--format %q", o.format), nearest.DidYouMean(o.format, formats))
	case f.Changed("dry-run"):
		return usagef("--output has no effect with --dry-run, which writes nothing")
	case o.path == "-" && a.json:
		return withHint(usagef("--json and --output - both print to standard output"), "name a file for --output")
	case len(names) > 1 && o.path == "-":
		return usagef("--output - takes the scores of one job, but there is also %q", names[1])
	case len(names) > 1 && !strings.Contains(o.path, "{job}"):
		return withHint(usagef("--output %s is one file for %d jobs", o.path, len(names)),
			"write {job} where their names belong")
	case o.path == "-" || o.format != "":
		return nil
	}
	if _, err := file.FormatOf(o.path); err != nil {
		return withHint(usagef("--output %s: the extension names no format of scores", o.path),
			hintOf(err)+", or add --format")
	}
	return nil
}

// requests is what a run is asked for, after a look at what the jobs score.
func (o *outputOptions) requests(a *app, todo []config.Job) ([]jobs.OutputRequest, error) {
	if o.path == "" {
		for _, j := range todo {
			if o.noWrite && len(j.Outputs) == 0 {
				return nil, withHint(usagef("--no-write: the job %s has no outputs, so that its scores would go nowhere", j.Name),
					"add --output FILE, or --output - for standard output")
			}
		}
		return nil, nil
	}
	r := jobs.OutputRequest{Output: config.Output{File: o.path, Of: o.of}}
	for _, p := range o.properties {
		r.Properties = append(r.Properties, config.Property{Property: p})
	}
	if o.format != "" {
		r.Format = "." + o.format
	}
	if o.path == "-" {
		r.To = a.stdout
		if r.Format == "" {
			r.Format = ".csv"
		}
	}
	for _, j := range todo {
		if err := o.checkJob(j, r); err != nil {
			return nil, err
		}
	}
	return []jobs.OutputRequest{r}, nil
}

// checkJob checks the flags against what a job scores.
func (o *outputOptions) checkJob(j config.Job, r jobs.OutputRequest) error {
	problem, hint := r.Check(&j)
	if problem == "" {
		if r.To == nil {
			return checkTarget(o, j, r)
		}
		return nil
	}
	return withHint(usagef("--output %s: %s", o.path, problem), hint)
}

// checkTarget reports a file of --output that could not be written after all the work.
func checkTarget(o *outputOptions, j config.Job, r jobs.OutputRequest) error {
	for _, of := range r.Targets(&j) {
		if err := file.CheckPath(r.Path(j.Name, of, "run", time.Now())); err != nil {
			return withHint(usagef("--output %v", err), hintOf(err))
		}
	}
	return nil
}

// results is where people read how a run ended: standard error when the scores go to standard output.
func (a *app) results(o jobs.Options) io.Writer {
	for _, r := range o.Outputs {
		if r.To != nil {
			if a.quiet {
				return io.Discard
			}
			return a.stderr
		}
	}
	return a.stdout
}

// written lists the files of a run, one per line.
func written(r connector.Run) string {
	text := ""
	for _, path := range r.Outputs {
		text += "\n  written: " + path
	}
	return text
}

// warnOfOutputs warns of files that could not be written on this machine. The config may be meant for another one.
func (a *app) warnOfOutputs(c *config.Config) {
	if a.quiet {
		return
	}
	for _, j := range c.Jobs {
		for _, path := range jobs.OutputPaths(j, time.Now()) {
			if err := file.CheckPath(path); err != nil {
				a.tell(slog.LevelWarn, fmt.Sprintf("job %s: output %v", j.Name, err), hintOf(err))
			}
		}
	}
}
