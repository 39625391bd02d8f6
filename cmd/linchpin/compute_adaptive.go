package main

import (
	"context"
	"math"
	"slices"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
)

// adapts says whether the flags ask for an adaptive sample.
func (o *computeOptions) adapts() bool { return o.given["adaptive"] }

// checkAdaptive finds flags that do not fit an adaptive sample.
func (o *computeOptions) checkAdaptive(spec kernels.Measure) error {
	if !o.adapts() {
		return nil
	}
	choice, err := parseSources(o.sources)
	switch {
	case spec.Name != approximable:
		return withHint(usagef("--adaptive: %s has no adaptive sampling", spec.Name), "only "+approximable+" has")
	case o.approximates():
		return usagef("--adaptive cannot be used together with --error or --sample-top")
	case !(o.adaptive > 0) || math.IsInf(o.adaptive, 1):
		return usagef("--adaptive %v: a number greater than 0, such as 5", o.adaptive)
	case o.strategy == "batched", o.strategy == kernels.Chains:
		return usagef("--strategy %s does not go with --adaptive: it has no sums of single sources", o.strategy)
	case o.Endpoints:
		return usagef("--adaptive scores without endpoints: leave out --endpoints")
	case o.sources != "all" && (err != nil || choice.count == 0):
		return withHint(usagef("--sources %s does not go with --adaptive", o.sources), "--sources N draws at most N")
	case o.given["reduce"]:
		return usagef("--reduce has no effect: a sample is not reduced")
	case o.given["precision"]:
		return usagef("--precision has no effect: adaptive samples are in double precision")
	}
	return nil
}

// adaptiveResult is what compute --json says of an adaptive sample: sums of dependencies stop at C n, so that each node
// takes from Fewest to Most sources.
type adaptiveResult struct {
	C      float64 `json:"c"`
	Fewest int32   `json:"fewest"`
	Most   int32   `json:"most"`
}

// sampleAdaptively samples until every node has what it needs.
func (c *computation) sampleAdaptively(ctx context.Context) error {
	o := c.options
	a := adaptive.Sample{C: o.adaptive, Seed: o.seed}
	if choice, err := parseSources(o.sources); err == nil {
		a.Limit = choice.count
	}
	c.work.Adaptive = &a
	if err := c.work.Compute(ctx, c.engine); err != nil {
		return err
	}
	c.adaptive = &adaptiveResult{C: o.adaptive}
	if taken := c.work.Taken; len(taken) > 0 {
		c.adaptive.Fewest, c.adaptive.Most = slices.Min(taken), slices.Max(taken)
	}
	return nil
}
