package neo4j

import (
	"errors"
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
		"null": "it has none (set a defaultWeight, or invalidWeights: skip)", "0": ": 0;", "0.0": "(or set zeroWeights: skip, or an epsilon)",
		"-3": "-3; weights are finite and greater than 0 (or set invalidWeights: skip)", "-0.5": "-0.5",
		"0.0 / 0.0": "NaN", "1.0 / 0.0": "+Inf", "-1.0 / 0.0": "-Inf",
		"'12 km'": `the text "12 km"`, "true": "truth value true", "[1, 2]": "a list of 2", "date('2026-11-21')": "the date 2026-11-21",
		"duration('P1D')": "the duration P0M1DT0S", "datetime('2026-11-21T03:04:05Z')": "the time 2026-11-21 03:04:05", "point({x: 1, y: 2})": "a point",
		"9007199254740993": "9007199254740993 has no exact float64", "9223372036854775807": "9223372036854775807 has no exact float64",
	} {
		s.Query(t, "MATCH (a)-[r:E]->(b) WHERE a <> b SET r.w = "+value, nil)
		got, err := db.Export(t.Context(), projection("E"), nil)
		if kindOf(err) != connector.BadData || got != nil {
			t.Fatalf("weight %s: error %v of kind %d; want kind BadData", value, err, kindOf(err))
		}
		rel := s.Query(t, "MATCH (a)-[r:E]->(b) WHERE a <> b RETURN toString(id(r)) AS r, '(' + id(a) + ')-[:E]->(' + id(b) + ')' AS ends", nil)[0]
		for _, part := range []string{want, "relationship " + rel["r"].(string), rel["ends"].(string), "weight w"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("weight %s: %q does not say %q", value, err, part)
			}
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("more than one line: %q", err)
		}
		p := projection("E")
		p.Weights = export.WeightPolicy{Zero: "skip", Invalid: "skip"}
		if got, err = db.Export(t.Context(), p, nil); err != nil || got.Dropped.BadWeight+got.Dropped.ZeroWeight != 1 {
			t.Errorf("weight %s, skipped: %v", value, err)
		}
	}
}

func TestGoodWeights(t *testing.T) {
	s, db := fresh(t, two)
	for value, want := range map[string]float64{"7": 7, "9007199254740992": 1 << 53, "1152921504606846976": 1 << 60, "0.1": 0.1, "5e-324": 5e-324} {
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
		"label":                {func(p *connector.Projection) { p.Labels = []string{"v2"} }, connector.UnknownName, "did you mean V?"},
		"second label":         {func(p *connector.Projection) { p.Labels = []string{"V", "Airprt"} }, connector.UnknownName, "there are V"},
		"own label":            {func(p *connector.Projection) { p.Labels = []string{"LinchpinRun"} }, connector.UnknownName, ""},
		"type":                 {func(p *connector.Projection) { p.Relationships[0].Type = "e" }, connector.UnknownName, "did you mean E?"},
		"property":             {func(p *connector.Projection) { p.Relationships[0].Weight = "othr" }, connector.UnknownName, "did you mean other?"},
		"property of nodes":    {func(p *connector.Projection) { p.Relationships[0].Weight = "i" }, connector.UnknownName, ""},
		"property elsewhere":   {func(p *connector.Projection) { p.Relationships[0].Type = "F" }, connector.UnknownName, ""},
		"label without nodes":  {func(p *connector.Projection) { p.Labels = []string{"Gone"} }, connector.Empty, ""},
		"query without rows":   {byQuery("MATCH (n:V) WHERE n.i > 9 RETURN id(n)"), connector.Empty, "Browser"},
		"query of two columns": {byQuery("MATCH (n:V) RETURN id(n), n.i"), connector.BadQuery, "one column"},
		"query of floats":      {byQuery("RETURN 1.5"), connector.BadQuery, ""},
		"query of null":        {byQuery("RETURN null"), connector.BadQuery, "leave out"},
		"query of properties":  {byQuery("RETURN 99999999"), connector.BadQuery, "RETURN id(n)"},
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
