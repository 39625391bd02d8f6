package jobs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/jobs"
)

// countsOf estimates by the count store alone, as if every graph were too large to read.
type countsOf struct{ db *neo4j.DB }

func (c countsOf) Estimate(ctx context.Context, p connector.Projection) (connector.Estimate, error) {
	return c.db.Counts(ctx, p)
}

// TestEstimateIsNearTheExport compares rows and bytes with those of the real export: within a fifth where the count
// store can tell, and no less where it gives an upper bound.
func TestEstimateIsNearTheExport(t *testing.T) {
	b := newBench(t, "UNWIND range(0, 999) AS i CREATE (:V {i: i, open: i % 4 = 0})",
		"UNWIND range(0, 99) AS i CREATE (:Other {i: i})", "MATCH (n:V) WHERE n.i < 300 SET n:Small",
		"MATCH (v:V) WITH v ORDER BY v.i WITH collect(v) AS v UNWIND v AS a UNWIND range(1, 5) AS k "+
			"WITH a, k, v[(a.i * 7 + k * 131) % 1000] AS b CREATE (a)-[:E {w: k}]->(b)",
		"MATCH (v:V) WITH v ORDER BY v.i WITH collect(v) AS v UNWIND v AS a WITH a, v[(a.i * 3 + 1) % 1000] AS b CREATE (a)-[:F]->(b)",
		"MATCH (a:V), (b:Other) WHERE a.i % 100 = b.i CREATE (a)-[:MIXED]->(b), (a)-[:MIXED]->(a), (b)-[:MIXED]->(b)")
	relationship := func(kind, orientation, weight, parallel string) config.Relationship {
		return config.Relationship{Type: kind, Orientation: orientation, Weight: config.Weight{Property: weight},
			Parallel: parallel}
	}
	for name, c := range map[string]struct {
		graph config.Graph
		upper bool // an upper bound, and said to be one
	}{
		"natural": {config.Graph{Nodes: []string{"V"},
			Relationships: []config.Relationship{relationship("E", "natural", "w", "keep")}}, false},
		"reverse": {config.Graph{Nodes: []string{"V"},
			Relationships: []config.Relationship{relationship("E", "reverse", "", "keep")}}, false},
		"undirected": {config.Graph{Nodes: []string{"V"},
			Relationships: []config.Relationship{relationship("E", "undirected", "w", "keep")}}, false},
		"counted": {config.Graph{Nodes: []string{"V"},
			Relationships: []config.Relationship{relationship("E", "undirected", "", "count")}}, false},
		"both ways and one": {config.Graph{Nodes: []string{"V"},
			Relationships: []config.Relationship{relationship("E", "natural", "", "keep"),
				relationship("F", "undirected", "", "keep")}}, false},
		"two types": {config.Graph{Nodes: []string{"V"},
			Relationships: []config.Relationship{relationship("E", "natural", "w", "keep"),
				relationship("F", "natural", "", "keep")}}, false},
		"two labels": {config.Graph{Nodes: []string{"V", "Other"},
			Relationships: []config.Relationship{relationship("MIXED", "natural", "", "keep")}}, true},
		"labels that overlap": {config.Graph{Nodes: []string{"V", "Small"},
			Relationships: []config.Relationship{relationship("E", "natural", "", "keep")}}, true},
		"ends elsewhere": {config.Graph{Nodes: []string{"V"},
			Relationships: []config.Relationship{relationship("MIXED", "natural", "", "keep")}}, true},
		"some nodes": {config.Graph{Nodes: []string{"V"},
			Where:         []config.Condition{{Property: "open", Is: "=", Value: true}},
			Relationships: []config.Relationship{relationship("E", "natural", "", "keep")}}, true},
		"nodeQuery for all": {config.Graph{NodeQuery: "MATCH (n) RETURN n",
			Relationships: []config.Relationship{relationship("E", "natural", "", "keep")}}, false},
		"relationshipQuery": {config.Graph{Nodes: []string{"V"},
			RelationshipQuery: "MATCH (a)-[r:E]->(b) RETURN a AS source, b AS target, r.w AS weight"}, true},
		"its edges both ways": {config.Graph{Nodes: []string{"V"}, Orientation: "undirected",
			RelationshipQuery: "MATCH (a)-[r:E]->(b) RETURN a AS source, b AS target, r.w AS weight"}, true},
	} {
		e, err := b.runner.Estimate(t.Context(), countsOf{b.db}, config.Job{Name: "j", Graph: c.graph})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, err := b.db.Export(t.Context(), jobs.Projection(c.graph), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		read, err := b.runner.Estimate(t.Context(), b.db, config.Job{Name: "j", Graph: c.graph})
		if err != nil || !read.Exact || read.Nodes != int64(s.Graph.N()) || read.Relationships != int64(s.Rels.Len()) ||
			read.GraphBytes != s.Bytes() {
			t.Errorf("%s: read for the estimate: %+v, %v", name, read, err)
		}
		if e.Exact == c.upper {
			t.Errorf("%s: exact is %t", name, e.Exact)
		}
		for what, pair := range map[string][2]int64{
			"nodes": {e.Nodes, int64(s.Graph.N())}, "relationships": {e.Relationships, int64(s.Rels.Len())},
			"bytes": {e.GraphBytes, s.Bytes()},
		} {
			guess, truth := float64(pair[0]), float64(pair[1])
			if guess < 0.8*truth || !c.upper && guess > 1.2*truth {
				t.Errorf("%s: %s: estimate %v, real %v", name, what, guess, truth)
			}
		}
	}
}

// TestEstimatesOfBounds: an estimate says what a sample with a bound draws at least and at most, as the run then does,
// and whether exact scores are computed instead.
func TestEstimatesOfBounds(t *testing.T) {
	b := newBench(t, "UNWIND range(0, 799) AS i CREATE (:V {i: i})",
		"MATCH (v:V) WITH v ORDER BY v.i WITH collect(v) AS v UNWIND range(1, 799) AS i WITH i, v[i] AS a, v[i / 3] AS b CREATE (a)-[:E {w: 1 + i % 5}]->(b)")
	for _, c := range []struct {
		sample   config.Sample
		weighted bool
		exact    bool
	}{
		{config.Sample{Error: 0.1, Confidence: 0.9}, false, false},
		{config.Sample{Error: 0.3, Confidence: 0.9}, true, false},
		{config.Sample{Error: 1e-6, Confidence: 0.9}, false, true},
		{config.Sample{Top: 3, Confidence: 0.9}, false, false},
	} {
		m := config.Measure{Measure: "betweenness", Nodes: "bc"}
		m.Weighted = c.weighted
		j := job("sure", m)
		j.Compute.Sample, j.Compute.Seed, j.Compute.Reduce = c.sample, 1, "off"
		e, err := b.runner.Estimate(t.Context(), b.db, j)
		if err != nil || len(e.Forecasts) != 1 {
			t.Fatalf("%+v: %+v, %v", c, e, err)
		}
		f := e.Forecasts[0]
		if f.Exact != c.exact || f.ExactSeconds <= 0 || f.Exact != strings.HasPrefix(f.String(), "exact scores") {
			t.Errorf("%+v: foreseen %v (%+v)", c, f, f)
		}
		drawn := b.run(j, jobs.Options{Recompute: true}).Run.Bounds[0]
		count := max(drawn.Pairs, drawn.Sources)
		if !drawn.Exact && (f.Exact || count < f.Least || f.Most > 0 && count > f.Most) {
			t.Errorf("%+v: foreseen %v, drawn %+v", c, f, drawn)
		}
	}
}
