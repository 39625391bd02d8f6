package engine

import (
	"context"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/engine/choice"
	"github.com/linchpin-graph/linchpin/engine/plan"
	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// Approximate is samples.Betweenness, where the policy of the task allows. Pairs are drawn on a device with the same
// scores, bounds and number of pairs as on the CPU; of large deep graphs, a device draws sources instead. By weights,
// it searches from the same sources as the CPU; its sums, and so the bound, may differ in their last bits. Where exact
// scores take less, a device computes these. The task's measure is betweenness. It draws its own sample, which the
// estimate describes.
func (e *Engine) Approximate(ctx context.Context, t Task, a kernels.Accuracy) (*Outcome, *kernels.Estimate, error) {
	t.Measure, t.Request.Scale = sampled, 0
	if t.Request.Weighted {
		t.Sample = &a
	}
	m, err := checkTask(t)
	if err != nil {
		return nil, nil, err
	}
	if err := a.Check(t.Request); err != nil {
		return nil, nil, err
	}
	why, ways, err := e.samplesOnDevice(ctx, m, t)
	if err != nil {
		return nil, nil, err
	}
	if ways != nil {
		t.Ranking = ways
		out, estimate, err := e.deviceSample(ctx, m, t, a)
		if err == nil {
			return out, estimate, nil
		}
		var back bool
		if why, back = fallback(ctx, t.Device, err); !back {
			return nil, nil, export.NameNodes(err, t.Snapshot.Nodes)
		}
	}
	return cpuSample(ctx, m, t, a, why)
}

// DrawsOnDevice reports whether a device may draw the sample with a bound of a task. By hops, unless it is demanded, it
// does so of large graphs alone, and of smaller ones if they are deep; by weights, where a ranking of Task.Sample says
// so.
func DrawsOnDevice(t Task) bool {
	g := t.Snapshot.Graph
	return t.Device != CPU && g.N() > 0 &&
		(t.Device.Demands() || t.Request.Weighted || g.Arcs()+g.N() >= leastSampled || samples.IsLargeAndDeep(g))
}

// samplesOnDevice returns the ways of a task if a device draws its sample: by hops those to exact scores. If none does,
// it says why.
func (e *Engine) samplesOnDevice(
	ctx context.Context, m kernels.Measure, t Task,
) (why because, ways *Ranking, err error) {
	tooSmall := because{reason: "the graph is too small for a sample on a GPU", expected: true}
	switch {
	case t.Device == CPU:
		return askedForCPU(), nil, nil
	case !DrawsOnDevice(t):
		return tooSmall, nil, nil
	}
	if ways = t.Ranking; ways == nil {
		ways = e.rank(ctx, m, t, freeMemory())
	}
	switch first := ways.First(); {
	case ways.Missing != nil:
		why, back := fallback(ctx, t.Device, ways.Missing)
		if !back {
			return why, nil, ways.Missing
		}
		return why, nil, nil
	case t.Sample == nil || t.Device.Demands() || first != nil && first.Device == plan.GPU:
		return because{}, ways, nil
	}
	if faster, is := ways.choice.PrefersCPU(ways.Ways); is {
		return because{reason: faster}, nil, nil
	}
	return tooSmall, nil, nil
}

// leastSampled is the size of a graph, in arcs and nodes, from which auto takes a device for a sample.
const leastSampled = 4 << 20

func cpuSample(
	ctx context.Context, m kernels.Measure, t Task, a kernels.Accuracy, why because,
) (*Outcome, *kernels.Estimate, error) {
	start := time.Now()
	if !t.Request.Weighted { // exact scores are computed, and their work compared, as without a sample
		t.Request = hostRanking(m, t).onCPU(t.Request)
	}
	scores, estimate, err := samples.Betweenness(ctx, t.Snapshot.Graph, t.Request, a)
	if err != nil {
		return nil, nil, export.NameNodes(err, t.Snapshot.Nodes)
	}
	out := onCPU(t, why)
	out.Scores, out.Remark, out.Compute = scores, joined(out.Remark, estimate.String()), time.Since(start).Seconds()
	if estimate.Pairs > 0 { // pairs belong to no source, whose totals a check compares
		return out, estimate, nil
	}
	t.Request = estimate.Request
	return out, estimate, export.NameNodes(checkOnCPU(m, t, scores), t.Snapshot.Nodes)
}

// joined joins two remarks.
func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// PairArcs is how many arcs of drawn pairs a device looks at in the time of a second of exact scores: an H200 at 6e9 on
// roads, 27e9 on a web graph.
const PairArcs = 8e9

// deviceSample draws a sample on a device, or computes exact scores there where these are predicted to take less. The
// ranking of the task is that of samplesOnDevice. A sample by hops that would take longer than to find out what
// reductions leave waits for that: roads leave so little that exact scores take less.
func (e *Engine) deviceSample(
	ctx context.Context, m kernels.Measure, t Task, a kernels.Accuracy,
) (*Outcome, *kernels.Estimate, error) {
	drawn, exact, how := t, t, choice.PairsOnDevice(PairArcs)
	o := protocol.Order{Kind: protocol.OrderSample, Nodes: t.Request.Nodes, Edges: t.Request.Edges, Accuracy: &a}
	if o.BySources = samples.BySources(t.Snapshot.Graph, t.Request, a, true); o.BySources {
		searched, few := t.Ranking, t
		if few.Sample = &a; t.Sample == nil {
			searched = e.rank(ctx, m, few, freeMemory())
		}
		how = searched.choice.SourcesOnDevice(searched.Ways, float64(t.Snapshot.Graph.N()))
	}
	drawn.Strategy, drawn.Ranking, drawn.Request.Reduce = how.Engine, nil, kernels.ReduceOff
	way, most, worthAPlan := t.Ranking.First(), how.Limit, math.MaxFloat64
	switch {
	case t.Sample != nil:
		exact.Sample = nil
		exact.Ranking = e.rank(ctx, m, exact, freeMemory())
		if first := exact.Ranking.First(); first != nil {
			most = how.Work(first.Seconds)
		}
	case way != nil:
		most = how.Work(choice.Started(way))
		if seconds, is := t.Ranking.choice.Unplanned(); is && a.Seconds == 0 {
			worthAPlan = how.Work(seconds)
		}
	}
	out, values, err := e.drawOn(ctx, drawn, o, min(most, worthAPlan))
	if err == nil && out.Sampled.Pairs+int64(out.Sampled.Sources) == 0 && worthAPlan < most {
		if made, err := reductions.PlanBetweenness(ctx, t.Snapshot.Graph, exact.Request); err == nil && made.About != nil {
			left := plan.Reductions{Union: 1, Trees: 1, Search: 1, Planned: true}
			if made.Reduced != nil {
				left = plan.ReductionsOf(made.Reduced.Info, made.About.Seconds)
			}
			left.By = plan.GPU // which makes that plan again
			t.Ranking.choice.Know(left)
			t.Ranking.order(m, exact, freeMemory())
		}
		if way = t.Ranking.First(); way != nil && how.Work(choice.Started(way)) > worthAPlan {
			out, values, err = e.drawOn(ctx, drawn, o, how.Work(choice.Started(way)))
		}
	}
	if err != nil {
		return nil, nil, err
	}
	r, s := t.Request, out.Sampled
	estimate := &kernels.Estimate{Request: r, Pairs: s.Pairs, Confidence: a.Confidence}
	switch {
	case s.Sources > 0:
		estimate = samples.SearchedFrom(t.Snapshot.Graph, r, a, s.Sources)
	case s.Pairs == 0:
		estimate.Checks = s.Checks
		return e.exactInstead(ctx, m, exact, a, estimate, s.Why)
	}
	estimate.Bound, estimate.Checks = s.Bound, s.Checks
	each := values[len(values):]
	if a.Each {
		values, each = values[:len(values)/2], values[len(values)/2:]
	}
	out.take(t, values)
	if a.Each {
		bounds := &Outcome{Scores: &kernels.Scores{}}
		bounds.take(t, each)
		estimate.Nodes, estimate.Edges = bounds.Scores.Nodes, bounds.Scores.Edges
	}
	out.Remark = estimate.String()
	if o.BySources {
		t.Request = estimate.Request
		return out, estimate, checkOfDevice(m, t, out.Scores)
	}
	return out, estimate, kernels.CheckFinite(m.Name, t.Snapshot.Graph, out.Scores, false)
}

// drawOn has a device draw the sample of an order, unless that takes more than the given work.
func (e *Engine) drawOn(ctx context.Context, t Task, o protocol.Order, most float64) (*Outcome, []float64, error) {
	o.Most = most
	out, values, err := e.device.run(ctx, t, o, nil)
	if err != nil {
		return nil, nil, err
	}
	s := out.Sampled
	if s == nil || s.Sources < 0 || s.Sources > t.Snapshot.Graph.N() || s.Sources > 0 && !o.BySources ||
		s.Pairs > 0 && o.BySources {
		return nil, nil, refuse(protocol.Protocol, "the worker does not describe the sample, or one that cannot be")
	}
	return out, values, nil
}

// exactInstead computes exact scores where a sample would take more.
func (e *Engine) exactInstead(
	ctx context.Context, m kernels.Measure, t Task, a kernels.Accuracy, estimate *kernels.Estimate, why string,
) (*Outcome, *kernels.Estimate, error) {
	estimate.Exact, estimate.Why, estimate.Sources = true, why, t.Snapshot.Graph.N()
	out, err := e.compute(ctx, m, t)
	if err != nil {
		return nil, nil, err
	}
	if a.Each {
		estimate.Nodes, estimate.Edges = make([]float64, len(out.Scores.Nodes)), make([]float64, len(out.Scores.Edges))
	}
	out.Remark = joined(out.Remark, estimate.String())
	return out, estimate, nil
}
