package engine

import (
	"context"
	"math"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// Approximate is samples.Betweenness, where the policy of the task allows: pairs are drawn on a device with the same scores, bounds
// and number of pairs as on the CPU. Where exact scores take less, a device computes these. The task's measure is betweenness. It
// draws its own sample, which the estimate describes.
func (e *Engine) Approximate(ctx context.Context, t Task, a kernels.Accuracy) (*Outcome, *kernels.Estimate, error) {
	t.Measure, t.Request.Scale = sampled, 0
	m, err := checkTask(t)
	if err != nil {
		return nil, nil, err
	}
	if err := a.Check(t.Request); err != nil {
		return nil, nil, err
	}
	why, onDevice, err := e.samplesOnDevice(ctx, m, t)
	if err != nil {
		return nil, nil, err
	}
	if onDevice {
		out, estimate, err := e.devicePairs(ctx, m, t, a)
		if err == nil {
			return out, estimate, nil
		}
		if why, onDevice = fallback(ctx, t.Device, err); !onDevice {
			return nil, nil, export.NameNodes(err, t.Snapshot.Nodes)
		}
	}
	return cpuPairs(ctx, m, t, a, why)
}

// DrawsOnDevice reports whether a device may draw the sample with a bound of a task: it does so by hops alone, and unless it is
// demanded, of large graphs alone.
func DrawsOnDevice(t Task) bool {
	g := t.Snapshot.Graph
	large := t.Device.Demands() || g.Arcs()+g.N() >= leastSampled
	return t.Device != CPU && !t.Request.Weighted && g.N() > 0 && large
}

// exactWays ranks the ways to exact scores, unless the task knows them.
func (e *Engine) exactWays(ctx context.Context, m kernels.Measure, t Task) *Ranking {
	if t.Ranking != nil {
		return t.Ranking
	}
	return e.rank(ctx, m, t, freeMemory())
}

// leastSampled is the size of a graph, in arcs and nodes, from which auto takes a device for a sample.
const leastSampled = 4 << 20

// samplesOnDevice reports whether a device draws a sample of pairs, and if not, why.
func (e *Engine) samplesOnDevice(ctx context.Context, m kernels.Measure, t Task) (why because, is bool, err error) {
	switch demands := t.Device.Demands(); {
	case t.Device == CPU:
		return askedForCPU(), false, nil
	case t.Request.Weighted && demands:
		return why, false, refuse(protocol.NotOnGPU, "samples with a bound by weights are drawn on the CPU")
	case t.Request.Weighted:
		return because{reason: "samples with a bound by weights are drawn on the CPU", expected: true}, false, nil
	case demands:
		return why, DrawsOnDevice(t), nil
	case !DrawsOnDevice(t):
		return because{reason: "the graph is too small for a sample on a GPU", expected: true}, false, nil
	}
	if r := e.exactWays(ctx, m, t); r.Missing != nil {
		why, back := fallback(ctx, t.Device, r.Missing)
		if !back {
			return why, false, r.Missing
		}
		return why, false, nil
	}
	return why, true, nil
}

func cpuPairs(
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

// pairArcs is how many arcs of drawn pairs a device looks at in the time of a second of exact scores: a guess, to be measured.
const pairArcs = 5e9

// devicePairs draws pairs on a device, or computes exact scores there where these are predicted to take less.
func (e *Engine) devicePairs(
	ctx context.Context, m kernels.Measure, t Task, a kernels.Accuracy,
) (*Outcome, *kernels.Estimate, error) {
	most := math.MaxFloat64
	if first := e.exactWays(ctx, m, t).First(); first != nil {
		most = first.Seconds * pairArcs
	}
	drawn := t
	drawn.Strategy, drawn.Ranking, drawn.Request.Reduce = "work-efficient", nil, kernels.ReduceOff
	r := t.Request
	out, values, err := e.device.run(ctx, drawn, protocol.Order{Kind: protocol.OrderPairs, Nodes: r.Nodes, Edges: r.Edges, Accuracy: &a, Most: most}, nil)
	if err != nil {
		return nil, nil, err
	}
	s := out.Sampled
	if s == nil {
		return nil, nil, refuse(protocol.Protocol, "the worker says nothing of the sample")
	}
	estimate := &kernels.Estimate{Request: r, Pairs: s.Pairs, Bound: s.Bound, Confidence: a.Confidence, Checks: s.Checks}
	if s.Pairs == 0 {
		return e.exactInstead(ctx, m, t, a, estimate, s.Why)
	}
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
	return out, estimate, kernels.CheckFinite(m.Name, t.Snapshot.Graph, out.Scores, false)
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
