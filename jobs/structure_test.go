package jobs_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// twoTriangles are two triangles joined by one relationship, whose second end has a leaf. A pair lies apart.
func twoTriangles() []string {
	return []string{
		"UNWIND range(0, 8) AS i CREATE (:V {i: i})",
		"UNWIND [[0, 1], [0, 2], [1, 2], [2, 3], [3, 4], [3, 5], [4, 5], [3, 6], [7, 8]] AS p MATCH (a:V {i: p[0]}), (b:V {i: p[1]}) CREATE (a)-[:E {w: 1}]->(b)",
	}
}

// TestEightMeasuresShareExportAndWrite: a job with eight measures of structure exports once and writes once, and each
// node and relationship has the scores of all.
func TestEightMeasuresShareExportAndWrite(t *testing.T) {
	b := newBench(t, twoTriangles()...)
	r := b.run(job("structure",
		config.Measure{Measure: "components", Nodes: "part"},
		config.Measure{Measure: "components", Nodes: "partSize", Params: kernels.Params{Variant: kernels.GroupSize}},
		config.Measure{Measure: "articulation", Nodes: "parts"},
		config.Measure{Measure: "bridges", Nodes: "bridges", Relationships: "side"},
		config.Measure{Measure: "biconnectedComponents", Relationships: "block"},
		config.Measure{Measure: "core", Nodes: "core"},
		config.Measure{Measure: "triangles", Nodes: "triangles", Relationships: "closed"},
		config.Measure{Measure: "curvature", Relationships: "curvature", Params: kernels.Params{Variant: kernels.Augmented}},
	), jobs.Options{})
	for _, step := range []jobs.Step{jobs.Export, jobs.Write} {
		if n := count(b.notes.steps, step); n != 1 {
			t.Errorf("%d steps %s", n, step)
		}
	}
	for i, groups := range map[int]*connector.Groups{
		0: {Count: 2, Largest: []connector.Group{{Number: 0, Size: 7}, {Number: 1, Size: 2}}},
		5: {Count: 5, Largest: []connector.Group{{Number: 0, Size: 3}, {Number: 2, Size: 3}, {Number: 1, Size: 1},
			{Number: 3, Size: 1}, {Number: 4, Size: 1}}},
		6: nil, // of core
	} {
		if got := r.Run.Scores[i].Groups; !reflect.DeepEqual(got, groups) {
			t.Errorf("%s: groups %+v, want %+v", r.Run.Scores[i].Property, got, groups)
		}
	}
	for query, want := range map[string]any{
		"MATCH (v:V {i: 3}) RETURN v.part = 0 AND v.partSize = 7 AND v.parts = 3 AND v.bridges = 2 AND v.core = 2 AND v.triangles = 1": true,
		"MATCH (v:V {i: 8}) RETURN v.part = 1 AND v.partSize = 2 AND v.parts = 1 AND v.bridges = 1 AND v.core = 1 AND v.triangles = 0": true,
		"MATCH (:V {i: 2})-[e:E]-(:V {i: 3}) RETURN e.side = 3 AND e.closed = 0 AND e.curvature = -3":                                  true,
		"MATCH (:V {i: 4})-[e:E]-(:V {i: 5}) RETURN e.side = 0 AND e.closed = 1 AND e.curvature = 3":                                   true,
		"MATCH ()-[e:E]->() RETURN count(DISTINCT e.block)":                                                                            int64(5),
	} {
		if got := b.value(query); got != want {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
}

func count(steps []jobs.Step, step jobs.Step) int {
	return len(steps) - len(slices.DeleteFunc(slices.Clone(steps), func(s jobs.Step) bool { return s == step }))
}
