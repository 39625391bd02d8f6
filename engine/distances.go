package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/distances"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/search"
)

// rowBytes bounds the rows of distances that one order asks for; one row is always allowed.
const rowBytes = 256 << 20

// Distances is distances.Rows, where the policy of the task allows: row gets the distances from every source of the
// request in turn. The task names no measure. Rows that a device gave before it failed are not given again by the CPU.
func (e *Engine) Distances(
	ctx context.Context, t Task, row func(source int32, distances []float64) error,
) (*Outcome, error) {
	if err := checkDistances(t, "stress"); err != nil {
		return nil, err
	}
	sources, why, done := sourcesOf(t), askedForCPU(), 0
	if t.Device != CPU {
		out, given, err := e.deviceRows(ctx, t, sources, row)
		if err == nil {
			return out, nil
		}
		var back bool
		if why, back = fallback(ctx, t.Device, err); !back {
			return nil, export.NameNodes(err, t.Snapshot.Nodes)
		}
		done = given
	}
	start, r := time.Now(), t.Request
	if r.Sources = sources[done:]; len(r.Sources) > 0 {
		if err := distances.Rows(ctx, t.Snapshot.Graph, r, row); err != nil {
			return nil, export.NameNodes(err, t.Snapshot.Nodes)
		}
	}
	out := onCPU(t, why)
	out.Compute = time.Since(start).Seconds()
	return out, nil
}

// SummarizeDistances is distances.Summarize, where the policy of the task allows, with the components of the graph.
func (e *Engine) SummarizeDistances(ctx context.Context, t Task) (*kernels.DistanceSummary, *Outcome, error) {
	s, out, err := e.summarizeDistances(ctx, t)
	if err == nil {
		s.Components, s.LargestComponent = search.Components(t.Snapshot.Graph)
	}
	return s, out, err
}

func (e *Engine) summarizeDistances(ctx context.Context, t Task) (*kernels.DistanceSummary, *Outcome, error) {
	if err := checkDistances(t, "harmonic"); err != nil {
		return nil, nil, err
	}
	why := askedForCPU()
	if t.Device != CPU {
		out, values, err := e.device.run(ctx, t, protocol.Order{Kind: protocol.OrderDistances, Summary: true}, nil)
		if err == nil {
			var s *kernels.DistanceSummary
			if s, err = summary(t, out.Scores, values); err == nil {
				return s, out, nil
			}
		}
		var back bool
		if why, back = fallback(ctx, t.Device, err); !back {
			return nil, nil, export.NameNodes(err, t.Snapshot.Nodes)
		}
	}
	start := time.Now()
	s, err := distances.Summarize(ctx, t.Snapshot.Graph, t.Request)
	if err != nil {
		return nil, nil, export.NameNodes(err, t.Snapshot.Nodes)
	}
	out := onCPU(t, why)
	out.Compute = time.Since(start).Seconds()
	return s, out, nil
}

// summary checks what a device found: a hop plot that adds up to the pairs and, by hops, to their distances.
func summary(t Task, s *kernels.Scores, values []float64) (*kernels.DistanceSummary, error) {
	out := &kernels.DistanceSummary{Pairs: s.Totals.Pairs, Diameter: values[0], Ties: s.Ties}
	if out.Pairs > 0 {
		out.Mean = s.Totals.Distance / float64(out.Pairs)
	}
	if t.Request.Weighted {
		if !(out.Diameter >= out.Mean) || math.IsInf(out.Diameter, 0) {
			return nil, refuse(protocol.BadScores, "the device's distances cannot be right: mean %v, greatest %v", out.Mean,
				out.Diameter)
		}
		return out, nil
	}
	pairs, distance := 0.0, 0.0
	for h, count := range values[1:] {
		pairs += count
		distance += float64(h) * count
	}
	if pairs != float64(out.Pairs) || distance != s.Totals.Distance ||
		!(out.Diameter >= 0 && out.Diameter < float64(len(values)-1)) {
		return nil, refuse(protocol.BadScores, "the device's distances cannot be right: %v pairs in the hop plot, %d in all",
			pairs, out.Pairs)
	}
	if out.Pairs > 0 {
		for _, count := range values[1 : 2+int(out.Diameter)] {
			out.Hops = append(out.Hops, int64(count))
		}
	}
	return out, nil
}

// deviceRows gives the rows that a device computes, and says how many there were.
func (e *Engine) deviceRows(
	ctx context.Context, t Task, sources []int32, row func(int32, []float64) error,
) (all *Outcome, done int, err error) {
	n := t.Snapshot.Graph.N()
	each := max(1, rowBytes/(8*max(1, n)))
	all = &Outcome{}
	for done < len(sources) || all.Device == "" {
		part := t
		part.Request.Sources = sources[done:min(len(sources), done+each)]
		out, values, err := e.device.run(ctx, part, protocol.Order{Kind: protocol.OrderDistances}, nil)
		if err != nil {
			return nil, done, err
		}
		all.add(out)
		for i, s := range part.Request.Sources {
			distances := values[i*n : (i+1)*n]
			if distances[s] != 0 || slices.ContainsFunc(distances, func(d float64) bool { return !(d >= 0) }) {
				return nil, done, refuse(protocol.BadScores, "the device's distances from node %s cannot be right",
					t.Snapshot.Nodes.String(int(s)))
			}
			if err := row(s, distances); err != nil {
				return nil, done, err
			}
			done++
		}
	}
	return all, done, nil
}

// add adds the outcome of another part of the same task.
func (o *Outcome) add(part *Outcome) {
	o.Device, o.Strategy, o.Reason = part.Device, part.Strategy, part.Reason
	o.Preprocess += part.Preprocess
	o.Compute += part.Compute
	o.PeakDevice = max(o.PeakDevice, part.PeakDevice)
}

// checkDistances refuses what neither device could compute. The strategies are those of another measure that searches
// in the same ways.
func checkDistances(t Task, like string) error {
	t.Measure = like
	t.Request.Nodes, t.Request.Edges, t.Request.Scale = true, false, 0
	if t.Request.Sources != nil && len(t.Request.Sources) == 0 {
		t.Request.Sources = nil
	}
	_, err := checkTask(t)
	if err != nil {
		return fmt.Errorf("distances: %w", err)
	}
	return nil
}

// sourcesOf lists the sources of a task.
func sourcesOf(t Task) []int32 {
	return order.OrAll(t.Snapshot.Graph, t.Request.Sources)
}
