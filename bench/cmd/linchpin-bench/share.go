package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/linchpin-graph/linchpin/bench"
	"github.com/linchpin-graph/linchpin/engine"
)

// shareRuns times runs that several devices share, or processes.
func shareRuns(ctx context.Context, p *program, o *options) error {
	graphs, err := bench.ParseGraphs(o.graphs)
	switch {
	case err != nil:
		return asUsage(err)
	case o.share != bench.Devices && o.share != bench.Processes:
		return usagef("--share %s; it is devices or processes", o.share)
	case len(graphs) == 0 || o.out == "" || len(o.counts) == 0:
		return usagef("--share needs --graphs, --counts and --out")
	}
	for _, count := range o.counts {
		if count < 1 {
			return usagef("--counts %d", count)
		}
	}
	cache := o.cache
	if cache == "" {
		if cache, err = os.MkdirTemp("", "linchpin-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(cache)
	}
	session := engine.NewSession()
	defer session.Close()
	environment := bench.Environment{Host: bench.Host(), Commit: commit(), Command: o.command}
	if found := engine.Devices(ctx).Devices; len(found) > 0 && o.share == bench.Devices {
		environment.Driver = driver(ctx, found[0].Name)
	}
	s := &bench.Sharer{
		Session: session, Loader: &bench.Loader{Data: o.data, Cache: cache}, By: o.share, Counts: o.counts,
		Seconds: o.timing.Min, Measure: o.one.Measure, Out: o.out, Clock: time.Now,
		Log: func(line string) { p.say("%s", line) }, Environment: environment,
	}
	if o.budget > 0 {
		s.Until = time.Now().Add(o.budget)
	}
	if err := s.Warm(ctx); err != nil {
		return err
	}
	err = s.Run(ctx, graphs)
	if errors.Is(err, bench.ErrBudget) {
		return fmt.Errorf("%w; name the graphs that are left in another call", err)
	}
	return err
}
