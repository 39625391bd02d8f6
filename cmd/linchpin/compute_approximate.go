package main

import "github.com/linchpin-graph/linchpin/kernels"

// approximable is the measure whose sampled scores have a bound.
const approximable = "betweenness"

// approximates reports whether the flags ask for a sample with a bound.
func (o *computeOptions) approximates() bool {
	return o.given["sample-top"] || o.given["sample-seconds"] || o.boundsError()
}

// boundsError reports whether --error is the bound of a sample, not an option of the measure.
func (o *computeOptions) boundsError() bool {
	spec, _ := kernels.Lookup(o.measure)
	return o.given["error"] && !spec.Kind.Flows()
}

// takeError takes the bound of a sample from the flag of the options.
func (o *computeOptions) takeError() {
	if o.boundsError() {
		o.accuracy.Error, o.Error = o.Error, 0
	}
}

// accuracyOf is when a sample of the flags is enough.
func (o *computeOptions) accuracyOf() *kernels.Accuracy {
	a := o.accuracy
	a.Seed = o.seed
	return &a
}

// checkApproximation finds flags that do not fit a sample with a bound.
func (o *computeOptions) checkApproximation(spec kernels.Measure) error {
	if !o.approximates() {
		if o.given["confidence"] {
			return withHint(usagef("--confidence has no effect"),
				"it is the probability with which the bound of --error, --sample-top or --sample-seconds holds")
		}
		return nil
	}
	flag := "error"
	for _, name := range []string{"sample-top", "sample-seconds"} {
		if o.given[name] {
			flag = name
		}
	}
	switch a := o.accuracy; {
	case o.boundsError() && o.given["sample-top"]:
		return usagef("--error and --sample-top cannot be used together")
	case o.given["sample-seconds"] && (o.boundsError() || o.given["sample-top"]):
		return usagef("--sample-seconds cannot be used together with --error or --sample-top")
	case spec.Name != approximable:
		return withHint(usagef("--%s: %s has no sample with a bound", flag, spec.Name), "only "+approximable+" has")
	case o.given["sources"]:
		return usagef(
			"--sources cannot be used together with --error, --sample-top or --sample-seconds: they draw as many as they need",
		)
	case o.given["sample-seconds"] && !(a.Seconds > 0):
		return usagef("--sample-seconds %v: greater than 0, such as 60", a.Seconds)
	case o.given["sample-top"] && a.Top < 1:
		return usagef("--sample-top %d: at least 1", a.Top)
	case o.given["strategy"]:
		return usagef("--strategy has no effect: samples with a bound are drawn in one way")
	}
	if err := o.accuracy.Check(kernels.Request{}); err != nil {
		return usagef("--%v", err)
	}
	return nil
}
