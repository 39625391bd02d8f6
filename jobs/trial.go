package jobs

import (
	"cmp"
	"context"
	"runtime"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/internal/process"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// How long an estimate tries a computation: this much processor time since its first sources were done, and at most so
// long in all.
const (
	trialTime    = 300 * time.Millisecond
	longestTrial = 5 * time.Second
)

// modelSize is the number of nodes and edges of the random graph that stands for one that is too large to read for an
// estimate, and farAway is how much longer a search of the latter takes for each node and edge. Measured: 2.4 for a
// random graph of 1 M nodes and 3.1 M edges, 0.6 for R-MAT of 2^18 nodes and 2 M edges, and 0.8 for a road-like one of
// 1.2 M nodes. 1.25 is within a factor of 2 of each.
const (
	modelSize = 200_000
	farAway   = 1.25
)

// trial is what the computations of an estimate are tried on.
type trial struct {
	graph *export.Graph
	// scale is how much longer a search of the graph itself takes; 1 where this is it.
	scale float64
	// nodes of the graph itself.
	nodes int64
}

// trial returns the graph itself, or a random one of the same mean degree.
func (e *Estimate) trial(ctx context.Context, job config.Job) (trial, error) {
	if e.Snapshot != nil {
		return trial{e.Snapshot.Graph, 1, e.Nodes}, nil
	}
	all := float64(e.Nodes + e.Relationships)
	part := min(1, modelSize/max(all, 1))
	s, err := generate.Graph(ctx, generate.Spec{
		Kind: generate.ErdosRenyi, Nodes: max(2, int(part*float64(e.Nodes))), Edges: int(part * float64(e.Relationships)),
		Weights: generate.IntegerWeights, Seed: 1, WeightSeed: 1,
	})
	if err != nil {
		return trial{}, err
	}
	t := trial{s.Graph, 1 / part, e.Nodes}
	if part < 1 {
		t.scale *= farAway
	}
	return t, nil
}

// seconds returns about how long a pass takes on idle processors, from all nodes or from a sample of them; 0 when that
// cannot be told in time.
func (t trial) seconds(ctx context.Context, p pass, c config.Compute, sample int64) (float64, error) {
	q, g := p.request(c), t.graph
	sources := float64(t.nodes) // of the pass
	if sample > 0 && sample < t.nodes && p.measure.BySource {
		sources = float64(sample)
		q.Sources = kernels.DrawSources(g.N(), int(min(sample, int64(g.N()))), c.Seed)
		q.Scale = float64(g.N()) / float64(len(q.Sources))
	}
	if t.scale == 1 {
		q.Pairs = withoutRange(ctx, g, q)
	} else {
		q.Reduce = kernels.ReduceOff // a random graph says nothing of what is left of another, nor of what a range holds
	}
	q = engine.OnCPU(p.measure, g, q)
	run := &progress{threads: float64(cmp.Or(c.Threads, runtime.GOMAXPROCS(0)))}
	if err := run.try(ctx, p.measure, g, q); err != nil {
		return 0, err
	}
	if t.scale == 1 {
		return run.seconds(), nil
	}
	if k := p.measure.Kind; !k.FromSources() && k != kernels.Balls { // not a search from each node
		return run.seconds() * t.scale, nil
	}
	return run.seconds() * t.scale * sources / float64(max(run.total, 1)), nil
}

// progress is how far a computation came, in processor time.
type progress struct {
	threads                float64
	begun, first, last     time.Duration
	atFirst, atLast, total int
	done                   bool
}

// try computes the request as a run does, reductions included, and stops when its pace is known.
func (p *progress) try(parent context.Context, m kernels.Measure, g *export.Graph, q kernels.Request) error {
	ctx, cancel := context.WithTimeout(parent, longestTrial)
	defer cancel()
	q.Progress = func(done, total int) {
		if p.report(process.CPUTime(), done, total) {
			cancel()
		}
	}
	p.begun = process.CPUTime()
	_, err := cpu.Compute(ctx, m, g, q)
	if err == nil {
		p.last, p.done = process.CPUTime(), true
	} else if ctx.Err() != nil {
		err = parent.Err() // nil when the trial is over
	}
	return err
}

// report takes the progress, and reports whether enough is known.
func (p *progress) report(now time.Duration, done, total int) (enough bool) {
	if p.atFirst == 0 {
		p.first, p.atFirst = now, done
	}
	p.last, p.atLast, p.total = now, done, total
	return now-p.first >= trialTime
}

// seconds extrapolates, if the computation did not end: what came before the first sources is done once, by one thread.
// The others go on as those since then. What iterates ends before its last iteration allowed.
func (p *progress) seconds() float64 {
	switch {
	case p.done && p.atLast == p.atFirst:
		return (p.last - p.begun).Seconds() / p.threads
	case p.done:
		return (p.first - p.begun).Seconds() + (p.last-p.first).Seconds()/p.threads
	case p.atLast == 0:
		return 0
	case p.atLast == p.atFirst:
		return (p.last - p.begun).Seconds() / p.threads * float64(p.total) / float64(p.atLast)
	}
	each := (p.last - p.first).Seconds() / p.threads / float64(p.atLast-p.atFirst)
	return (p.first - p.begun).Seconds() + each*float64(p.total-p.atFirst)
}
