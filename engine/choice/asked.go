package choice

import (
	"fmt"
	"slices"

	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/kernels"
)

// Asked is what a task lets the choice take.
type Asked struct {
	Strategy Strategy
	// Reduce is Request.Reduce.
	Reduce string
	// Demands reports whether only a device will do.
	Demands bool
	// OneByOne reports whether a device is to search from one source per thread block.
	OneByOne bool
}

// For returns the ways that a task allows, the fastest that fits first. A strategy that is named comes before the CPU.
func (c *Choice) For(a Asked, need plan.Bytes, free plan.Free) []plan.Candidate {
	ranked := c.Ranked(need, free)
	ways := slices.DeleteFunc(slices.Clone(ranked), func(x plan.Candidate) bool {
		return a.Demands && x.Device == plan.CPU || !a.allows(x, ranked)
	})
	if a.Strategy.Any() {
		return ways
	}
	if c.Machine.GPU && !slices.ContainsFunc(ways, onGPU) {
		asked := plan.Candidate{Device: plan.GPU, Engine: string(a.Strategy), Shards: c.Machine.Shards, Why: "asked for"}
		ways = append([]plan.Candidate{asked}, ways...)
	}
	slices.SortStableFunc(ways, func(x, y plan.Candidate) int { return place(x) - place(y) })
	return ways
}

// allows reports whether a way is one that the strategy and the reductions ask for.
func (a Asked) allows(c plan.Candidate, all []plan.Candidate) bool {
	if c.Device == plan.GPU && (!a.Strategy.Takes(c.Engine) || a.OneByOne && !slices.Contains(oneByOne, c.Engine)) {
		return false
	}
	if reducing, err := kernels.ParseReduce(a.Reduce); err != nil || reducing.Mode != kernels.ReduceOn ||
		c.Reductions != nil {
		return true
	}
	return !slices.ContainsFunc(all, func(x plan.Candidate) bool { return x.Device == c.Device && x.Reductions != nil })
}

// oneByOne are the engines that search from one source per thread block.
var oneByOne = []string{plan.OneByOne, plan.OneByOne4, plan.OneByOne8}

func onGPU(c plan.Candidate) bool { return c.Device == plan.GPU }

// place is that of a way where a strategy was asked for: the GPU comes first, as far as it fits.
func place(c plan.Candidate) int {
	switch {
	case c.Misfit != "":
		return 2
	case c.Device == plan.CPU:
		return 1
	}
	return 0
}

// First is the way that runs; nil where none fits, or there is none.
func First(ways []plan.Candidate) *plan.Candidate {
	if len(ways) == 0 || ways[0].Misfit != "" {
		return nil
	}
	return &ways[0]
}

// Least is the least host memory that any of the ways needs.
func Least(ways []plan.Candidate) int64 {
	var least int64
	for i, c := range ways {
		if i == 0 || c.HostBytes < least {
			least = c.HostBytes
		}
	}
	return least
}

// PrefersCPU reports whether the CPU is to compute what a GPU could compute as well, and why.
func (c *Choice) PrefersCPU(ways []plan.Candidate) (why string, prefers bool) {
	i := slices.IndexFunc(ways, onGPU)
	if i <= 0 || ways[0].Device != plan.CPU {
		return "", false
	}
	gpu, host := ways[i], ways[0]
	if gpu.Misfit != "" {
		return "the GPU is too small: " + gpu.Misfit, true
	}
	return fmt.Sprintf("the CPU is faster here: about %s on %d threads, a GPU about %s", plan.Duration(host.Seconds),
		c.Machine.Threads, plan.Duration(gpu.Seconds)), true
}

// PlansFirst reports whether a plan of reductions is worth making before the CPU or a GPU is chosen among some ways, or
// before it is said how long the CPU takes.
func (c *Choice) PlansFirst(ways []plan.Candidate) bool {
	return c.Features.Kind == kernels.Dependencies && c.Plans(plan.CPU, ways)
}

// OnCPU returns a request as the CPU is to compute it: with reductions where they fit, by the ways that were ranked,
// and the model says that they pay. It asks about one thread of the table's machine, so that scores have the same bits
// for any number of threads, and on any machine.
func (c *Choice) OnCPU(ways []plan.Candidate, q kernels.Request) kernels.Request {
	reduce, err := kernels.ParseReduce(q.Reduce)
	if err != nil || reduce.Mode != kernels.ReduceAuto {
		return q
	}
	if !reducedFits(ways) {
		q.Reduce = kernels.ReduceOff
		return q
	}
	one := Choose(c.Features, plan.Machine{Rates: plan.H200(), Threads: 1})
	all := one.On(plan.CPU)
	if !slices.ContainsFunc(all, func(x plan.Candidate) bool { return x.Reductions != nil }) {
		return q // what stands against reductions is said where they would be planned
	}
	q.MostLeft, q.MostInBlocks = one.MostLeft(plan.CPU, notInBlocks), one.MostLeft(plan.CPU, notByChains)
	if q.Reuse != nil && c.Features.Kind == kernels.Dependencies {
		return q // a run can reuse nothing of undirected graphs but what reductions leave
	}
	if q.MostLeft == 0 && q.MostInBlocks == 0 || !one.Plans(plan.CPU, all) {
		q.Reduce, q.MostLeft, q.MostInBlocks = kernels.ReduceOff, 0, 0
	}
	return q
}

// notInBlocks reports a way on the graph as it is, or on all that reductions leave.
func notInBlocks(x plan.Candidate) bool {
	return x.Reductions == nil || slices.Contains(x.Reductions, "chains")
}

// notByChains reports a way on the graph as it is, or on what trees and blocks leave.
func notByChains(x plan.Candidate) bool { return !slices.Contains(x.Reductions, "chains") }

// reducedFits reports whether the CPU has room for reductions.
func reducedFits(ways []plan.Candidate) bool {
	return !slices.ContainsFunc(ways, func(c plan.Candidate) bool {
		return c.Device == plan.CPU && c.Reductions != nil && c.Misfit != ""
	})
}
