package worker

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/engine/protocol"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/graphtest"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestChainsOfFoldsAreTakenWhereTheyPay: with strategy auto alone, and as the request says.
func TestChainsOfFoldsAreTakenWhereTheyPay(t *testing.T) {
	road, mesh := graphtest.RingOfPaths(t, 600, 40), graphtest.RingOfPaths(t, 10_001, 1)
	weighted := graphtest.Weighing(road, func(edge int32) float64 { return 0.5 + float64(edge%3) })
	wide := graphtest.Weighing(road, func(edge int32) float64 { return 1e9 * (1 + float64(edge%3)) })
	equal := graphtest.Weighing(road, func(int32) float64 { return 1e9 })
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
		task := ordered(t, c.graph, protocol.Order{
			Measure: c.measure, Params: kernels.Params{Weighted: c.graph.Weights != nil}, Nodes: true, Edges: c.edges,
			Strategy: c.strategy, Reduce: c.request,
		})
		w, about := reducedTo(t, task)
		switch {
		case (w != nil) != c.taken || w != nil && w.engine.Name() != kernels.Chains:
			t.Errorf("%s: %+v, %+v", c.name, w, about)
		case c.says == "" && about != nil, c.says != "" && (about == nil || !strings.Contains(about.Reason, c.says)):
			t.Errorf("%s: %+v", c.name, about)
		case c.taken && (w.job.Want.Sources != 600 || about.Searched != 600 || w.reduction != about):
			t.Errorf("%s: %d sources", c.name, w.job.Want.Sources)
		}
	}
}

// TestChainsOfFoldsOfLongLengths: distances of over 30 bits are left to other searches, with the reason.
func TestChainsOfFoldsOfLongLengths(t *testing.T) {
	g := graphtest.Weighing(graphtest.RingOfPaths(t, 10, 4), func(edge int32) float64 { return 3e7 + float64(edge%2) })
	w, about := reducedTo(t, ordered(t, g, protocol.Order{
		Measure: "closeness", Params: kernels.Params{Weighted: true}, Nodes: true, Strategy: "auto", Reduce: "on",
	}))
	if w != nil || about == nil || !strings.Contains(about.Reason, "too long") || len(about.Taken) > 0 {
		t.Errorf("%+v, %+v", w, about)
	}
}
