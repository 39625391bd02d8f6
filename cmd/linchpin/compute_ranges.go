package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/jobs"
)

// rangeWork is the computation of one of several ranges.
type rangeWork struct {
	within float64
	work   *jobs.Computation
	edges  []float64 // one score a row of the input
}

// checkRanges finds ranges that are none.
func (o *computeOptions) checkRanges() error {
	p := o.pairs
	for i, x := range p.within {
		switch {
		case !(x > 0 && x <= math.MaxFloat64):
			return usagef("--within %v: a range is a number greater than 0", x)
		case slices.Contains(p.within[:i], x):
			return usagef("--within: the range %v is given twice", x)
		}
	}
	switch {
	case o.given["within"] && len(p.within) == 0:
		return withHint(usagef("--within names no range"), "such as --within 5, or --within 2,5,10")
	case len(p.within) < 2:
		return nil
	case !p.several:
		return withHint(usagef("--within: %d ranges, and this command takes one", len(p.within)),
			"linchpin compute takes several")
	case strings.HasSuffix(strings.ToLower(o.nodesOut), ".npy"):
		return withHint(usagef("--nodes-out %s: an array holds one score per node, and --within has %d ranges", o.nodesOut,
			len(p.within)), "use .csv, .parquet or .arrow")
	}
	return nil
}

// longest is the greatest of the ranges; 0 for none.
func (o *pairOptions) longest() float64 {
	if len(o.within) == 0 {
		return 0
	}
	return slices.Max(o.within)
}

// split makes a computation of each range, where there are several. They share one pass if this process computes all of
// the run. A range that holds every pair is dropped, and has a pass of its own.
func (c *computation) split(ctx context.Context) {
	all := c.options.pairs.within
	if c.ranges = nil; len(all) < 2 {
		return
	}
	for _, within := range all {
		one := c.work
		pairs := *one.Task.Request.Pairs
		pairs.Within, one.Task.Request.Pairs = within, &pairs
		one.DropRange(ctx)
		c.ranges = append(c.ranges, rangeWork{within: within, work: &one})
	}
	if c.options.shards <= 1 && c.nodes == nil {
		c.shareRanges()
	}
	c.work = *c.ranges[0].work
}

// shareRanges has the ranges that were not dropped share one pass.
func (c *computation) shareRanges() {
	var kept []*jobs.Computation
	for _, r := range c.ranges {
		if r.work.Task.Request.Within() > 0 {
			kept = append(kept, r.work)
		}
	}
	jobs.Share(kept)
}

// computeRanges computes the scores of each range.
func (c *computation) computeRanges(ctx context.Context) (string, error) {
	ranking, text := c.work.Ranking, ""
	for i := range c.ranges {
		r := &c.ranges[i]
		first, dropped := ranking.First(), r.work.Task.Request.Within() == 0
		if alike := dropped == (c.work.Task.Request.Within() == 0); alike &&
			(first == nil || first.Device == plan.CPU || ranking.OnePass) {
			r.work.Ranking = ranking // otherwise a device searches for each range in a way of its own
		}
		if err := r.work.Compute(ctx, c.computes()); err != nil {
			return "", c.inFile(err)
		}
		if scores := r.work.Outcome.Scores.Edges; scores != nil {
			r.edges = c.snapshot.Rels.Spread(scores, c.spec.BothEdges(r.work.Task.Request.Params))
		}
		text += fmt.Sprintf("; within %v: %s", r.within, jobs.PairsOf(r.work))
	}
	c.work = *c.ranges[0].work
	if bias := c.work.Bias(); bias != "" {
		text += "; " + bias
	}
	return jobs.Computed(&c.work) + text, nil
}

// rangeName names what belongs to one of several ranges.
func (r rangeWork) rangeName(of string) string { return config.RangeName(of, r.within) }
