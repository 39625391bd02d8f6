package jobs_test

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// citations are six papers that cite others, of which the first is cited most.
func citations() []string {
	return []string{
		"UNWIND range(0, 5) AS i CREATE (:V {i: i, trust: CASE WHEN i < 2 THEN i ELSE null END})",
		"UNWIND [[1,0],[2,0],[3,0],[3,1],[4,2],[5,3],[0,5]] AS e MATCH (a:V {i: e[0]}), (b:V {i: e[1]}) CREATE (a)-[:E {w: 1}]->(b)",
		"MATCH (v:V) WHERE v.i IN [3, 4] SET v:Seed",
		"CREATE (:Seed {i: 9})",
	}
}

// TestRanksOfAJob: scores of several measures are written, and the record has how each converged.
func TestRanksOfAJob(t *testing.T) {
	b := newBench(t, citations()...)
	three := 3
	j := job("ranks",
		config.Measure{Measure: "pagerank", Nodes: "rank", Params: kernels.Params{Variant: kernels.Probability}},
		config.Measure{Measure: "hits", Nodes: "authority"},
		config.Measure{Measure: "pagerank", Nodes: "near", Sources: &config.NodeSet{Nodes: []string{"Seed"}}},
		config.Measure{Measure: "pagerank", Nodes: "trusted",
			Demand: &config.Demand{Property: "trust", Of: "sources", Default: new(float64)}},
		config.Measure{Measure: "articleRank", Nodes: "listed",
			Sources: &config.NodeSet{Query: "MATCH (v:V) WHERE v.i IN [4, 5] RETURN v"}},
	)
	j.Graph.Relationships[0].Orientation = "natural"
	r := b.run(j, jobs.Options{})
	if c := r.Run.Convergences; len(c) != 5 || c[0].Measure != "pagerank" || c[0].Iterations < 10 || c[0].Residual <= 0 ||
		c[0].Residual > 1e-10 {
		t.Errorf("%+v", c)
	}
	if text, _ := b.value("MATCH (r:LinchpinRun) RETURN r.convergences").(string); !strings.Contains(text,
		`"iterations":`) || !strings.Contains(text, `"residual":`) {
		t.Errorf("the record in the database has %q", text)
	}
	if sum, _ := b.value("MATCH (v:V) RETURN sum(v.rank)").(float64); sum < 1-1e-9 || sum > 1+1e-9 {
		t.Errorf("probabilities sum to %v", sum)
	}
	if i := b.value("MATCH (v:V) RETURN v.i ORDER BY v.authority DESC LIMIT 1"); i != int64(0) {
		t.Errorf("the first authority is %v", i)
	}
	for property, reached := range map[string]int64{"near": 6, "trusted": 4, "listed": 6} {
		if n := b.value("MATCH (v:V) WHERE v." + property + " > 0 RETURN count(*)"); n != reached {
			t.Errorf("%s reaches %v nodes, want %d", property, n, reached)
		}
	}
	if len(r.Run.Warnings) != 1 || !strings.Contains(r.Run.Warnings[0], "1 of 3 sources are not in the graph") {
		t.Errorf("warnings %q", r.Run.Warnings)
	}
	if r := b.run(j, jobs.Options{}); !r.Unchanged {
		t.Error("the second run of the same sources computed again")
	}
	b.value("MATCH (v:V {i: 1}) SET v:Seed RETURN 1")
	if r := b.run(j, jobs.Options{}); r.Unchanged {
		t.Error("a run with another source did not compute")
	}

	for says, m := range map[string]config.Measure{
		"pagerank has not converged after 3 iterations: the residual is": {Measure: "pagerank", Nodes: "rank",
			Params: kernels.Params{Iterations: &three}},
		"none of the 1 source is in the graph": {Measure: "pagerank", Nodes: "rank",
			Sources: &config.NodeSet{Query: "MATCH (s:Seed {i: 9}) RETURN s"}},
		"the none of all sources is 0": {Measure: "pagerank", Nodes: "rank",
			Demand: &config.Demand{Property: "none", Of: "sources", Default: new(float64)}},
		"minus: ": {Measure: "pagerank", Nodes: "rank",
			Demand: &config.Demand{Property: "minus", Of: "sources", Default: new(float64)}},
	} {
		b.value("MATCH (v:V {i: 0}) SET v.minus = -1 RETURN 1")
		j.Measures = []config.Measure{m}
		if r, err := b.runner.Run(t.Context(), j, jobs.Options{}); err == nil || !strings.Contains(err.Error(), says) ||
			!strings.Contains(r.Run.Error, says) {
			t.Errorf("%v; want %q", err, says)
		}
	}
}
