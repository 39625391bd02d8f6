package reduce_test

import (
	"context"
	"testing"

	"github.com/linchpin-graph/linchpin/kernels/reduce"
	"github.com/linchpin-graph/linchpin/kernels/reduce/internal/cores"
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
			var flows reduce.Flows
			left := reduced.Cores()
			for i := range left {
				flows = append(flows, solveByRows(t, &left[i]))
			}
			node, edge := reduced.Scores(flows)
			wantNode, wantEdge := plain(t, g, nil)
			if d := max(difference(node, wantNode), difference(edge, wantEdge)); d > 1e-10 {
				t.Errorf("off by %g", d)
			}
		})
	}
}

func solveByRows(t *testing.T, c *cores.Core) cores.Flow {
	never := func() bool { return false }
	p, flow := cores.NewProblem[int64](c), c.NewFlow()
	search := cores.NewSearch(p, never)
	rows := make([]*cores.Row[int64], len(c.Nodes))
	for a := range rows {
		rows[a] = cores.NewRow[int64](len(c.Nodes))
		if !search.From(int32(a), rows[a]) {
			t.Fatal("a search stopped that nobody stopped")
		}
	}
	demand := cores.NewDemand(p, &flow, flow.Passes)
	backward := cores.NewBackward(p, never, flow.Passes, flow.Through)
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
