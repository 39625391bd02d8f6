package jobs_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestErrorsAboutNodesShowThem: the ids are those of the database, and the hint is a query that returns the nodes.
func TestErrorsAboutNodesShowThem(t *testing.T) {
	b := newBench(t, "CREATE (:V {i: 0})",
		"MATCH (v:V) CREATE (v)-[:E {w: 1e25}]->(w:V {i: 1})-[:E {w: 1.5e-25}]->(:V {i: 2})")
	far := job("far", config.Measure{Measure: "betweenness", Params: kernels.Params{Weighted: true}, Nodes: "bc"})
	shows(t, b, far, "its weight 1.5e-25 is lost", 1, 2)
	b.cypher("MATCH (:V {i: 0})-[r]-() SET r.w = 1.7e308")
	b.cypher("MATCH (:V {i: 2})-[r]-() SET r.w = 1.6e308")
	shows(t, b, job("wide", config.Measure{Measure: "strength", Nodes: "st"}), "strength of node", 1)
	b.cypher("MATCH (v:V {i: 1}), (w:V {i: 2}) CREATE (v)-[:E {w: 1e308}]->(w)")
	parallel := job("sum", config.Measure{Measure: "degree", Nodes: "deg"})
	parallel.Graph.Relationships[0].Parallel = "sum"
	shows(t, b, parallel, "the summed weight of the parallel relationships", 1, 2)
}

// shows runs a job that fails, and demands that its hint finds the nodes.
func shows(t *testing.T, b *bench, j config.Job, message string, nodes ...int64) {
	t.Helper()
	_, err := b.runner.Run(context.Background(), j, jobs.Options{})
	if connector.KindOf(err) != connector.BadData || !strings.Contains(err.Error(), message) {
		t.Fatalf("error %v, want one of %q", err, message)
	}
	query, ok := strings.CutPrefix(connector.HintOf(err), "look at them: ")
	if !ok || strings.Contains(query, " id(") {
		t.Fatalf("hint %q", connector.HintOf(err))
	}
	var got []int64
	for _, row := range b.cypher("CALL () {" + query + "} RETURN n.i AS i") {
		got = append(got, row["i"].(int64))
	}
	if slices.Sort(got); !slices.Equal(got, nodes) {
		t.Errorf("%s finds the nodes %v, want %v", query, got, nodes)
	}
}
