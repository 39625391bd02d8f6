package engine

import (
	"context"
	"fmt"
	"runtime"

	"github.com/linchpin-graph/linchpin/internal/hostmem"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// What prefersCPU reckons with. Work is a node searched from times an edge.
const (
	// reducible: a smaller graph, or one of which fewer nodes have at most two arcs, is not worth a plan.
	reducibleNodes = 10_000
	reducibleShare = 0.25
	// reducedRate is the work that a thread of the CPU does in a second on a reduced graph: 30 to 42 million by hops (power,
	// as-caida, luxembourg, higgs-mention, road-LosAngeles; docs/design/reductions.md), a quarter less by weights.
	reducedRate         = 33e6
	reducedWeightedRate = 25e6
	// The work that an H200 does in a second, once leaves are folded: 14 to 24 GTEPS on road-like graphs (under roadArcs arcs a
	// node), 46 to 59 on the least of the others by hops (as-caida, caidaRouterLevel), 17 to 45 by weights. chainRate is that of
	// what the same reductions as the CPU's leave (an estimate, chainArcs of engine/worker/tuning.go).
	roadRate     = 14e9
	hopRate      = 45e9
	weightedRate = 17e9
	chainRate    = 2.5e9
	roadArcs     = 4
	// workerStart is what a device takes before the first kernel, in seconds.
	workerStart = 0.5
)

// prefersCPU says whether auto should leave the device alone: exact reductions leave so little work that the CPU, which
// has nothing to start, is reckoned to be done first. why is one line. plan is for the CPU where that is to compute, also
// for want of a device; it is nil where none was made.
func (e *Engine) prefersCPU(ctx context.Context, m kernels.Measure, t Task) (plan *reductions.Plan, why string, prefers bool) {
	if !mayReduce(m, t) {
		return nil, "", false
	}
	g := t.Snapshot.Graph
	need := reduce.Bytes(int64(g.N()), int64(g.M()), reduce.Options{Threads: t.Request.Threads})
	if free, err := hostmem.Available(); err != nil || need > free {
		return nil, "", false
	}
	plan, err := reductions.PlanBetweenness(ctx, g, t.Request)
	if err != nil {
		return nil, "", false
	}
	about := plan.About
	if about == nil || len(about.Taken) == 0 {
		return nil, "", false
	}
	threads := t.Request.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	cpu, device := reckon(t, about.WorkRatio, threads)
	if cpu+about.Seconds >= device {
		return nil, "", false
	}
	if e.device.ready(ctx) != nil {
		return plan, "", false
	}
	return plan, fmt.Sprintf("the CPU is faster here: about %.1f s on %d threads, a GPU about %.1f s", cpu, threads, device), true
}

// mayReduce says, at little cost, whether a plan of reductions is worth making.
func mayReduce(m kernels.Measure, t Task) bool {
	g, r := t.Snapshot.Graph, t.Request
	switch {
	case t.Device != Auto && t.Device != "", t.Strategy != "auto" && t.Strategy != "", m.Kind != kernels.Dependencies:
		return false
	case r.Reduce != kernels.ReduceAuto && r.Reduce != "", r.Sources != nil, g.Directed, g.N() < reducibleNodes:
		return false
	}
	few := g.CountNodes(func(degree int64) bool { return degree <= 2 })
	return float64(few) >= reducibleShare*float64(g.N())
}

// reckon returns about how many seconds a CPU takes when ratio of the work is left, and a device, which either folds leaves
// alone or is left the same.
func reckon(t Task, ratio float64, threads int) (cpu, device float64) {
	g := t.Snapshot.Graph
	leaves := g.CountNodes(func(degree int64) bool { return degree == 1 })
	n, m := float64(g.N()), float64(g.M())
	left := (n - float64(leaves)) * (m - float64(leaves))
	slow, fast := reducedRate, hopRate
	if 2*m < roadArcs*n {
		fast = roadRate
	}
	if t.Request.Weighted {
		slow, fast, left = reducedWeightedRate, weightedRate, n*m // by weights a device folds nothing
	}
	return ratio * n * m / (slow * float64(threads)), workerStart + min(left/fast, ratio*n*m/chainRate)
}
