package main

import (
	"context"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/jobs"
)

// intoDatabase runs the job from its compute step on, with the scores that the parts make.
func (m *merging) intoDatabase(ctx context.Context) error {
	o := m.options
	return m.withJobs(ctx, []string{o.job},
		func(ctx context.Context, cfg *config.Config, db *neo4j.DB, found []config.Job) error {
			reporter := newReporter(m.app)
			m.noteUnreadable(reporter.Note)
			runner := m.runner(cfg, db, reporter)
			runner.Engine = m.merger(reporter.Note)
			if o.compute.given["threads"] {
				found[0].Compute.Threads = o.compute.threads
			}
			return m.runAll(ctx, runner, reporter, found, jobs.Options{
				From: jobs.Compute, Graph: o.graph, Device: m.policy(), Force: o.force, IgnoreLimits: o.ignoreLimits, Wait: o.wait,
			}, false)
		})
}
