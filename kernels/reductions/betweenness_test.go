package reductions

import (
	"testing"

	"github.com/linchpin-graph/linchpin/export/generate"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestReductionsThatDoNotPay: of an R-MAT graph of scale 13 with 16 draws a node, reductions leave 58 % of the work, which
// takes longer than all of it searched plainly.
func TestReductionsThatDoNotPay(t *testing.T) {
	for _, c := range []struct {
		draws int
		taken bool
	}{{4, true}, {16, false}} {
		s, err := generate.Graph(t.Context(), generate.Spec{Kind: generate.RMAT, Scale: 13, Degree: c.draws, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := PlanBetweenness(t.Context(), s.Graph, kernels.Request{Nodes: true})
		if err != nil {
			t.Fatal(err)
		}
		if about := plan.About; (len(about.Taken) > 0) != c.taken {
			t.Errorf("%d draws a node: %s", c.draws, about.Reason)
		}
	}
}
