package worker

import (
	"fmt"
	"iter"
	"slices"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/device"
)

// restOf are the engines for what an engine leaves.
func restOf(e device.Engine) []device.Engine {
	names, ok := choice.Rest(e.Name())
	if !ok {
		return nil
	}
	rest := slices.DeleteFunc(Engines(), func(x device.Engine) bool { return !slices.Contains(names, x.Name()) })
	return append(rest, oneByOne()...)
}

// choose returns the engines for a job by the strategy that was asked for, the best first, and one line on why the
// first one. Those after the first may not suit. Where all weights are equal it may turn the job into one by hops.
func (t *task) choose(j *device.Job, d gpu.Info) (engines []device.Engine, why string, err error) {
	if j.Weighted && j.EqualByHops() && j.Within == 0 && !j.Chooses() && !j.Folded && t.taking().OfGroup() &&
		allEqual(j.Host) {
		j.Weighted, j.Request.Weighted = false, false
	}
	all := t.accepting(j)
	places, why := t.taking().Pick(offers(all, j, d), j.Masses != nil, func() *choice.Choice { return t.choiceOf(j, d) })
	for _, i := range places {
		engines = append(engines, all[i])
	}
	if len(engines) == 0 {
		return nil, "", refusal{t.noEngine(j), protocol.NotOnGPU}
	}
	return engines, why, nil
}

// inTurn returns the engines that were chosen, those after the first only if they suit.
func inTurn(engines []device.Engine, j *device.Job, d gpu.Info) iter.Seq2[int, device.Engine] {
	return func(yield func(int, device.Engine) bool) {
		for i, e := range engines {
			if (i == 0 || suits(e, j, d)) && !yield(i, e) {
				return
			}
		}
	}
}

// offers are the engines as the choice sees them.
func offers(all []device.Engine, j *device.Job, d gpu.Info) []choice.Offer {
	out := make([]choice.Offer, len(all))
	for i, e := range all {
		out[i] = choice.Offer{Name: e.Name(), Suits: func() bool { return suits(e, j, d) }}
	}
	return out
}

// noEngine says why no engine does the job by the task's strategy.
func (t *task) noEngine(j *device.Job) error {
	switch taken := func(e device.Engine) bool { return t.taking().Takes(e.Name()) }; {
	case t.taking().Any():
		return fmt.Errorf("this build has no device code for %s", j.Want)
	case !slices.ContainsFunc(t.engines, taken):
		return fmt.Errorf("this build has no device code for strategy %s", t.strategy)
	}
	return fmt.Errorf("strategy %s does not compute %s", t.strategy, j.Want)
}

// accepting are the engines that compute what the job wants.
func (t *task) accepting(j *device.Job) []device.Engine {
	return slices.DeleteFunc(slices.Clone(t.engines), func(e device.Engine) bool {
		return !e.Accepts(j.Want, j.Host.Directed)
	})
}

// suits reports whether an engine suits the graph and the sources of a job, as far as it cares.
func suits(e device.Engine, j *device.Job, d gpu.Info) bool {
	switch e := e.(type) {
	case interface{ Suits(*device.Job) bool }:
		return e.Suits(j)
	case interface {
		Suits(*device.Job, gpu.Info) bool
	}:
		return e.Suits(j, d)
	}
	return true
}
