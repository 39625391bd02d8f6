package worker

import (
	"runtime"
	"slices"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// choiceOf is the cost model's choice for a job on the graph as it is. It is made once for a job and a device.
func (t *task) choiceOf(j *device.Job, d gpu.Info) *plan.Choice {
	if c := t.choice; c != nil && t.choiceFor == choiceKey(j, d) {
		return c
	}
	f := plan.With(j.Host, t.traits(j), sourcesOf(j), j.Single)
	if choiceKey(j, d) == choiceKey(&t.job, d) {
		f.Use(t.measured)
	}
	f.UseDepth(func() order.Depth { return j.Depth() })
	f.UseTicks(j.Host, t.wholeTicks)
	m := plan.Machine{Rates: t.rates(d), Threads: runtime.GOMAXPROCS(0), GPU: true, Warm: true}
	t.choice, t.choiceFor = plan.Choose(f, m), choiceKey(j, d)
	return t.choice
}

// choiceAsked is what a choice of one task depends on.
type choiceAsked struct {
	all     bool
	sources int
	device  gpu.Info
}

func choiceKey(j *device.Job, d gpu.Info) choiceAsked { return choiceAsked{j.All, len(j.Sources), d} }

// sourcesOf are the sources of a job, nil for all nodes.
func sourcesOf(j *device.Job) []int32 {
	if j.All {
		return nil
	}
	return j.Sources
}

// traits are those of what a job asks for. Distances are searched as those that are folded, and an adaptive sample as
// one of betweenness.
func (t *task) traits(j *device.Job) plan.Traits {
	if t.measure.Name != "" {
		return plan.TraitsOf(t.measure, j.Request)
	}
	traits := plan.Traits{Kind: kernels.FoldedDistances, Weighted: j.Weighted}
	if j.CountsPaths() {
		traits.Kind = kernels.Dependencies
	}
	return traits
}

// ranked returns the engines that accept and suit a job in the order of the cost model, and why the first. Those that
// it does not predict come last.
func (t *task) ranked(j *device.Job, all []device.Engine, d gpu.Info) (engines []device.Engine, why string) {
	if j.Masses != nil { // the way was ranked with its reductions
		engines, why = suited(j, all, d), "batches on what trees and blocks leave"
	} else {
		for _, c := range t.choiceOf(j, d).On(plan.GPU) {
			i := slices.IndexFunc(all, func(e device.Engine) bool { return e.Name() == c.Engine })
			if c.Reductions != nil || i < 0 || !suits(all[i], j, d) {
				continue
			}
			if engines = append(engines, all[i]); why == "" {
				why = c.Reason()
			}
		}
	}
	for _, e := range all {
		same := func(x device.Engine) bool { return x.Name() == e.Name() }
		if !slices.ContainsFunc(engines, same) && suits(e, j, d) {
			engines = append(engines, e)
		}
	}
	return engines, "auto: " + why
}

// pays reports whether it pays to plan reductions for some ways, before auto, or batches that were asked for, search.
func (t *task) pays(d gpu.Info, is func(plan.Candidate) bool) bool {
	c := t.choiceOf(&t.job, d)
	among := slices.DeleteFunc(t.among(c.On(plan.GPU)), func(x plan.Candidate) bool {
		return x.Reductions != nil && !is(x)
	})
	return c.Plans(plan.GPU, among)
}

// among are the ways that the strategy allows.
func (t *task) among(all []plan.Candidate) []plan.Candidate {
	return slices.DeleteFunc(slices.Clone(all), func(c plan.Candidate) bool { return !t.allows(c) })
}

func (t *task) allows(c plan.Candidate) bool { return t.strategy == auto || isBatched(c.Engine) }

// reducedFirst reports whether the model ranks a way on what reductions leave before all ways on the graph as it is.
func (t *task) reducedFirst(d gpu.Info, is func(plan.Candidate) bool) bool {
	for _, c := range t.among(t.choiceOf(&t.job, d).On(plan.GPU)) {
		switch {
		case c.Reductions == nil:
			return false
		case is(c):
			return true
		}
	}
	return false
}

// chainsFirst reports whether the model ranks searches between branch nodes first.
func (t *task) chainsFirst(d gpu.Info) bool {
	all := t.among(t.choiceOf(&t.job, d).On(plan.GPU))
	return len(all) > 0 && byChains(all[0])
}

// mostLeft is the share of the work that trees and blocks may leave for batches on that to be ranked before the
// ways on the graph as it is.
func (t *task) mostLeft(d gpu.Info) float64 {
	return t.choiceOf(&t.job, d).MostLeft(plan.GPU, func(c plan.Candidate) bool { return t.allows(c) && !byChains(c) })
}

// byChains and byBatches tell ways on what reductions leave.
func byChains(c plan.Candidate) bool  { return c.Engine == plan.Chains || c.Engine == plan.ChainFolds }
func byBatches(c plan.Candidate) bool { return c.Reductions != nil && !byChains(c) }
