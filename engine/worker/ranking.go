package worker

import (
	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// choiceOf is the cost model's choice for a job on the graph as it is. It is made once for a job and a device.
func (t *task) choiceOf(j *device.Job, d gpu.Info) *choice.Choice {
	if c := t.choice; c != nil && t.choiceFor == choiceKey(j, d) {
		return c
	}
	f := plan.With(j.Host, t.traits(j), sourcesOf(j), j.Single)
	if choiceKey(j, d) == choiceKey(&t.job, d) {
		f.Use(t.measured)
	}
	f.UseDepth(func() order.Depth { return j.Depth() }, func() order.Depth { return j.LikelyDepth() })
	f.UseTicks(j.Host, t.wholeTicks)
	f.Shallow = j.SetLikelyDepth
	m := plan.Machine{Rates: t.rates(d), Threads: 0, GPU: true, Warm: true}
	t.choice, t.choiceFor = choice.Choose(f, m), choiceKey(j, d)
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

// pays reports whether it pays to plan reductions for some ways before the device searches.
func (t *task) pays(d gpu.Info, are func(plan.Candidate) bool) bool {
	return t.choiceOf(&t.job, d).ReductionsPay(t.taking(), are)
}
