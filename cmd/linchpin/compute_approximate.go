package main

import (
	"context"
	"runtime"

	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// approximable is the measure whose sampled scores have a bound.
const approximable = "betweenness"

// approximates says whether the flags ask for a sample that stops by itself.
func (o *computeOptions) approximates() bool { return o.given["epsilon"] || o.given["top-k"] }

// checkApproximation finds flags that do not fit a sample that stops by itself.
func (o *computeOptions) checkApproximation(spec kernels.Measure) error {
	if !o.approximates() {
		if o.given["delta"] {
			return withHint(usagef("--delta has no effect"), "it is the probability that the bound of --epsilon or --top-k fails")
		}
		return nil
	}
	switch {
	case o.given["epsilon"] && o.given["top-k"]:
		return usagef("--epsilon and --top-k exclude one another")
	case spec.Name != approximable:
		flag := "epsilon"
		if o.given["top-k"] {
			flag = "top-k"
		}
		return withHint(usagef("--%s: %s has no sampling with a bound", flag, spec.Name), "only "+approximable+" has")
	case o.given["sources"]:
		return usagef("--sources does not go with --epsilon and --top-k: they draw as many as they need")
	case o.given["epsilon"] && !(o.epsilon > 0 && o.epsilon < 1):
		return usagef("--epsilon %v: greater than 0 and less than 1", o.epsilon)
	case o.given["top-k"] && o.topK < 1:
		return usagef("--top-k %d: at least 1", o.topK)
	case !(o.delta > 0 && o.delta < 1):
		return usagef("--delta %v: a probability, greater than 0 and less than 1", o.delta)
	case engine.Policy(o.device).Demands():
		return withHint(usagef("--device %s: samples with a bound are drawn on the CPU", o.device), "--sources N samples on the GPU, without a bound")
	case o.given["strategy"]:
		return usagef("--strategy has no effect: samples with a bound are drawn on the CPU")
	}
	return nil
}

// approximate samples until the target of the flags is met.
func (c *computation) approximate(ctx context.Context) error {
	o := c.options
	out, estimate, err := c.engine.Approximate(ctx, c.work.Task, cpu.Approximation{
		Epsilon: o.epsilon, TopK: o.topK, Delta: o.delta, Seed: o.seed,
	})
	if err != nil {
		return err
	}
	c.work.Outcome, c.estimate = out, estimate
	c.work.Task.Request.Sources, c.work.Task.Request.Scale = estimate.Request.Sources, estimate.Request.Scale
	return nil
}

// approximateBytes is the memory for the squares of scores and the scores of one source, a thread each and in all.
func (c *computation) approximateBytes() int64 {
	scores, threads := 0, c.options.threads
	if c.work.Task.Request.Nodes {
		scores += c.snapshot.Graph.N()
	}
	if c.work.Task.Request.Edges {
		scores += c.snapshot.Graph.M()
	}
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return 16 * int64(scores) * int64(threads+1)
}
