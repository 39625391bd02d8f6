package jobs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/cpu"
)

// near reports whether scores are equal but for rounding; null is null.
func near(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool {
		return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) || math.IsNaN(a) && math.IsNaN(b)
	})
}

// TestDroppedRanges: a computation has the scores of searches that end at its range, whether it is dropped or not, and
// says which pairs were asked for. No range is dropped that leaves out a pair, and many that do not are.
func TestDroppedRanges(t *testing.T) {
	session, dropped := engine.NewSession(), 0
	defer session.Close()
	for i := range 120 {
		random := rand.New(rand.NewPCG(uint64(i), 7))
		measure := []string{"betweenness", "stress", "closeness", "harmonic"}[i%4]
		m, _ := kernels.Lookup(measure)
		r := kernels.Request{Nodes: true, Edges: true, Pairs: &kernels.Pairs{Within: float64(1+random.IntN(12)) / 2}}
		r.Weighted = random.IntN(2) == 0
		switch random.IntN(4) {
		case 0:
			r.Pairs.Targets = []int32{0, 2}
		case 1:
			r.Sources = []int32{1, 2, 3}
		}
		g := graphtest.Random(t, random, 4+random.IntN(14), random.IntN(3) == 0, false, true)
		at := fmt.Sprintf("graph %d (n %d, m %d), %s within %v, weighted %t", i, g.N(), g.M(), measure,
			r.Within(), r.Weighted)
		want, err := cpu.Compute(t.Context(), m, g, r)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		c := &Computation{Measure: m, Task: engine.Task{
			Measure: measure, Request: r, Snapshot: &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}},
			Device: engine.CPU,
		}}
		if err := c.Plan(t.Context(), session, 1<<40); err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		if err := c.Compute(t.Context(), session); err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		got := c.Outcome.Scores
		if !near(got.Nodes, want.Nodes) || !near(got.Edges, want.Edges) || got.Totals.Pairs != want.Totals.Pairs {
			t.Errorf("%s: other scores, dropped %t", at, c.dropped())
		}
		said := strings.Contains(c.Outcome.Reason, holdsAll) && strings.Contains(Planned(c), holdsAll)
		if said != c.dropped() || c.dropped() && r.Pairs.Targets == nil && c.Task.Request.Pairs != nil {
			t.Errorf("%s: dropped %t, because %s", at, c.dropped(), c.Outcome.Reason)
		}
		if c.dropped() {
			dropped++
		}
		pairs := connector.Pairs{
			Measure: measure, Sources: int64(len(r.Sources)), Targets: int64(len(r.Pairs.Targets)), Within: r.Pairs.Within,
			Counted: want.Totals.Pairs, Possible: r.Count(g.N()),
		}
		if is := PairsOf(c); *is != pairs {
			t.Errorf("%s: the record has %+v; want %+v", at, *is, pairs)
		}
	}
	if dropped < 30 || dropped > 100 {
		t.Errorf("%d ranges were dropped", dropped)
	}
}

// TestDroppedRangesMayReduce: what is left of a request without its range is reduced, as one that never had a range.
func TestDroppedRangesMayReduce(t *testing.T) {
	session := engine.NewSession()
	defer session.Close()
	m, _ := kernels.Lookup("betweenness")
	g := graphtest.Subdivided(t, 12, 3, 8)
	scores := map[float64][]float64{}
	for _, within := range []float64{0, 1e6} {
		c := &Computation{Measure: m, Task: engine.Task{
			Measure: m.Name, Snapshot: &export.Snapshot{Graph: g, Nodes: export.IDs{Ints: make([]int64, g.N())}},
			Device: engine.CPU, Request: kernels.Request{Nodes: true, Reduce: kernels.ReduceOn},
		}}
		if within > 0 {
			c.Task.Request.Pairs = &kernels.Pairs{Within: within}
		}
		if err := c.Plan(t.Context(), session, 1<<40); err != nil {
			t.Fatal(err)
		}
		if err := c.Compute(t.Context(), session); err != nil {
			t.Fatal(err)
		}
		if s := c.Outcome.Scores; s.Reduction == nil || len(s.Reduction.Taken) == 0 {
			t.Errorf("within %v the graph was not reduced: %+v", within, s.Reduction)
		}
		scores[within] = c.Outcome.Scores.Nodes
	}
	if !slices.Equal(scores[0], scores[1e6]) {
		t.Error("other bits than without a range")
	}
}
