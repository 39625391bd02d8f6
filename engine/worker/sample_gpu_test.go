//go:build cuda || emulate

package worker

import (
	"fmt"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/gpu/devicetest"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/enginetest"
	"github.com/linchpin-graph/linchpin/kernels/samples"
)

// TestSamples compares samples with a bound that an order asks for, of pairs and of sources, with the CPU's: scores,
// and bounds of each.
func TestSamples(t *testing.T) {
	d, g := devicetest.Open(t), graphtest.Grid(t, 16, true)
	for i := range 3 {
		weighted, bySources := i == 2, i > 0
		o := protocol.Order{
			Kind: protocol.OrderSample, Params: kernels.Params{Weighted: weighted}, Nodes: true, Edges: true,
			Strategy: "work-efficient", Accuracy: &kernels.Accuracy{Error: 0.4, Confidence: 0.8, Each: true, Seed: 7}, Most: 1e9,
			BySources: bySources,
		}
		task, err := newTask(o, g, Engines(), func(int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		values := make([]float64, protocol.ScoreBytes(g, o, g.N())/8)
		task.share(values, o)
		result, err := task.compute(t.Context(), d, 1, func(protocol.Planned) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		r := kernels.Request{Params: o.Params, Nodes: true, Edges: true}
		draw := func() (*kernels.Scores, *kernels.Estimate, error) {
			if bySources {
				return samples.DrawnSources(t.Context(), g, r, *o.Accuracy, o.Most)
			}
			return samples.Drawn(t.Context(), g, r, *o.Accuracy, o.Most)
		}
		scores, e, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("weighted %t, by sources %t", weighted, bySources)
		s := result.Sampled
		if s == nil || s.Pairs != e.Pairs || (s.Sources > 0) != bySources || bySources && s.Sources != e.Sources ||
			s.Checks != e.Checks || e.Exact {
			t.Fatalf("%s: %+v, not %+v", at, s, e)
		}
		if result.NoDistance == bySources || result.Pairs != scores.Totals.Pairs {
			t.Errorf("%s: totals of %+v, not %+v", at, result, scores.Totals)
		}
		want := slices.Concat(scores.Nodes, scores.Edges, e.Nodes, e.Edges)
		if difference, where := enginetest.Worst(values, want); len(values) != len(want) || difference > 1e-9 {
			t.Errorf("%s: off by %.2g: %s", at, difference, where)
		}
	}
}
