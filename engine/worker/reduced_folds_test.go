package worker

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/kernels"
	"github.com/linchpin-graph/linchpin/kernels/order"
)

// weighing is a graph with other weights.
func weighing(g *export.Graph, weight func(edge int32) float64) *export.Graph {
	out := &export.Graph{Offsets: g.Offsets, Targets: g.Targets, Edges: g.Edges, EdgeCount: g.EdgeCount, Weights: make([]float64, g.Arcs())}
	for i := range out.Weights {
		out.Weights[i] = weight(g.Edge(int64(i)))
	}
	return out
}

// TestChainsOfFoldsAreTakenWhereTheyPay: with strategy auto alone, and as the request says.
func TestChainsOfFoldsAreTakenWhereTheyPay(t *testing.T) {
	road, mesh := ringOfPaths(t, 600, 40), ringOfPaths(t, 10_001, 1)
	weighted := weighing(road, func(edge int32) float64 { return 0.5 + float64(edge%3) })
	wide := weighing(road, func(edge int32) float64 { return 1e9 * (1 + float64(edge%3)) })
	equal := weighing(road, func(int32) float64 { return 1e9 })
	for _, c := range []struct {
		name              string
		graph             *export.Graph
		measure           string
		strategy, request string
		taken             bool
		says              string
		edges             bool
	}{
		{"by hops", road, "closeness", "auto", "auto", true, "graph reduced: 600 of ", false},
		{"edges", road, "closeness", "auto", "auto", true, "graph reduced: 600 of ", true},
		{"edges by weights", weighted, "eccentricity", "auto", "auto", true, "graph reduced: 600 of ", true},
		{"edges, trees alone", weighted, "closeness", "auto", "trees", false, "edge scores need all distances", true},
		{"edges without chains", mesh, "closeness", "auto", "on", false, "too few, or too long; edge scores", true},
		{"by weights", weighted, "closeness", "auto", "auto", true, "graph reduced: 600 of ", false},
		{"the greatest", weighted, "graph", "auto", "auto", true, "graph reduced: 600 of ", false},
		{"inverses", weighted, "harmonic", "auto", "on", false, "", false},
		{"asked for", road, "closeness", "auto", "trees,chains", true, "graph reduced: 600 of ", false},
		{"reductions on", road, "eccentricity", "auto", "on", true, "graph reduced: 600 of ", false},
		{"trees alone, by hops", road, "closeness", "auto", "trees", false, "by hops", false},
		{"trees alone", weighted, "closeness", "auto", "trees", false, "100 % of the work", false},
		{"off", road, "closeness", "auto", "off", false, "", false},
		{"a strategy of its own", weighted, "closeness", "batched", "on", false, "100 % of the work", false},
		{"equal weights", equal, "closeness", "auto", "on", true, "graph reduced: 600 of ", false},
		{"long lengths", wide, "closeness", "auto", "on", true, "graph reduced: 600 of ", false}, // of few ticks
		{"no chains", mesh, "closeness", "auto", "on", false, "too few", false},
		{"no chains, under auto", mesh, "closeness", "auto", "auto", false, "", false},
	} {
		w := &work{graph: c.graph, host: Host{Strategies: Strategies()}}
		w.order.Measure, w.order.Strategy = c.measure, c.strategy
		byWeights := c.graph.Weights != nil
		w.job = Job{
			Want: Want{Measure: c.measure, Params: kernels.Params{Weighted: byWeights}, Nodes: true, Edges: c.edges, Size: sizeOf(c.graph)}, Host: c.graph, Sources: order.All(c.graph),
			Request: kernels.Request{Nodes: true, Edges: c.edges, Reduce: c.request, Params: kernels.Params{Weighted: byWeights}},
		}
		if c.edges {
			w.job.Edges = make([]float64, c.graph.M())
		}
		if err := w.reduce(t.Context()); err != nil {
			t.Fatal(err)
		}
		switch {
		case (w.made() != nil) != c.taken:
			t.Errorf("%s: chains %v, %+v", c.name, w.made(), w.reduction)
		case c.says == "" && w.reduction != nil, c.says != "" && (w.reduction == nil || !strings.Contains(w.reduction.Reason, c.says)):
			t.Errorf("%s: %+v", c.name, w.reduction)
		case c.taken && (len(w.job.Sources) != 600 || w.reduction.Searched != 600):
			t.Errorf("%s: %d sources", c.name, len(w.job.Sources))
		}
	}
}

// TestChainsOfFoldsOfLongLengths: distances of over 30 bits are left to other searches, with the reason.
func TestChainsOfFoldsOfLongLengths(t *testing.T) {
	g := weighing(ringOfPaths(t, 10, 4), func(edge int32) float64 { return 3e7 + float64(edge%2) })
	w := &work{graph: g, host: Host{Strategies: Strategies()}}
	w.order.Measure, w.order.Strategy = "closeness", "auto"
	w.job = Job{
		Want: Want{Measure: "closeness", Params: kernels.Params{Weighted: true}, Nodes: true, Size: sizeOf(g)}, Host: g, Sources: order.All(g),
		Request: kernels.Request{Nodes: true, Reduce: "on", Params: kernels.Params{Weighted: true}},
	}
	if err := w.reduce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.made() != nil || w.graph != g || w.reduction == nil || !strings.Contains(w.reduction.Reason, "too long") || len(w.reduction.Taken) > 0 {
		t.Errorf("chains %v, %+v", w.made(), w.reduction)
	}
}
