package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
)

func TestWeighTellsLengthsFromStrengths(t *testing.T) {
	number := func(name string, lowest float64) neo4j.FoundProperty {
		return neo4j.FoundProperty{Name: name, Sampled: 10, Numbers: 10, Min: lowest, Max: 9}
	}
	for _, c := range []struct {
		property neo4j.FoundProperty
		weight   bool
		note     string
	}{
		{number("miles", 1), true, "weight: miles looks like a length: numeric on all, positive (1 to 9)."},
		{number("distance_km", 1), true, "looks like a length"},
		{number("travelTime", 1), true, "looks like a length"},
		{number("COST", 1), true, "looks like a length"},
		{number("miles", 0), false, "some are 0"},
		{number("miles", -1), false, "some are -1"},
		{neo4j.FoundProperty{Name: "km", Sampled: 10, Numbers: 9, Min: 1}, false, "only 90 % have it"},
		{neo4j.FoundProperty{Name: "km", Sampled: 10, Texts: 10}, false, ""},
		{number("calls", 1), false, "may be a strength"},
		{number("weight", 1), false, "may be a strength"},
		{number("similarity", 0.1), false, "may be a strength"},
		{number("start_time", 1), false, "nothing says that it is a length"},
		{number("timestamp", 1), false, "nothing says that it is a length"},
		{number("milestone", 1), false, "nothing says that it is a length"},
		{number("a b\n# c: ", 1), false, `weight: "a b\n# c: " is a number`},
	} {
		f := neo4j.FoundType{Sampled: 10, Count: 10, Properties: []neo4j.FoundProperty{c.property}}
		weight, notes := weigh(f)
		if (weight != "") != c.weight || !strings.Contains(strings.Join(notes, "\n"), c.note) ||
			c.note == "" && len(notes) > 0 {
			t.Errorf("%q: weight %q, notes %q; want %v, %q", c.property.Name, weight, notes, c.weight, c.note)
		}
	}
}

func TestOrientation(t *testing.T) {
	airports := []string{"Airport"}
	for _, c := range []struct {
		kind      neo4j.FoundType
		want, why string
	}{
		{neo4j.FoundType{Name: "ROUTE", From: airports, To: airports, Sampled: 200, Count: 200, Back: 186}, "undirected",
			"93 % of ROUTE have a counterpart"},
		{neo4j.FoundType{Name: "CITES", From: airports, To: airports, Sampled: 200, Count: 900, Back: 1}, "natural",
			"natural: 1 % of the 200 sampled CITES"},
		{neo4j.FoundType{Name: "KNOWS", From: airports, To: airports, Sampled: 200, Count: 200}, "undirected",
			"means the same in both directions"},
		{neo4j.FoundType{Name: "IN", From: airports, To: []string{"Country"}, Sampled: 2, Count: 2}, "undirected",
			"bipartite: IN leads from Airport to Country"},
		{neo4j.FoundType{Name: "ANY", Sampled: 2, Count: 2}, "natural", "0 % of ANY"},
	} {
		j := newFirstJob(c.kind)
		if j.orientation != c.want || !strings.Contains(strings.Join(j.why, "\n"), c.why) {
			t.Errorf("%s: %s because %q; want %s, %q", c.kind.Name, j.orientation, j.why, c.want, c.why)
		}
	}
}

// TestRelationshipsOfOneKindComeFirst: of two types the larger one is better, but one within a label is worth more.
func TestRelationshipsOfOneKindComeFirst(t *testing.T) {
	p, m := []string{"Person"}, []string{"Movie"}
	ranked := rankTypes([]neo4j.FoundType{
		{Name: "RARE", Count: 1e9}, // not sampled
		{Name: "ACTED_IN", Count: 900, From: p, To: m, Sampled: 900},
		{Name: "KNOWS", Count: 100, From: p, To: p, Sampled: 100},
		{Name: "FOLLOWS", Count: 3, From: p, To: p, Sampled: 3},
	})
	var names []string
	for _, f := range ranked {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"KNOWS", "ACTED_IN", "FOLLOWS", "RARE"}) {
		t.Errorf("ranked %v", names)
	}
}

func TestFreeNames(t *testing.T) {
	f := &freeNames{taken: []string{"betweenness", "degree", "closeness"}, owners: []neo4j.Owner{
		{Property: "degree", Job: "route"}, {Property: "closeness", Job: "route"}, {Property: "closeness", Job: "other"}}}
	for name, want := range map[string]string{"betweenness": "betweenness_2", "degree": "degree",
		"closeness": "closeness_2", "new": "new"} {
		if got := f.free("route", name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := f.free("route", "new"); got != "new_2" {
		t.Errorf("a name is given twice: %s", got)
	}
}

// TestHardNamesStayInTheirPlace writes a config of names that YAML or Cypher could take for something else.
func TestHardNamesStayInTheirPlace(t *testing.T) {
	for _, name := range []string{"NO", "null", "a: b", "# x", `"`, "'", "x\ny", "\u2028\u0085\ufeff", "日本", "`", "-",
		"1e3", "{", "a\\u0060b", strings.Repeat("ü", 300)} {
		best := newFirstJob(neo4j.FoundType{Name: name, From: []string{name}, To: []string{"T"}, Sampled: 5, Count: 5})
		best.name, best.weight, best.caption, best.skip, best.nodes = jobName(name), name, name, true, math.MaxInt32
		best.measures = []firstMeasure{{"betweenness", "bc", "bc"}}
		best.limit()
		c := firstConfig{neo4j: config.Neo4j{Username: name}, server: neo4j.Server{Database: name}, from: "bolt://localhost",
			found: &neo4j.Discovery{}, jobs: []firstJob{best},
			others: []neo4j.FoundType{{Name: name, From: []string{name}, To: []string{name}}}}
		parsed, err := config.Parse("x.yml", []byte(c.text()), map[string]string{}, configChecks())
		if err != nil {
			t.Errorf("%q: %v\n%s", name, err, c.text())
			continue
		}
		j := parsed.Jobs[0]
		if r := j.Graph.Relationships[0]; r.Type != name || r.Weight.Property != name ||
			!slices.Contains(j.Graph.Nodes, name) || j.Graph.Caption != name ||
			parsed.Neo4j.Username != name {
			t.Errorf("%q became %+v, %q", name, r, j.Graph.Nodes)
		}
	}
}

func TestJobNames(t *testing.T) {
	for text, want := range map[string]string{"ACTED_IN": "acted-in", "日本": "first", "-": "first",
		strings.Repeat("a", 99): strings.Repeat("a", 60)} {
		if got := jobName(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCoordinates(t *testing.T) {
	number := func(name string, low, high float64) neo4j.FoundProperty {
		return neo4j.FoundProperty{Name: name, Sampled: 9, Numbers: 9, Min: low, Max: high}
	}
	for want, properties := range map[string][]neo4j.FoundProperty{
		"lat, lon": {number("lat", -90, 90), number("lon", -180, 180)},
		"Lat, lng": {number("Lat", 0, 9), number("lng", 0, 9)},
		"place":    {{Name: "place", Sampled: 9, Points: 9}},
		"":         {number("lat", 0, 1000), number("lon", 0, 9)},
	} {
		if got := coordinates(properties); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
