package reduce_test

import (
	"context"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels/reduce"
)

// TestCoresSolvedByRows goes the way of an engine that has its own searches: it plans, fills rows, makes demands, sends
// them back, and leads the flows back to the graph.
func TestCoresSolvedByRows(t *testing.T) {
	for name, g := range largerGraphs(t) {
		t.Run(name, func(t *testing.T) {
			reduced, err := reduce.New(context.Background(), g, reduce.Options{Ticks: ticksOf(g)})
			if err != nil {
				t.Fatal(err)
			}
			var flows []reduce.Flow
			for i := range reduced.Cores {
				flows = append(flows, solveByRows(t, &reduced.Cores[i]))
			}
			node, edge := reduced.Scores(flows)
			wantNode, wantEdge := plain(t, g, nil)
			if d := max(difference(node, wantNode), difference(edge, wantEdge)); d > 1e-10 {
				t.Errorf("off by %g", d)
			}
		})
	}
}

func solveByRows(t *testing.T, c *reduce.Core) reduce.Flow {
	never := func() bool { return false }
	p, flow := reduce.NewProblem[int64](c), c.NewFlow()
	search := reduce.NewSearch(p, never)
	rows := make([]*reduce.Row[int64], len(c.Nodes))
	for a := range rows {
		rows[a] = reduce.NewRow[int64](len(c.Nodes))
		if !search.From(int32(a), rows[a]) {
			t.Fatal("a search stopped that nobody stopped")
		}
	}
	demand := reduce.NewDemand(p, &flow, flow.Passes)
	backward := reduce.NewBackward(p, never, flow.Passes, flow.Through)
	for a, row := range rows {
		demand.Begin(int32(a), row)
		halves := p.Halves(int32(a))
		for i := range halves {
			demand.Half(&halves[i], rows[halves[i].To()])
		}
		demand.Finish()
		backward.From(row, demand.D)
	}
	return flow
}
