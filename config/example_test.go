package config

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/internal/testcert"
	"github.com/linchpin-graph/linchpin/kernels"
)

func TestExampleLoads(t *testing.T) {
	c, err := Parse("linchpin.yml", []byte(Modeline("./x.json")+Example()), nil, schedules)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range c.Warnings {
		t.Error(w)
	}
}

// TestExampleShowsDefaults switches on every commented line that is no example: nothing may change.
func TestExampleShowsDefaults(t *testing.T) {
	want, err := Parse("linchpin.yml", []byte(Example()), nil, schedules)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse("linchpin.yml", []byte(uncommented(func(comment string) bool {
		return !strings.Contains(comment, "# example") && !strings.Contains(comment, "default as the measure has it")
	})), nil, schedules)
	if err != nil {
		t.Fatal(err)
	}
	got.Jobs[0].Measures[1].Variant, got.Jobs[0].Measures[1].Tolerance = "", 0 // their defaults are the measure's own
	if diff := cmp.Diff(want, got, comparePasswords); diff != "" {
		t.Error(diff)
	}
}

// TestExamplesOfExampleLoad switches on each commented example by itself, but those that replace another key.
func TestExamplesOfExampleLoad(t *testing.T) {
	tried := 0
	authority := testcert.New(t, "authority")
	certificate, key := authority.Pair(t, t.TempDir(), "client")
	encrypted := func(text string) string { return strings.Replace(text, "uri: neo4j:", "uri: neo4j+s:", 1) }
	for line := range strings.Lines(Example()) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.Contains(line, "# example") {
			continue
		}
		text := uncommented(func(l string) bool { return l == line })
		switch {
		case strings.Contains(line, "passwordFile:"):
			text = strings.Replace(text, "/run/secrets/neo4j", "testdata/secret.txt", 1)
		case strings.Contains(line, "relationshipQuery"): // with those that go with it, instead of relationships
			text = uncommented(func(l string) bool { return strings.Contains(l, "relationshipQuery") })
			text = regexp.MustCompile(`(?s)\n      relationships:.*?(\n      relationshipQuery:)`).ReplaceAllString(text, "$1")
			text = strings.Replace(text, "relationships: route_bc", "", 1)
		case strings.Contains(line, "nodeQuery:"):
			text = strings.Replace(text, "nodes: [Airport]", "", 1)
		case strings.Contains(line, "tokenFile:"):
			text = strings.Replace(text, "/run/secrets/token", "testdata/token.txt", 1)
		case strings.Contains(line, " ca:"):
			text = encrypted(strings.Replace(text, "authority.pem", authority.File, 1))
		case strings.Contains(line, "client.pem"):
			text = encrypted(strings.Replace(text, "client.pem", certificate+"\n  key: "+key, 1))
		case strings.Contains(line, "certificate:"):
			text = strings.Replace(text, "tls.crt", certificate+"\n  key: "+key, 1)
		case strings.Contains(line, "secretFile:"):
			text = strings.Replace(text, "hook.key", "testdata/secret.txt", 1)
		case strings.Contains(line, "supernodes:"):
			text = strings.Replace(text, "measure: closeness\n        weighted: true\n        nodes: closeness",
				"measure: leiden\n        nodes: circle", 1)
		case strings.Contains(line, "dendrogram:"):
			text = strings.Replace(text, "measure: closeness\n        weighted: true\n        nodes: closeness",
				"measure: communities\n        nodes: group", 1)
		case strings.Contains(line, "after:"):
			text += "\n  - {name: other, graph: {nodes: [A], relationships: [{type: R}]}, measures: [{measure: degree, " +
				"nodes: d}]}\n"
		case strings.Contains(line, "changeQuery:"):
			text = strings.Replace(text, "# when: always", "when: changed", 1)
		case strings.Contains(line, " devices:"):
			text = strings.Replace(text, "    # compute:", "    compute:", 1)
		case strings.Contains(line, "epsilon:"):
			text = strings.Replace(text, "# zeroWeights: refuse", "zeroWeights: epsilon #", 1)
		}
		if text == Example() {
			t.Errorf("%s: not switched on", line)
		}
		if _, err := Parse("linchpin.yml", []byte(text), nil, schedules); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		tried++
	}
	if tried < 7 {
		t.Errorf("only %d examples", tried)
	}
}

// TestExampleNamesEveryKey finds each key of the structs in the file, commented or not.
func TestExampleNamesEveryKey(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[Config](), reflect.TypeFor[Neo4j](), reflect.TypeFor[Job](), reflect.TypeFor[Graph](),
		reflect.TypeFor[Relationship](), reflect.TypeFor[Measure](), reflect.TypeFor[Compute](), reflect.TypeFor[Write](),
		reflect.TypeFor[Condition](), reflect.TypeFor[Coordinates](), reflect.TypeFor[Distances](), reflect.TypeFor[Serve](),
		reflect.TypeFor[Retry](), reflect.TypeFor[Hook](), reflect.TypeFor[Requests](), reflect.TypeFor[Output](),
		reflect.TypeFor[Property](), reflect.TypeFor[NodeSet](), reflect.TypeFor[Demand](),
	} {
		for name := range fieldsOf(typ) {
			if isIdle(name) {
				continue
			}
			if !regexp.MustCompile(`\b` + name + `:`).MatchString(Example()) {
				t.Errorf("%s.%s is not in the example", typ.Name(), name)
			}
		}
	}
	for variable := range Variables() {
		if !strings.Contains(Example(), variable) {
			t.Errorf("%s is not in the example", variable)
		}
	}
}

// isIdle says that the key is an option of measures, and that no measure of the table has it.
func isIdle(key string) bool {
	isOption := func(o kernels.Option) bool { return o.Name == key }
	if !slices.ContainsFunc(kernels.Options(), isOption) || key == "weighted" || key == "tolerance" {
		return false
	}
	return !slices.ContainsFunc(kernels.Measures(), func(m kernels.Measure) bool {
		return slices.Contains(m.Options, key)
	})
}

// uncommented switches on the commented settings that the function chooses.
func uncommented(choose func(line string) bool) string {
	commented := regexp.MustCompile(`^( *)# ((?:- |  )*\{?[a-zA-Z0-9]+:.*)$`)
	lines := strings.Split(Example(), "\n")
	for i, line := range lines {
		if m := commented.FindStringSubmatch(line); m != nil && choose(line) {
			lines[i] = m[1] + m[2]
		}
	}
	return strings.Join(lines, "\n")
}
