package neo4j

import (
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
)

// looking returns the connection with limits so low that every graph counts as large.
func looking(db *DB, most int64) *DB {
	db.smallGraph, db.lookAtMost = 0, most
	return db
}

// TestEstimateExtrapolates looks at a part of a graph in which every part is like the whole.
func TestEstimateExtrapolates(t *testing.T) {
	s, _ := fresh(t, "UNWIND range(0, 1999) AS i CREATE (:V {i: i, open: i % 4 <> 0})",
		"MATCH (v:V) WITH v ORDER BY v.i WITH collect(v) AS v UNWIND v AS a WITH a, v[(a.i * 7 + 1) % 2000] AS b "+
			"CREATE (a)-[:E {w: 1 + a.i % 10}]->(b), (b)-[:E {w: 1}]->(a)")
	p := projection("E")
	p.Where = []connector.Condition{{Property: "open", Is: "=", Value: true}}
	p.Relationships[0].Where = []connector.Condition{{Property: "w", Is: "present"}}
	got, err := open(t, s).Export(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := looking(open(t, s), 400).Estimate(t.Context(), p)
	if err != nil || e.Exact || len(e.Notes) != 2 || !strings.Contains(e.Notes[0], "the first 400") {
		t.Fatalf("%+v, %v", e, err)
	}
	for what, pair := range map[string][2]int64{"nodes": {e.Nodes, int64(got.Graph.N())},
		"relationships": {e.Relationships, int64(got.Rels.Len())}} {
		if guess, truth := float64(pair[0]), float64(pair[1]); guess < 0.8*truth || guess > 1.2*truth {
			t.Errorf("%s: %v, in truth %v", what, guess, truth)
		}
	}
}

// TestEstimateTellsWhatJoinsNothing: the count store knows of relationships that leave the label, not that they all
// lead elsewhere.
func TestEstimateTellsWhatJoinsNothing(t *testing.T) {
	s, _ := fresh(t, "CREATE (:V)-[:E {w: 1}]->(:Other)-[:E {w: 1}]->(:V)")
	for name, db := range map[string]*DB{"small": open(t, s), "large": looking(open(t, s), 100)} {
		e, err := db.Estimate(t.Context(), projection("E"))
		if err != nil || !e.Exact || e.Nodes != 2 || e.Relationships != 0 {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}

// TestEstimateTriesWeights expects the error that the export ends with.
func TestEstimateTriesWeights(t *testing.T) {
	for name, weight := range map[string]string{"text": "'14.00'", "negative": "-1.5", "missing": "null", "fine": "2.5"} {
		s, _ := fresh(t, "CREATE (:V)-[:E {w: 1.5}]->(:V)-[:E {w: "+weight+"}]->(:V)")
		p := projection("E")
		p.Relationships[0].Weight = "w"
		_, want := open(t, s).Export(t.Context(), p, nil)
		if (want == nil) != (name == "fine") {
			t.Fatalf("%s: the export: %v", name, want)
		}
		for size, db := range map[string]*DB{"small": open(t, s), "large": looking(open(t, s), 100)} {
			if _, err := db.Estimate(t.Context(), p); connector.KindOf(err) != connector.KindOf(want) || err != nil &&
				err.Error() != want.Error() {
				t.Errorf("%s, %s: %v, want %v", name, size, err, want)
			}
		}
	}
}

// TestConditionsOfAnotherType compares values with what Cypher does not compare them with.
func TestConditionsOfAnotherType(t *testing.T) {
	s, _ := fresh(t, "UNWIND range(1, 4) AS i CREATE (:V {zone: i, name: 'n' + i, since: date(), mixed: CASE i WHEN 1 "+
		"THEN 'x' ELSE i END})-[:E {kind: 'road'}]->(:V)")
	p := projection("E")
	p.Relationships[0].Weight = ""
	none := func(c connector.Condition, hint string) {
		t.Helper()
		p.Where = []connector.Condition{c}
		for size, db := range map[string]*DB{"small": open(t, s), "large": looking(open(t, s), 100)} {
			_, err := db.Estimate(t.Context(), p)
			if connector.KindOf(err) != connector.Empty || connector.HintOf(err) != hint {
				t.Errorf("%s: %v, hint %q, want %q", size, err, connector.HintOf(err), hint)
			}
		}
		if _, err := open(t, s).Export(t.Context(), p, nil); connector.HintOf(err) != hint {
			t.Errorf("export: %v, hint %q", err, connector.HintOf(err))
		}
	}
	none(connector.Condition{Property: "zone", Is: "<=", Value: "2"},
		`the values of zone are numbers (such as 1, 2, 3); where compares <= the text "2"`)
	none(connector.Condition{Property: "name", Is: "in", Value: []any{int64(1), true}},
		`the values of name are texts (such as "n1", "n2", "n3"); where compares in a list of 2`)
	none(connector.Condition{Property: "kind", Is: "present"},
		"nothing here has the property kind; where demands that it is present")
	p.Where = nil
	for _, c := range []struct {
		condition connector.Condition
		want      []string
	}{
		{connector.Condition{Property: "kind", Is: "<>", Value: int64(1)},
			[]string{`the values of kind are texts (such as "road"); where compares <> the integer 1`}},
		{connector.Condition{Property: "kind", Is: "starts with", Value: "r"}, nil},
		{connector.Condition{Property: "kind", Is: "missing"}, nil},
	} {
		p.Relationships[0].Where = []connector.Condition{c.condition}
		if e, err := open(t, s).Estimate(t.Context(), p); err != nil || !slices.Equal(e.Warnings, c.want) {
			t.Errorf("%+v: %q, %v, want %q", c.condition, e.Warnings, err, c.want)
		}
	}
	p.Relationships[0].Where = nil
	p.Where = []connector.Condition{{Property: "mixed", Is: "<>", Value: int64(2)}}
	if e, err := open(t, s).Estimate(t.Context(), p); err != nil || len(e.Warnings) != 0 {
		t.Errorf("one type of several fits: %+v, %v", e, err)
	}
}

// TestEstimateOfAllNodes looks at nodes of any label, but not at linchpin's own.
func TestEstimateOfAllNodes(t *testing.T) {
	s, _ := fresh(t, "CREATE (:V {i: 1})-[:E]->({i: 2})-[:E]->(:W {i: 3}), (:LinchpinRun {i: 1})-[:E]->(:LinchpinJob "+
		"{i: 1})")
	p := connector.Projection{AllNodes: true, Relationships: []connector.Relationship{{Type: "E", Orientation: "natural",
		Parallel: "keep"}}}
	p.Where = []connector.Condition{{Property: "i", Is: "<", Value: int64(3)}}
	for size, db := range map[string]*DB{"small": open(t, s), "large": looking(open(t, s), 100)} {
		if e, err := db.Estimate(t.Context(), p); err != nil || e.Nodes != 2 || e.Relationships != 1 {
			t.Errorf("%s: %+v, %v", size, e, err)
		}
	}
}
