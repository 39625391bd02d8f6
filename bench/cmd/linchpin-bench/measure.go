package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/bench"
	"github.com/linchpin-graph/linchpin/engine"
)

func measureSuites(ctx context.Context, p *program, o *options, suites []bench.Suite) error {
	session := engine.NewSession()
	defer session.Close()
	device, reason, err := bench.Probe(ctx, session, engine.Policy(o.device))
	if err != nil {
		return err
	}
	if device == "cpu" {
		p.say("measuring the CPU (%s)", reason)
		for i := range suites {
			suites[i] = suites[i].OnCPU()
		}
	} else {
		p.say("measuring %s", device)
	}
	environment := bench.Environment{Driver: driver(ctx, device), Host: bench.Host(), Commit: commit(), Command: o.command}
	cache := o.cache
	if cache == "" {
		if cache, err = os.MkdirTemp("", "linchpin-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(cache)
	}
	r := &bench.Runner{
		Engine: session, Loader: &bench.Loader{Data: o.data, Cache: cache}, Timing: o.timing, RunLimit: o.runLimit,
		Budget: o.budget,
		Out:    o.out, Known: o.known, Retry: o.retry, Clock: time.Now, Log: func(line string) { p.say("%s", line) },
		Environment: environment,
	}
	err = r.Run(ctx, suites...)
	if errors.Is(err, bench.ErrBudget) {
		return fmt.Errorf("%w; run the same command again for the rest", err)
	}
	return err
}

// driver is the version of CUDA that the driver of this device serves; "" where that is not known.
func driver(ctx context.Context, device string) string {
	if device == "cpu" {
		return ""
	}
	for _, d := range engine.Devices(ctx).Devices {
		if d.Name == device {
			return fmt.Sprintf("CUDA %d.%d", d.Driver/1000, d.Driver%1000/10)
		}
	}
	return ""
}

// commit is the commit this program was built from, with "-dirty" when files were changed since. A build without a
// commit, such as one from an archive, reports the version that make takes from git.
func commit() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	settings := map[string]string{}
	for _, s := range build.Settings {
		settings[s.Key] = s.Value
	}
	switch revision := settings["vcs.revision"]; {
	case revision == "":
		return version
	case settings["vcs.modified"] == "true":
		return revision + "-dirty"
	default:
		return revision
	}
}

// printLeft says what is left to measure, and about how long it takes.
func printLeft(p *program, o *options, suites []bench.Suite) error {
	r := &bench.Runner{Timing: o.timing, Out: o.out, Known: o.known, Retry: o.retry, Log: func(string) {}}
	left, err := r.Left(suites...)
	if err != nil {
		return err
	}
	t := table(p.stdout)
	fmt.Fprintln(t, "SUITE\tLINES\tSECONDS\tOF UNKNOWN LENGTH")
	for _, l := range left {
		fmt.Fprintf(t, "%s\t%d\t%.0f\t%d\n", l.Suite, l.Lines, l.Seconds, l.Unknown)
	}
	return t.Flush()
}

func packGraphs(ctx context.Context, p *program, o *options) error {
	if o.data == "" && len(o.graphs) == 0 {
		return usagef("--pack needs --data: the folder to read the graphs from")
	}
	graphs, err := bench.ParseGraphs(o.graphs)
	if err != nil {
		return asUsage(err)
	}
	size, err := bench.Pack(ctx, o.data, o.pack, graphs, func(line string) { p.say("%s", line) })
	if err != nil {
		return err
	}
	p.say("%.1f MB in %s", float64(size)/1e6, o.pack)
	return nil
}

func printSuites(p *program) error {
	if p.json {
		type suite struct {
			Name  string `json:"name"`
			About string `json:"about"`
		}
		list := struct {
			Suites []suite  `json:"suites"`
			Graphs []string `json:"graphs"`
		}{Graphs: bench.GraphForms()}
		for _, s := range bench.Suites() {
			list.Suites = append(list.Suites, suite{s.Name, s.About})
		}
		return printJSON(p.stdout, list)
	}
	t := table(p.stdout)
	fmt.Fprintln(t, "SUITE\tWHAT")
	for _, s := range bench.Suites() {
		fmt.Fprintf(t, "%s\t%s\n", s.Name, s.About)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "\nGraphs, each also with +w10, +w1, +w1e3, +w1e6 or +real for weights; capitals "+
		"stand for numbers, and data:NAME for NAME.csv.gz or NAME/edges.csv.gz of the data folder:\n  %s\n",
		strings.Join(bench.GraphForms(), "\n  "))
	return err
}

// say writes a line for a person to standard error.
func (p *program) say(format string, args ...any) {
	if !p.quiet {
		fmt.Fprintf(p.stderr, format+"\n", args...)
	}
}
