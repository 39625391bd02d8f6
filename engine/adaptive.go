package engine

import (
	"context"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/adaptive"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// sampled is the measure that has samples of its own.
const sampled = "betweenness"

// Adaptive is samples.Adaptive, where the policy of the task allows: the same sources count for each node on a
// device as on the CPU, but where two sums of dependencies differ in their last bits at the threshold. The task's
// measure is betweenness. Edges are for the CPU alone. The second result is the number of sources that each node took,
// and then each edge.
func (e *Engine) Adaptive(ctx context.Context, t Task, a adaptive.Sample) (*Outcome, []int32, error) {
	t.Measure = sampled
	m, err := checkTask(t)
	if err != nil {
		return nil, nil, err
	}
	if err := a.Check(t.Snapshot.Graph, t.Request); err != nil {
		return nil, nil, err
	}
	why := askedForCPU()
	switch {
	case t.Request.Edges && t.Device.Demands():
		return nil, nil, refuse(protocol.NotOnGPU, "adaptive samples of edges are computed on the CPU")
	case t.Request.Edges && t.Device != CPU:
		why = because{reason: "adaptive samples of edges are computed on the CPU", expected: true}
	case t.Device != CPU && t.Snapshot.Graph.N() > 0:
		out, taken, err := e.deviceAdaptive(ctx, m, t, a)
		if err == nil {
			return out, taken, nil
		}
		var back bool
		if why, back = fallback(ctx, t.Device, err); !back {
			return nil, nil, export.NameNodes(err, t.Snapshot.Nodes)
		}
	}
	start := time.Now()
	scores, taken, err := samples.Adaptive(ctx, t.Snapshot.Graph, t.Request, a)
	if err != nil {
		return nil, nil, export.NameNodes(err, t.Snapshot.Nodes)
	}
	out := onCPU(t, why)
	out.Scores, out.Compute = scores, time.Since(start).Seconds()
	scores.Totals.NoDistance = true // nodes stop apart, so that no sum over them is known
	if t.Request.Edges {            // nor does a sum of edges belong to one of nodes; each score was found finite
		return out, taken, nil
	}
	return out, taken, export.NameNodes(checkOnCPU(m, t, scores), t.Snapshot.Nodes)
}

func (e *Engine) deviceAdaptive(
	ctx context.Context, m kernels.Measure, t Task, a adaptive.Sample,
) (*Outcome, []int32, error) {
	t.Request.Sources = a.Sources(t.Snapshot.Graph)
	out, values, err := e.device.run(ctx, t, protocol.Order{Kind: protocol.OrderAdaptive, Nodes: true, C: a.C}, a.Nodes)
	if err != nil {
		return nil, nil, err
	}
	n := t.Snapshot.Graph.N()
	taken := make([]int32, n)
	for v, count := range values[n:] {
		taken[v] = int32(count)
		if float64(taken[v]) != count || count < 1 || count > float64(len(t.Request.Sources)) || !(values[v] >= 0) {
			return nil, nil, refuse(protocol.BadScores,
				"the device's sample cannot be right: node %s took %v sources and scores %v", t.Snapshot.Nodes.String(v),
				count, values[v])
		}
	}
	out.Scores.Nodes, out.Scores.Totals.NoDistance = values[:n:n], true // as on the CPU
	return out, taken, checkOfDevice(m, t, out.Scores)
}
