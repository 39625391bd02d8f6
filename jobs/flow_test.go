package jobs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestFlows: nodes and relationships get their scores, and the record says how the equations were solved. The graph is
// four groups of six nodes in a ring, each joined to all of its group.
func TestFlows(t *testing.T) {
	b := newBench(t, groupsOf6()...)
	j := job("flows",
		config.Measure{Measure: "currentFlowBetweenness", Nodes: "traffic", Relationships: "current"},
		config.Measure{Measure: "currentFlowCloseness", Nodes: "near"},
		config.Measure{Measure: "effectiveResistance", Nodes: "apart", Relationships: "resistance"},
		config.Measure{Measure: "spanningCentrality", Relationships: "needed"},
	)
	r := b.run(j, jobs.Options{})
	if s := r.Run.Solutions; len(s) != 4 || s[1].Measure != "currentFlowCloseness" || s[1].Systems != 8 ||
		s[1].Iterations < 1 ||
		s[1].Residual > 1e-9 || s[1].Drawn != 0 || len(r.Run.Warnings) != 0 {
		t.Errorf("%+v, warnings %q", s, r.Run.Warnings)
	}
	if last, err := b.db.LastRun(t.Context(), "flows"); err != nil || !slices.Equal(last.Solutions, r.Run.Solutions) {
		t.Errorf("the database has another record: %+v, %v", last, err)
	}
	for query, want := range map[string]any{
		"MATCH ()-[e:E]->() WHERE abs(e.resistance - e.needed) < 1e-12 AND e.current > 0 RETURN count(e)": int64(64),
		"MATCH ()-[e:E]->() RETURN round(sum(e.needed), 6)":                                               23.0,
		"MATCH (v:V) WHERE abs(v.near * v.apart - 1) < 1e-12 AND v.traffic > 0 RETURN count(v)":           int64(24),
		"MATCH (a:V)-[e:E]->(b:V) WHERE a.i / 6 <> b.i / 6 AND round(e.current, 6) > 90 RETURN count(e)":  int64(4),
		"MATCH (a:V)-[e:E]->(b:V) WHERE a.i / 6 <> b.i / 6 AND e.needed > 0.7 RETURN count(e)":            int64(4),
	} {
		if got := b.value(query); got != want {
			t.Errorf("%s returns %v, want %v", query, got, want)
		}
	}
}

// TestDrawnFlows: a run that draws a sample warns of its error.
func TestDrawnFlows(t *testing.T) {
	b := newBench(t, "UNWIND range(0, 999) AS i CREATE (:V {i: i})",
		"MATCH (v:V) WITH v ORDER BY v.i WITH collect(v) AS v UNWIND v AS a UNWIND [1, 7] AS k WITH a, v[(a.i + k) % 1000] AS b CREATE (a)-[:E {w: 1}]->(b)")
	m := config.Measure{Measure: "currentFlowBetweenness", Relationships: "current", Params: kernels.Params{Error: 0.5}}
	j := job("flows", m)
	r := b.run(j, jobs.Options{})
	if s := r.Run.Solutions; len(s) != 1 || s[0].Drawn == 0 || s[0].Drawn >= 1000 || s[0].Error != 0.5 ||
		s[0].Delta != 0.01 {
		t.Errorf("%+v", s)
	}
	if w := r.Run.Warnings; len(w) != 1 || !strings.Contains(w[0], "an error of 0.5 at most") {
		t.Errorf("%q", w)
	}
}
