package worker

import (
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/gpu"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/chains"
	"github.com/linchpin-graph/linchpin/kernels/device"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// ordered is the task of an order on a graph.
func ordered(t testing.TB, g *export.Graph, o protocol.Order) *task {
	t.Helper()
	if o.Kind == "" {
		o.Kind = protocol.OrderCompute
	}
	out, err := newTask(o, g, Engines(), func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// reducedTo is the first way of a task on what reductions leave, or nil, and what is said of reductions.
func reducedTo(t *testing.T, of *task) (first *way, about *kernels.Reduction) {
	t.Helper()
	reduced := of.reducedWays
	if of.job.Folds() {
		reduced = of.foldedWays
	}
	about, _ = reduced(t.Context(), gpu.Info{SMs: 132}, func(w *way, err error) bool {
		if err != nil {
			t.Fatal(err)
		}
		first = w
		return false
	})
	return first, about
}

// TestChainsAreTakenWhereTheyPay: with strategy auto alone, and as the request says.
func TestChainsAreTakenWhereTheyPay(t *testing.T) {
	road, mesh := graphtest.RingOfPaths(t, 100, 10), graphtest.RingOfPaths(t, 1000, 1)
	for _, c := range []struct {
		name     string
		graph    *export.Graph
		strategy string
		reduce   string
		taken    bool
	}{
		{"long chains", road, "auto", "auto", true},
		{"long chains, asked for", road, "auto", "chains", true},
		{"long chains, reductions on", road, "auto", "on", true},
		{"long chains, trees alone", road, "auto", "trees", false},
		{"long chains, off", road, "auto", "off", false},
		{"long chains, a strategy of its own", road, "batched", "on", false},
		{"chains as the strategy", road, "chains", "auto", true},
		{"chains as the strategy of a ring of double edges", mesh, "chains", "auto", true},
		{"chains as the strategy, off", road, "chains", "off", false},
		{"a ring of double edges", mesh, "auto", "auto", false},
	} {
		task := ordered(t, c.graph,
			protocol.Order{Measure: "betweenness", Nodes: true, Strategy: c.strategy, Reduce: c.reduce})
		w, about := reducedTo(t, task)
		if taken := w != nil && w.engine.Name() == kernels.Chains; taken != c.taken {
			t.Errorf("%s: chains %v, %+v", c.name, taken, about)
		}
		if c.taken && w != nil && c.graph == road && w.job.Want.Sources != 100 {
			t.Errorf("%s: %d sources", c.name, w.job.Want.Sources)
		}
	}
}

// TestReportedStrategiesCanBeAskedFor: the table of measures offers every engine that a run can report.
func TestReportedStrategiesCanBeAskedFor(t *testing.T) {
	made := []device.Engine{&chains.Betweenness{}, &chains.Folds{}, treesAlone{}}
	for _, m := range kernels.Measures() {
		_, folds := reductions.TreeFold(m.Name)
		for _, weighted := range []bool{false, true} {
			if weighted && m.Weights == kernels.NoWeights {
				continue
			}
			want := device.Want{Measure: m.Name, Params: kernels.Params{Weighted: weighted}, Nodes: true}
			reported := Engines()
			if folds || m.Name == "betweenness" {
				reported = append(reported, made...)
			}
			for _, e := range reported {
				if e.Accepts(want, false) && !slices.Contains(m.StrategiesFor(weighted), e.Name()) {
					t.Errorf("%s, weighted %t: %s cannot be asked for", m.Name, weighted, e.Name())
				}
			}
		}
	}
}

// TestChainsOfLongLengths: distances past 32 bits are left to searches of the whole graph, with the reason.
func TestChainsOfLongLengths(t *testing.T) {
	g := graphtest.RingOfPaths(t, 10, 4)
	g.Weights = make([]float64, g.Arcs())
	for i := range g.Weights {
		g.Weights[i] = 1e8 + float64(g.Edge(int64(i))%2)
	}
	w, about := reducedTo(t, ordered(t, g, protocol.Order{
		Measure: "betweenness", Nodes: true, Strategy: "auto", Reduce: "on", Params: kernels.Params{Weighted: true},
	}))
	if w != nil || about == nil || !strings.Contains(about.Reason, "32 bits") || len(about.Taken) > 0 {
		t.Errorf("%+v, %+v", w, about)
	}
}
