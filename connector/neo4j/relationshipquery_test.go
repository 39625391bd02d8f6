package neo4j

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

func queryProjection(text string) connector.Projection {
	return connector.Projection{Labels: []string{"V"},
		RelationshipQuery: connector.Query{Text: text, Orientation: export.Natural, Parallel: export.Keep}}
}

// TestRelationshipQueryForms compares every form of a query with the export by type.
func TestRelationshipQueryForms(t *testing.T) {
	s, db := fresh(t, mixed)
	want, err := db.Export(t.Context(), projection("E"), nil)
	if err != nil {
		t.Fatal(err)
	}
	// The ends outside the graph have a text as weight, which is not looked at.
	queries := map[string]string{
		"rows":        "MATCH (a)-[r:E]->(b) RETURN id(a) AS source, id(b) AS target, r.w AS weight",
		"order":       "MATCH (a)-[r:E]->(b) RETURN r.w AS weight, id(b) AS target, id(a) AS source ORDER BY r.w DESC",
		"element ids": "MATCH (a)-[r:E]->(b) RETURN elementId(a) AS source, elementId(b) AS target, r.w AS weight",
		"nodes":       "MATCH (a)-[r:E]->(b) RETURN a AS source, b AS target, r.w AS weight",
		"lists": "MATCH (a)-[r:E]->(b) WITH id(r) % 7 AS g, a, b, r " +
			"WITH g, collect(id(a)) AS source, collect(elementId(b)) AS target, collect(coalesce(r.w, 0)) AS weight " +
			"RETURN source, target, weight",
	}
	digest := ""
	for name, text := range queries {
		got, err := db.Export(t.Context(), queryProjection(text), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Graph.M() != want.Graph.M() || got.Dropped.Dangling != want.Dropped.Dangling {
			t.Errorf("%s: %d edges, %+v; want %d, %+v", name, got.Graph.M(), got.Dropped, want.Graph.M(), want.Dropped)
		}
		if digest == "" {
			digest = got.Digest()
		} else if got.Digest() != digest {
			t.Errorf("%s: the snapshot depends on the form of the query", name)
		}
		sum := func(s *export.Snapshot) (x float64) {
			for v := range int32(s.Graph.N()) {
				for i := s.Graph.Offsets[v]; i < s.Graph.Offsets[v+1]; i++ {
					x += s.Graph.Weights[i] * float64(v+1) * float64(s.Graph.Targets[i]+2)
				}
			}
			return x
		}
		if a, b := sum(got), sum(want); a < b*(1-1e-12) || a > b*(1+1e-12) {
			t.Errorf("%s: other edges: %v, want %v", name, a, b)
		}
	}
	e, err := db.Estimate(t.Context(), queryProjection(queries["lists"]))
	if n := int64(want.Rels.Len()); err != nil || e.Relationships != n {
		t.Errorf("estimate %+v, %v; want %d", e, err, n)
	}
	elements := open(t, s, func(o *Options) { o.ElementIDs = true })
	for _, name := range []string{"element ids", "nodes"} {
		if got, err := elements.Export(t.Context(), queryProjection(queries[name]), nil); err != nil ||
			got.Graph.M() != want.Graph.M() {
			t.Errorf("%s on a server without integers: %v", name, err)
		}
	}
	unweighted := queryProjection("MATCH (a)-[:E]->(b) RETURN a AS source, b AS target")
	unweighted.RelationshipQuery.Parallel, unweighted.RelationshipQuery.Orientation = export.Count, export.Undirected
	if got, err := db.Export(t.Context(), unweighted, nil); err != nil || got.Graph.Directed || got.Graph.Weights == nil {
		t.Errorf("counted: %v", err)
	}
}

func TestRelationshipQueryMistakes(t *testing.T) {
	s, db := fresh(t, "CREATE (a:V {i: 1})-[:E {w: 1, n: -2}]->(b:V {i: 2}), (:Other)-[:E]->(:Other)")
	for text, c := range map[string]struct {
		kind connector.Kind
		want string
	}{
		"MATCH (a)-->(b) RETURN id(a), id(b)": {connector.BadQuery,
			`a column "id(a)"`},
		"MATCH (a)-->(b) RETURN id(a) AS source": {connector.BadQuery,
			"must return source and target"},
		"MATCH (a)-->(b) RETURN a AS source, b AS target, 1 AS wieght": {connector.BadQuery,
			`"wieght"`},
		"MATCH (a)-->(b) RETURN a AS source, null AS target": {connector.BadQuery,
			"null as target"},
		"MATCH (a)-->(b) RETURN a AS source, 1.5 AS target": {connector.BadQuery,
			"the number 1.5 as target"},
		"MATCH (a)-[r]->(b) RETURN r AS source, b AS target": {connector.BadQuery,
			"a relationship as source"},
		"MATCH (a)-->(b) RETURN [a] AS source, [] AS target": {connector.BadQuery,
			"a list of 0 as target"},
		"MATCH (a)-->(b) RETURN [a] AS source, b AS target": {connector.BadQuery,
			"lists of one row"},
		"MATCH (a)-[r]->(b) RETURN collect(a) AS source, collect(b) AS target, collect(r.w) AS weight": {connector.BadQuery,
			"a list of 1 as weight"},
		"MATCH (a:V)-[r]->(b) RETURN a AS source, b AS target, r.nothing AS weight": {connector.BadData,
			"1 missing, such as in ("},
		"MATCH (a:V)-[r]->(b) RETURN a AS source, b AS target, r.n AS weight": {connector.BadData,
			"-2"},
		"MATCH (a:V)-[r]->(b) RETURN a AS source, b AS target, 'x' AS weight": {connector.BadData,
			`the text "x"`},
		"MATCH (a:V)-[r]->(b) WHERE false RETURN a AS source, b AS target": {connector.Empty,
			"no relationships"},
		"MATCH (a:Other)-[r]->(b) RETURN a AS source, b AS target": {connector.Empty,
			"none of them between nodes of the graph"},
		"MATCH (a:V)-[r]->(b) RETURN a.i + 1000 AS source, b.i + 1000 AS target": {connector.Empty,
			"none of them"},
		"MATCH (a:V)-[r]->(b) SET a.i = 3 RETURN a AS source, b AS target": {connector.BadQuery,
			"may only read"},
		"CREATE (a:V)-[:E]->(b:V) RETURN a AS source, b AS target": {connector.BadQuery,
			"may only read"},
		"MATCH (a:V)-[r]->(b) RETRUN a AS source, b AS target": {connector.BadQuery,
			"does not run"},
		"MATCH (a:V)-[r]->(b) RETURN a AS source, b AS target, $x AS weight": {connector.BadQuery,
			"does not run"},
	} {
		_, err := db.Export(t.Context(), queryProjection(text), nil)
		if kindOf(err) != c.kind || !strings.Contains(explained(err), c.want) {
			t.Errorf("%s:\n  %s, want %q", text, explained(err), c.want)
		}
		if strings.Contains(explained(err), "\n") {
			t.Errorf("%s: %q has several lines", text, explained(err))
		}
	}
	if n := s.Query(t, "MATCH (n) RETURN count(n) AS n, sum(n.i) AS i", nil)[0]; n["n"] != int64(4) || n["i"] != int64(3) {
		t.Errorf("a query has written: %v", n)
	}
}
