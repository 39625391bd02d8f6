package neo4j

import (
	"fmt"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
)

// TestWhere compares filtered exports, in each form, with what plain Cypher counts.
func TestWhere(t *testing.T) {
	s, _ := fresh(t, "UNWIND range(0, 299) AS i CREATE (v:V {i: i, name: 'n' + i}) "+
		"FOREACH (_ IN CASE i % 3 WHEN 0 THEN [1] ELSE [] END | SET v.`odd ``name` = i % 2 = 0) "+
		"WITH collect(v) AS vs UNWIND range(0, 1999) AS k WITH k, vs[k * 7919 % 300] AS a, vs[k * 31 % 300] AS b "+
		"CREATE (a)-[r:E {w: 1.5 + k, k: k}]->(b) "+
		"FOREACH (_ IN CASE k % 5 WHEN 0 THEN [1] ELSE [] END | SET r.kind = 'kind ' + (k % 4))")
	for _, c := range []struct {
		name                 string
		nodes, relationships []connector.Condition
		cypher               string // over (a)-[r:E]->(b)
	}{
		{"equals", []connector.Condition{{Property: "odd `name", Is: "=", Value: true}}, nil,
			"a.`odd ``name` = true AND b.`odd ``name` = true"},
		{"unequal", []connector.Condition{{Property: "odd `name", Is: "<>", Value: true}}, nil,
			"a.`odd ``name` = false AND b.`odd ``name` = false"},
		{"missing", []connector.Condition{{Property: "odd `name", Is: "missing"}}, nil,
			"a.`odd ``name` IS NULL AND b.`odd ``name` IS NULL"},
		{"range", []connector.Condition{{Property: "i", Is: ">=", Value: int64(10)}, {Property: "i", Is: "<", Value: 99.5}},
			nil, "10 <= a.i < 99.5 AND 10 <= b.i < 99.5"},
		{"in", []connector.Condition{{Property: "i", Is: "in", Value: []any{int64(0), int64(31), int64(62), "x", true}}}, nil,
			"a.i IN [0, 31, 62] AND b.i IN [0, 31, 62]"},
		{"relationships", nil, []connector.Condition{{Property: "kind", Is: "present"},
			{Property: "k", Is: ">", Value: 20.0}}, "r.kind IS NOT NULL AND r.k > 20"},
		{"text", []connector.Condition{{Property: "name", Is: "starts with", Value: "n1"}},
			[]connector.Condition{{Property: "kind", Is: "ends with", Value: "1"}},
			"a.name STARTS WITH 'n1' AND b.name STARTS WITH 'n1' AND r.kind ENDS WITH '1'"},
		{"contains, and Cypher in a value", []connector.Condition{{Property: "name", Is: "<>", Value: "' OR true //"}},
			[]connector.Condition{{Property: "kind", Is: "contains", Value: "d 2"}}, "r.kind CONTAINS 'd 2'"},
	} {
		want := s.Query(t, "MATCH (a:V)-[r:E]->(b:V) WHERE "+c.cypher+" RETURN count(r) AS n", nil)[0]["n"].(int64)
		for name, form := range map[string]form{"pages": byPages, "ranges": byRanges, "nodes": byNodes} {
			db := open(t, s)
			db.form = form
			p := projection("E")
			p.Where, p.Relationships[0].Where = c.nodes, c.relationships
			got, err := db.Export(t.Context(), p, nil)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
				continue
			}
			if int64(got.Rels.Len()) != want || want == 0 {
				t.Errorf("%s, %s: %d relationships, want %d", c.name, name, got.Rels.Len(), want)
			}
			if got.Read.Changed != "" {
				t.Errorf("%s, %s: the graph is said to have changed: %s", c.name, name, got.Read.Changed)
			}
			e, err := db.Estimate(t.Context(), p)
			if err != nil || !e.Exact || e.Relationships != want || e.Nodes != int64(got.Graph.N()) {
				t.Errorf("%s: estimate %+v, %v: want %d relationships", c.name, e, err, want)
			}
			db.smallGraph = 0 // as of a large graph
			e, err = db.Estimate(t.Context(), p)
			if err != nil || !e.Exact || e.Relationships != want || e.Nodes != int64(got.Graph.N()) {
				t.Errorf("%s: estimate by looking %+v, %v: want %d relationships", c.name, e, err, want)
			}
		}
	}
}

func TestWhereMistakes(t *testing.T) {
	_, db := fresh(t, "CREATE (:V {open: true})-[:E {w: 1}]->(:V)")
	for _, c := range []struct {
		condition connector.Condition
		kind      connector.Kind
		want      string
	}{
		{connector.Condition{Property: "openn", Is: "=", Value: true}, connector.UnknownName, "did you mean open?"},
		{connector.Condition{Property: "open", Is: "=", Value: "yes"}, connector.Empty, "meets the conditions of where"},
		{connector.Condition{Property: "open", Is: "OR true //", Value: 1}, connector.BadQuery, "unknown relation"},
	} {
		p := projection("E")
		p.Where = []connector.Condition{c.condition}
		_, err := db.Export(t.Context(), p, nil)
		if kindOf(err) != c.kind || !strings.Contains(explained(err), c.want) {
			t.Errorf("%+v: %v, want %q", c.condition, err, c.want)
		}
	}
}

// explained is an error's message and its hint.
func explained(err error) string {
	if e, ok := err.(*connector.Error); ok {
		return fmt.Sprintf("%v (%s)", e, e.Hint)
	}
	return fmt.Sprint(err)
}
