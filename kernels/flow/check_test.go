package flow_test

import (
	"math"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/flow"
)

// TestCheckFindsWrongScores: a score that is wrong breaks an invariant.
func TestCheckFindsWrongScores(t *testing.T) {
	g := lattice(t, 60)
	for _, measure := range measures() {
		m, _ := kernels.Lookup(measure)
		r := kernels.Request{Nodes: true, Edges: m.Edge != ""}
		s := compute(t, measure, g, r)
		if err := flow.Check(m, g, r, s); err != nil {
			t.Errorf("%s: %v", measure, err)
		}
		for _, scores := range [][]float64{s.Nodes, s.Edges} {
			for _, wrong := range []float64{-1, math.NaN(), math.Inf(1)} {
				if len(scores) > 0 {
					right := scores[1]
					if scores[1] = wrong; flow.Check(m, g, r, s) == nil {
						t.Errorf("%s: nobody finds %v", measure, wrong)
					}
					scores[1] = right
				}
			}
		}
		if m.Edge != "" {
			s.Edges[1] *= 1.01
			if err := flow.Check(m, g, r, s); err == nil {
				t.Errorf("%s: nobody finds an edge with one percent more", measure)
			}
		}
	}
}
