package worker

import (
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/kernels/deep"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/levels"
)

// restOf are the engines for what an engine leaves.
func restOf(e device.Engine) []device.Engine {
	switch {
	case e.Name() == (deep.Engine{}).Name():
		return append([]device.Engine{levels.Engine{}}, oneByOne()...)
	case isBatched(e.Name()):
		return oneByOne()
	}
	return nil
}

// choose returns the engines for a job, the best first, by the strategy that was asked for, and one line on why the first one. Where
// all weights are equal it may turn the job into one by hops.
func (t *task) choose(j *device.Job, d gpu.Info) (engines []device.Engine, why string, err error) {
	strategy := t.strategy
	if j.Weighted && j.EqualByHops() && !j.Folded && (strategy == auto || strategy == batched) && allEqual(j.Host) {
		j.Weighted, j.Request.Weighted = false, false
	}
	all := t.accepting(j)
	switch strategy {
	case auto:
		engines, why = t.ranked(j, all, d)
	case batched:
		engines, why = suited(j, all, d), "asked for"
	default:
		why = "asked for"
		for _, e := range all {
			if e.Name() == strategy {
				engines = append(engines, e)
			}
		}
	}
	if len(engines) == 0 {
		return nil, "", refusal{t.noEngine(j), protocol.NotOnGPU}
	}
	return engines, why, nil
}

// noEngine says why no engine does the job by the task's strategy.
func (t *task) noEngine(j *device.Job) error {
	named := func(e device.Engine) bool {
		return e.Name() == t.strategy || t.strategy == batched && isBatched(e.Name())
	}
	switch {
	case t.strategy == auto:
		return fmt.Errorf("this build has no device code for %s", j.Want)
	case !slices.ContainsFunc(t.engines, named):
		return fmt.Errorf("this build has no device code for strategy %s", t.strategy)
	}
	return fmt.Errorf("strategy %s does not compute %s", t.strategy, j.Want)
}

// accepting are the engines that compute what the job wants.
func (t *task) accepting(j *device.Job) []device.Engine {
	return slices.DeleteFunc(slices.Clone(t.engines), func(e device.Engine) bool { return !e.Accepts(j.Want, j.Host.Directed) })
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

// suited are the batched engines that suit the job, the best first.
func suited(j *device.Job, all []device.Engine, d gpu.Info) []device.Engine {
	var out []device.Engine
	for _, e := range all {
		if isBatched(e.Name()) && suits(e, j, d) {
			out = append(out, e)
		}
	}
	return out
}
