package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/linchpin-graph/linchpin/bench"
	"github.com/linchpin-graph/linchpin/gpu"
)

func measureSuites(ctx context.Context, a *app, o *benchOptions, suites []bench.Suite) error {
	engine := gpu.NewSession()
	defer engine.Close()
	device, reason, err := bench.Probe(ctx, engine, gpu.Policy(o.device))
	if err != nil {
		return err
	}
	if device == "cpu" {
		a.say("measuring the CPU (%s)", reason)
		for i := range suites {
			suites[i] = suites[i].OnCPU()
		}
	} else {
		a.say("measuring %s", device)
	}
	environment := bench.Environment{Driver: driver(ctx, device), Host: bench.Host(), Commit: benchCommit(), Command: o.command}
	cache := o.cache
	if cache == "" {
		if cache, err = os.MkdirTemp("", "linchpin-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(cache)
	}
	r := &bench.Runner{
		Engine: engine, Loader: &bench.Loader{Data: o.data, Cache: cache}, Timing: o.timing, RunLimit: o.runLimit, Budget: o.budget,
		Out: o.out, Known: o.known, Retry: o.retry, Clock: time.Now, Log: func(line string) { a.say("%s", line) },
		Environment: environment,
	}
	err = r.Run(ctx, suites...)
	if errors.Is(err, bench.ErrBudget) {
		return withHint(err, "run the same command again for the rest")
	}
	return err
}

// driver is the version of CUDA that the driver of this device serves; "" where that is not known.
func driver(ctx context.Context, device string) string {
	if device == "cpu" {
		return ""
	}
	for _, d := range gpu.Devices(ctx).Devices {
		if d.Name == device {
			return fmt.Sprintf("CUDA %d.%d", d.Driver/1000, d.Driver%1000/10)
		}
	}
	return ""
}

// benchCommit is the commit this program was built from, marked when files were changed since; where the build has no
// commit, the version, which make takes from git.
func benchCommit() string {
	switch v := buildInfo(); {
	case v.Commit == "unknown":
		return v.Version
	case v.Modified:
		return v.Commit + "-dirty"
	default:
		return v.Commit
	}
}

// printLeft says what is left to measure, and about how long it takes.
func printLeft(a *app, o *benchOptions, suites []bench.Suite) error {
	r := &bench.Runner{Timing: o.timing, Out: o.out, Known: o.known, Retry: o.retry, Log: func(string) {}}
	left, err := r.Left(suites...)
	if err != nil {
		return err
	}
	t := &table{header: []string{"SUITE", "LINES", "SECONDS", "OF UNKNOWN LENGTH"}}
	for _, l := range left {
		t.add(l.Suite, fmt.Sprint(l.Lines), fmt.Sprintf("%.0f", l.Seconds), fmt.Sprint(l.Unknown))
	}
	return t.print(a.stdout)
}

func packGraphs(ctx context.Context, a *app, o *benchOptions) error {
	if o.data == "" && len(o.graphs) == 0 {
		return usagef("--pack needs --data: the folder to read the graphs from")
	}
	graphs, err := bench.ParseGraphs(o.graphs)
	if err != nil {
		return asUsage(err)
	}
	size, err := bench.Pack(ctx, o.data, o.pack, graphs, func(line string) { a.say("%s", line) })
	if err != nil {
		return err
	}
	a.say("%.1f MB in %s", float64(size)/1e6, o.pack)
	return nil
}

func printSuites(a *app) error {
	if a.json {
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
		return a.printJSON(list)
	}
	t := &table{header: []string{"SUITE", "WHAT"}}
	for _, s := range bench.Suites() {
		t.add(s.Name, s.About)
	}
	if err := t.print(a.stdout); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "\nGraphs, each also with +w10, +w1, +w1e3, +w1e6 or +real for weights; capitals stand for numbers:\n  %s\n", strings.Join(bench.GraphForms(), "\n  "))
	return err
}

// say writes a line for a person to standard error.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.stderr, format+"\n", args...)
	}
}
