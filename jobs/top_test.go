package jobs_test

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestTopOfAJob: only the nodes with the highest scores have the property, and one that falls out of them loses it.
func TestTopOfAJob(t *testing.T) {
	b := newBench(t, "UNWIND range(0, 8) AS i CREATE (:V {i: i})",
		"UNWIND range(0, 7) AS i MATCH (a:V {i: i}), (b:V {i: i + 1}) CREATE (a)-[:E]->(b)")
	two := 2
	j := job("top", config.Measure{Measure: "closeness", Nodes: "near", Params: kernels.Params{Top: &two}})
	j.Graph.Relationships[0].Weight.Property = ""
	highest := func() any {
		return b.value("MATCH (v:V) WHERE v.near IS NOT NULL WITH v ORDER BY v.i RETURN collect(v.i)")
	}
	r := b.run(j, jobs.Options{})
	if got, _ := highest().([]any); len(got) != 3 || got[0] != int64(3) || got[2] != int64(5) {
		t.Errorf("the highest of a path are %v", got) // the middle, and the two next to it, which tie
	}
	if len(r.Run.Warnings) != 1 || !strings.Contains(r.Run.Warnings[0], "3") {
		t.Errorf("warnings %q", r.Run.Warnings)
	}
	b.value("MATCH (v:V {i: 8}) UNWIND range(9, 20) AS i CREATE (v)-[:E]->(:V {i: i}) RETURN count(*)")
	b.run(j, jobs.Options{})
	if got, _ := highest().([]any); len(got) != 2 || got[0] != int64(7) || got[1] != int64(8) {
		t.Errorf("the highest next to a star are %v", got)
	}
}
