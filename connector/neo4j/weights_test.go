package neo4j

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// two is a graph of one relationship, whose weight the test sets.
const two = "CREATE (a:V {i: 1})-[:E {w: 1.5, other: 1}]->(b:V {i: 2}), (a)-[:F]->(b)"

func TestBadWeightsAreNamed(t *testing.T) {
	s, db := fresh(t, two, "MATCH (a:V {i: 1}) CREATE (a)-[:E {w: 1}]->(a)") // which makes w known
	for value, want := range map[string]string{
		"null": "1 missing", "0": "1 zero", "0.0": "1 zero", "-3": "1 negative, such as -3 in", "-0.5": "-0.5",
		"0.0 / 0.0": "1 not finite, such as NaN", "1.0 / 0.0": "+Inf", "-1.0 / 0.0": "-Inf",
		"'12 km'": `1 not a number, such as the text "12 km"`, "true": "truth value true", "[1, 2]": "a list of 2",
		"date('2026-11-21')": "the date 2026-11-21",
		"duration('P1D')":    "the duration P0M1DT0S", "datetime('2026-11-21T03:04:05Z')": "the time 2026-11-21 03:04:05",
		"point({x: 1, y: 2})": "a point",
		"9007199254740993":    "1 too large for an exact float64, such as 9007199254740993",
		"9223372036854775807": "9223372036854775807",
	} {
		s.Query(t, "MATCH (a)-[r:E]->(b) WHERE a <> b SET r.w = "+value, nil)
		got, err := db.Export(t.Context(), projection("E"), nil)
		if kindOf(err) != connector.BadData || got != nil {
			t.Fatalf("weight %s: error %v of kind %d; want kind BadData", value, err, kindOf(err))
		}
		rel := s.Query(t, "MATCH (a)-[r:E]->(b) WHERE a <> b RETURN toString(id(r)) AS r, '(' + id(a) + ')-[:E]->(' + "+
			"id(b) + ')' AS ends", nil)[0]
		for _, part := range []string{want, "relationship " + rel["r"].(string), rel["ends"].(string),
			"bad weights in w of E: "} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("weight %s: %q does not say %q", value, err, part)
			}
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("more than one line: %q", err)
		}
		if shown := s.Query(t, statementOf(t, err), nil); len(shown) != 1 {
			t.Errorf("weight %s: %s shows %d relationships", value, statementOf(t, err), len(shown))
		}
		p := projection("E")
		p.Weights = export.WeightPolicy{Zero: "skip", Invalid: "skip"}
		if got, err = db.Export(t.Context(), p, nil); err != nil || got.Dropped.BadWeight+got.Dropped.ZeroWeight != 1 {
			t.Errorf("weight %s, skipped: %v", value, err)
		}
	}
}

// statementOf is the one in an error's hint that shows the relationships.
func statementOf(t *testing.T, err error) string {
	t.Helper()
	hint := connector.HintOf(err)
	from, to := strings.Index(hint, "MATCH "), strings.LastIndex(hint, "LIMIT 10")
	if from < 0 || to < 0 {
		t.Fatalf("the hint has no statement: %q", hint)
	}
	if strings.Contains(hint, "id(") {
		t.Errorf("deprecated: %s", hint)
	}
	return hint[from : to+len("LIMIT 10")]
}

// TestAllBadWeightsAtOnce has each kind several times, in each form of export and in a query.
func TestAllBadWeightsAtOnce(t *testing.T) {
	s, db := fresh(t, "UNWIND range(0, 9) AS i CREATE (:V {i: i})",
		"MATCH (a:V), (b:V) WITH a, b, 10 * a.i + b.i AS k CREATE (a)-[:E {w: CASE WHEN k < 3 THEN '14.00' WHEN k < 5 THEN "+
			"0 WHEN k < 9 THEN -k WHEN k < 10 THEN 1.0 / 0.0 WHEN k < 11 THEN 9007199254740993 WHEN k < 17 THEN null ELSE 1 "+
			"END}]->(b)",
		"CREATE (:Other)-[:E {w: -1}]->(:V {i: 10})")
	wants := []string{"6 missing, such as in relationship ", `3 not a number, such as the text "14.00"`,
		"2 zero, such as in", "4 negative, such as -5 in", "1 not finite, such as +Inf", "1 too large for an exact float64"}
	check := func(name string, err error, wants []string) {
		t.Helper()
		if kindOf(err) != connector.BadData {
			t.Errorf("%s: %v", name, err)
			return
		}
		for _, want := range wants {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}
	first := ""
	for _, form := range []form{byPages, byRanges, byLists, byNodes} {
		db.form = form
		_, err := db.Export(t.Context(), projection("E"), nil)
		check("", err, wants)
		if shown := s.Query(t, strings.TrimSuffix(statementOf(t, err), " LIMIT 10"), nil); len(shown) != 17 {
			t.Errorf("%s shows %d relationships", statementOf(t, err), len(shown))
		}
		if first == "" {
			first = err.Error()
		}
		if err.Error() != first {
			t.Errorf("form %d says %q, not %q", form, err, first)
		}
	}
	for _, remedy := range []string{"defaultWeight", "parse: true", "zeroWeights", "invalidWeights: skip"} {
		_, err := db.Export(t.Context(), projection("E"), nil)
		if hint := connector.HintOf(err); !strings.Contains(hint, remedy) {
			t.Errorf("%q does not say %q", hint, remedy)
		}
	}
	p := projection("E")
	p.Weights.Zero, p.Relationships[0].Parse = "skip", true
	p.Relationships[0].DefaultWeight = new(float64)
	*p.Relationships[0].DefaultWeight = 1
	_, err := db.Export(t.Context(), p, nil)
	check("some allowed", err, []string{"bad weights in w of E: 4 negative", "1 not finite"})
	if strings.Contains(err.Error(), "zero") || strings.Contains(err.Error(), "missing") ||
		strings.Contains(err.Error(), "14.00") {
		t.Errorf("it says what is allowed: %v", err)
	}
	if shown := s.Query(t, statementOf(t, err), nil); len(shown) != 6 {
		t.Errorf("%s shows %d relationships", statementOf(t, err), len(shown))
	}
	_, err = db.Export(t.Context(), queryProjection("MATCH (a:V)-[r:E]->(b:V) "+
		"RETURN a AS source, b AS target, r.w AS weight"), nil)
	check("query", err, append(wants[1:], "6 missing, such as in (", "bad weights in relationshipQuery: "))
}

func TestWeightsAsText(t *testing.T) {
	s, db := fresh(t, two)
	p := projection("E")
	p.Relationships[0].Parse = true
	for value, want := range map[string]float64{"'14.00'": 14, "' 2.5 '": 2.5, "'1e3'": 1000, "7": 7,
		"'9007199254740992'": 1 << 53} {
		s.Query(t, "MATCH ()-[r:E]->() SET r.w = "+value, nil)
		if got, err := db.Export(t.Context(), p, nil); err != nil || got.Graph.Weight(0) != want {
			t.Errorf("weight %s: %v, %v", value, got, err)
		}
	}
	for value, want := range map[string]string{
		"'12 km'": `1 not a number, such as the text "12 km"`, "'14,00'": "not a number", "''": "not a number",
		"'0x10'": "not a number", "'1_000'": "not a number", "true": "not a number",
		"'-3'": `1 negative, such as the text "-3"`, "'0.0'": "1 zero", "'1e999'": "1 not finite", "'NaN'": "1 not finite",
		"'9007199254740993'": "1 too large",
	} {
		s.Query(t, "MATCH ()-[r:E]->() SET r.w = "+value, nil)
		_, err := db.Export(t.Context(), p, nil)
		if kindOf(err) != connector.BadData || !strings.Contains(err.Error(), want) {
			t.Errorf("weight %s: %v", value, err)
			continue
		}
		if strings.Contains(connector.HintOf(err), "parse") {
			t.Errorf("weight %s: hint %q", value, connector.HintOf(err))
		}
	}
}

func TestGoodWeights(t *testing.T) {
	s, db := fresh(t, two)
	for value, want := range map[string]float64{"7": 7, "9007199254740992": 1 << 53, "1152921504606846976": 1 << 60,
		"0.1": 0.1, "5e-324": 5e-324} {
		s.Query(t, "MATCH ()-[r:E]->() SET r.w = "+value, nil)
		got, err := db.Export(t.Context(), projection("E"), nil)
		if err != nil || got.Graph.Weight(0) != want {
			t.Errorf("weight %s: %v, %v", value, got, err)
		}
	}
}

func TestUnknownAndEmptyNames(t *testing.T) {
	s, db := fresh(t, two, "CREATE (:Gone)", "MATCH (g:Gone) DELETE g")
	for name, c := range map[string]struct {
		change func(*connector.Projection)
		kind   connector.Kind
		hint   string
	}{
		"label": {func(p *connector.Projection) { p.Labels = []string{"v2"} }, connector.UnknownName,
			"did you mean V?"},
		"second label": {func(p *connector.Projection) { p.Labels = []string{"V", "Airprt"} }, connector.UnknownName,
			"there are V"},
		"own label": {func(p *connector.Projection) { p.Labels = []string{"LinchpinRun"} }, connector.UnknownName,
			""},
		"type": {func(p *connector.Projection) { p.Relationships[0].Type = "e" }, connector.UnknownName,
			"did you mean E?"},
		"property": {func(p *connector.Projection) { p.Relationships[0].Weight = "othr" }, connector.UnknownName,
			"did you mean other?"},
		"property of nodes": {func(p *connector.Projection) { p.Relationships[0].Weight = "i" }, connector.UnknownName,
			""},
		"property elsewhere":   {func(p *connector.Projection) { p.Relationships[0].Type = "F" }, connector.UnknownName, ""},
		"label without nodes":  {func(p *connector.Projection) { p.Labels = []string{"Gone"} }, connector.Empty, ""},
		"query without rows":   {byQuery("MATCH (n:V) WHERE n.i > 9 RETURN id(n)"), connector.Empty, "Browser"},
		"query of two columns": {byQuery("MATCH (n:V) RETURN id(n), n.i"), connector.BadQuery, "one column"},
		"query of floats":      {byQuery("RETURN 1.5"), connector.BadQuery, ""},
		"query of null":        {byQuery("RETURN null"), connector.BadQuery, "leave out"},
		"query of properties":  {byQuery("RETURN 99999999"), connector.BadQuery, "RETURN n"},
		"query of names":       {byQuery("RETURN 'Berlin'"), connector.BadQuery, ""},
		"query that writes":    {byQuery("CREATE (n:Written) RETURN id(n)"), connector.BadQuery, ""},
		"query that breaks":    {byQuery("MATCH (n:V RETURN id(n)"), connector.BadQuery, ""},
		"query that fails":     {byQuery("UNWIND [0] AS x RETURN 1 / x"), connector.BadQuery, ""},
	} {
		p := projection("E")
		c.change(&p)
		got, err := db.Export(t.Context(), p, nil)
		if kindOf(err) != c.kind || got != nil {
			t.Errorf("%s: error %v of kind %d, want kind %d", name, err, kindOf(err), c.kind)
		}
		var e *connector.Error
		if errors.As(err, &e) && !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: hint %q does not say %q", name, e.Hint, c.hint)
		}
		if _, err := db.Estimate(t.Context(), p); c.kind != connector.Empty && kindOf(err) != c.kind {
			t.Errorf("%s: estimate: %v", name, err)
		}
	}
	if n := s.Query(t, "MATCH (n) RETURN count(n) AS c", nil)[0]["c"]; n != int64(2) {
		t.Errorf("%v nodes afterwards, want 2", n)
	}
}

func byQuery(q string) func(*connector.Projection) {
	return func(p *connector.Projection) { p.Labels, p.NodeQuery = nil, q }
}

func TestNodeQueryForms(t *testing.T) {
	s, db := fresh(t, two, "CREATE (:V {i: 3})-[:E {w: 1}]->(:Other)")
	elements := open(t, s, func(o *Options) { o.ElementIDs = true })
	for _, q := range []string{
		"MATCH (n:V) RETURN id(n)", "MATCH (n:V) RETURN n", "MATCH (n:V) RETURN elementId(n)",
		"MATCH (n:V) UNWIND [id(n), elementId(n), n] AS x RETURN x", "MATCH (n) WHERE NOT n:Other RETURN n",
	} {
		for _, db := range []*DB{db, elements} {
			p := projection("E")
			byQuery(q)(&p)
			got, err := db.Export(t.Context(), p, nil)
			if !db.server.IntegerIDs && strings.Contains(strings.ReplaceAll(q, "elementId(", ""), "id(") {
				if kindOf(err) != connector.BadQuery {
					t.Errorf("%s, without integer ids: %v", q, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", q, err)
			}
			if got.Graph.N() != 3 || got.Rels.Len() != 1 || got.Dropped.Dangling != 1 {
				t.Errorf("%s: %d nodes, %d relationships, %+v", q, got.Graph.N(), got.Rels.Len(), got.Dropped)
			}
		}
	}
}

// TestQueryOfNoNode: TestDeletionsBehindTheWriter shows that a node which is deleted behind the query's back is no
// mistake.
func TestQueryOfNoNode(t *testing.T) {
	s, db := fresh(t, two)
	s.Query(t, "CREATE (:Once)", nil)
	// The query returns a node that it does not find again: a deleted one, the first time alone.
	gone := s.Query(t, "MATCH (o:Once) WITH o, id(o) AS i DETACH DELETE o RETURN i", nil)[0]["i"]
	p := projection("E")
	byQuery("MATCH (n:V) RETURN id(n) AS i UNION RETURN 1000000 + timestamp() % 1000000 AS i")(&p)
	if _, err := db.Export(t.Context(), p, nil); kindOf(err) != connector.BadQuery ||
		!strings.Contains(err.Error(), "is the id of no node") {
		t.Errorf("another id each time: %v", err)
	}
	byQuery(fmt.Sprintf("MATCH (n:V) RETURN id(n) AS i UNION RETURN %v AS i", gone))(&p)
	if _, err := db.Export(t.Context(), p, nil); kindOf(err) != connector.BadQuery ||
		!strings.Contains(err.Error(), fmt.Sprintf("returns %v, which", gone)) {
		t.Errorf("the same each time: %v", err)
	}
}
