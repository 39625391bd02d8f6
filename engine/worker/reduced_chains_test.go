package worker

import (
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
	"github.com/linchpin-graph/linchpin/kernels/reductions"
)

// ringOfPaths is a ring of branch nodes, each joined to the next by two paths of so many hops.
func ringOfPaths(t *testing.T, branches, hops int) *export.Graph {
	var r export.Rels
	n := branches
	for v := range branches {
		for range 2 {
			at := v
			for range hops - 1 {
				r.Source, r.Target = append(r.Source, int32(at)), append(r.Target, int32(n))
				at, n = n, n+1
			}
			r.Source, r.Target = append(r.Source, int32(at)), append(r.Target, int32((v+1)%branches))
		}
	}
	return graphtest.Build(t, export.Undirected, n, r)
}

// TestChainsAreTakenWhereTheyPay: with strategy auto alone, and as the request says.
func TestChainsAreTakenWhereTheyPay(t *testing.T) {
	road, mesh := ringOfPaths(t, 100, 10), ringOfPaths(t, 1000, 1)
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
		w := &work{graph: c.graph, host: Host{Strategies: Strategies()}}
		w.order.Measure, w.order.Strategy = "betweenness", c.strategy
		w.job = Job{
			Want: Want{Measure: "betweenness", Nodes: true}, Request: kernels.Request{Nodes: true, Reduce: c.reduce}, Host: c.graph,
			Sources: order.All(c.graph),
		}
		if err := w.reduce(t.Context()); err != nil {
			t.Fatal(err)
		}
		if taken := w.chains != nil; taken != c.taken {
			t.Errorf("%s: chains %v, %+v", c.name, taken, w.reduction)
		}
		if w.chains != nil && c.graph == road && len(w.job.Sources) != 100 {
			t.Errorf("%s: %d sources", c.name, len(w.job.Sources))
		}
	}
}

// TestReportedStrategiesCanBeAskedFor: the table of measures offers every strategy that a run can report.
func TestReportedStrategiesCanBeAskedFor(t *testing.T) {
	made := []Strategy{&chained{}, &chainFolds{}, treesAlone{}}
	for _, m := range kernels.Measures() {
		_, folds := reductions.TreeFold(m.Name)
		for _, weighted := range []bool{false, true} {
			if weighted && m.Weights == kernels.NoWeights {
				continue
			}
			want := Want{Measure: m.Name, Params: kernels.Params{Weighted: weighted}, Nodes: true}
			reported := Strategies()
			if folds || m.Name == "betweenness" {
				reported = append(reported, made...)
			}
			for _, s := range reported {
				if s.Fits(want, false) && !slices.Contains(m.StrategiesFor(weighted), s.Name()) {
					t.Errorf("%s, weighted %t: %s cannot be asked for", m.Name, weighted, s.Name())
				}
			}
		}
	}
}

// TestChainsOfLongLengths: distances past 32 bits are left to searches of the whole graph, with the reason.
func TestChainsOfLongLengths(t *testing.T) {
	g := ringOfPaths(t, 10, 4)
	g.Weights = make([]float64, g.Arcs())
	for i := range g.Weights {
		g.Weights[i] = 1e8 + float64(g.Edge(int64(i))%2)
	}
	w := &work{graph: g, host: Host{Strategies: Strategies()}}
	w.order.Measure, w.order.Strategy = "betweenness", "auto"
	w.job = Job{
		Want: Want{Measure: "betweenness", Params: kernels.Params{Weighted: true}, Nodes: true}, Host: g, Sources: order.All(g),
		Request: kernels.Request{Nodes: true, Reduce: "on", Params: kernels.Params{Weighted: true}},
	}
	if err := w.reduce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.chains != nil || w.graph != g || w.reduction == nil || !strings.Contains(w.reduction.Reason, "32 bits") || len(w.reduction.Taken) > 0 {
		t.Errorf("chains %v, %+v", w.chains != nil, w.reduction)
	}
}
