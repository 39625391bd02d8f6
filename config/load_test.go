package config

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/testcert"
	"github.com/linchpin-graph/linchpin/kernels"
)

var update = flag.Bool("update", false, "write the expected results anew")

// schedules stands in for the parser of jobs: it knows one bad line and one bad zone.
var schedules = Checks{
	Schedule: func(line, timezone string) error {
		switch {
		case strings.HasPrefix(line, "61"):
			return errors.New("minute 61 is past 59")
		case strings.HasPrefix(timezone, "Mars"):
			return fmt.Errorf("unknown time zone %s", timezone)
		}
		return nil
	},
	Properties: func(mode, score string) []string { return connector.Mode(mode).Properties(score) },
	Output: func(file string) (string, error) {
		if strings.HasSuffix(file, ".xlsx") {
			return "use .csv", fmt.Errorf("%s: no format", file)
		}
		return "", nil
	},
}

// TestBadFiles loads testdata/*.bad.yml, each with one mistake, and compares the message with the last line of the
// file, a comment that begins with "# want: ".
func TestBadFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.bad.yml")
	if err != nil || len(files) < 90 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Load(file, schedules)
			var mistakes *Error
			if !errors.As(err, &mistakes) {
				t.Fatalf("got %v", err)
			}
			if len(mistakes.Mistakes) != 1 {
				t.Errorf("%d mistakes:\n%v", len(mistakes.Mistakes), err)
			}
			text, want, _ := strings.Cut(string(data), "# want: ") // the last line
			if *update {
				want = err.Error() + "\n"
				if err := os.WriteFile(file, []byte(text+"# want: "+want), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, err.Error()+"\n"); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "31415926") {
				t.Errorf("the message shows a password: %v", err)
			}
		})
	}
}

func TestGoodFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.good.yml")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		c, err := Load(file, schedules)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, w := range c.Warnings {
			t.Errorf("%s: %s", file, w)
		}
	}
}

func TestMinimalHasDefaults(t *testing.T) {
	c, err := Load("testdata/minimal.good.yml", schedules)
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Version = 1
	want.State = filepath.Join("testdata", ".linchpin")
	job := DefaultJob()
	job.Name = "hubs"
	job.Graph.Nodes = []string{"Airport"}
	job.Graph.Relationships = []Relationship{DefaultRelationship()}
	job.Graph.Relationships[0].Type = "ROUTE"
	job.Measures = []Measure{{Measure: "betweenness", Nodes: "bc"}}
	want.Jobs = []Job{job}
	if diff := cmp.Diff(want, *c, comparePasswords); diff != "" {
		t.Error(diff)
	}
}

func TestFullIsReadAsWritten(t *testing.T) {
	const path = "testdata/full.good.yml"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key := testcert.New(t, "authority").Pair(t, t.TempDir(), "tls")
	here, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(here, certificate)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("pprof: true"),
		fmt.Appendf(nil, "pprof: true, certificate: %q, key: %q", relative, key), 1)
	c, err := Parse(path, text, nil, schedules)
	if err != nil {
		t.Fatal(err)
	}
	yes, off, minusOne, weight := true, false, -1.0, 2.5
	want := Config{
		Version: 1,
		Neo4j: Neo4j{
			URI: "bolt+s://db.example.org:7687", Database: "flights", Username: "linchpin", Password: NewPassword("swordfish"),
			PasswordFile: filepath.Join("testdata", "secret.txt"), Connections: 2, Timeout: 90 * time.Second,
		},
		State: "/var/lib/linchpin",
		Serve: Serve{
			Listen: "0.0.0.0:80", Token: NewPassword("0123456789abcdef"), TokenFile: filepath.Join("testdata", "token.txt"),
			Read:  "token",
			Hosts: []string{"scores.example.org"}, Certificate: filepath.Join("testdata", relative), Key: key,
			Grace: time.Minute, Running: 5, CPU: 3, GPU: 2, Keep: 20, Drift: 0.5, Traces: "http://otel:4318", Pprof: true,
			Requests: Requests{Every: time.Second, Keep: time.Hour},
			Hooks: []Hook{
				{On: []string{"failure", "drift"}, URL: "https://example.org/hook",
					SecretFile: filepath.Join("testdata", "secret.txt"),
					Secret:     NewPassword("swordfish"), Timeout: 3 * time.Second},
				{On: []string{"success", "warning"}, Exec: []string{"/bin/true", "-x"}, Timeout: 10 * time.Second},
			},
		},
		Jobs: []Job{{
			Name: "hubs", Schedule: "@every 6h", Timezone: "Europe/Berlin", Jitter: 5 * time.Minute, Overlap: "queue",
			Misfire: "skip",
			When:    "changed", Poll: time.Minute, ChangeQuery: "RETURN 1", Timeout: time.Hour,
			Retry:  Retry{Times: 1, Wait: time.Second, Most: time.Minute},
			Limits: Limits{MinNodes: 1000, MaxLeftOut: 1, MaxShrink: 0.25},
			Graph: Graph{
				Nodes: []string{"Airport", "Sea port"},
				Where: []Condition{{"open", "=", true}, {"runways", ">=", int64(2)}, {"closed", "missing", nil}},
				Relationships: []Relationship{
					{Type: "ROUTE", Orientation: "undirected", Weight: Weight{Property: "miles"}, Parse: true, DefaultWeight: &weight,
						Parallel: "min", Where: []Condition{{"carrier", "in", []any{"LH", int64(4), 2.5}}}},
					{Type: "FERRY", Orientation: "reverse", Parallel: "keep"},
				},
				ZeroWeights: "epsilon", Epsilon: 1e-6, InvalidWeights: "skip", OnChange: "retry",
			},
			Measures: []Measure{
				{Measure: "betweenness", Nodes: "bc", Relationships: "route_bc",
					Params: kernels.Params{Weighted: true, Normalized: &yes, Endpoints: true, Tolerance: 1e-12}},
				{Measure: "betweenness", Nodes: "bc_hops"},
			},
			Compute: Compute{Device: "gpu", Nodes: "none", Strategy: "auto", Precision: "single", Threads: 3,
				Reduce: "trees,blocks", Sample: Sample{Sources: 100}, Seed: 7},
			Write: Write{Mode: "inplace", OnlyChanged: &minusOne, ClearStale: &off, Drain: time.Minute, Batch: 5000},
		}, {
			Name: "near", Timezone: "UTC", After: "hubs", Overlap: "skip", Misfire: "once", When: "always",
			Retry: DefaultRetry(), Limits: DefaultLimits(),
			Graph: Graph{
				NodeQuery:     "MATCH (n:Airport)\nRETURN id(n)\n",
				Relationships: []Relationship{{Type: "ROUTE", Orientation: "natural", Parallel: "keep"}},
				ZeroWeights:   "refuse", InvalidWeights: "refuse", OnChange: "warn",
			},
			Measures: []Measure{{Measure: "closeness", Params: kernels.Params{Variant: "wassermanFaust"}, Nodes: "near"}},
			Compute:  DefaultCompute(), Write: DefaultWrite(),
		}},
	}
	if diff := cmp.Diff(want, *c, comparePasswords); diff != "" {
		t.Error(diff)
	}
}

var comparePasswords = cmp.Comparer(func(a, b Password) bool {
	return a.Reveal() == b.Reveal() &&
		a.IsZero() == b.IsZero()
})

func TestAllMistakesAtOnce(t *testing.T) {
	_, err := Parse("linchpin.yml", []byte(`version: 1
neo4j: {conections: 3, timeout: soon}
jobs:
  - name: hubs
    graph: {nodes: [Airport], relationships: [{type: ROUTE, orientation: sideways}]}
    measures: [{measure: betweeness, nodes: bc}]
  - name: hubs
    schedule: "61 * * * *"
    graph: {nodes: [Airport], relationships: [{type: ROUTE}]}
    measures: [{measure: betweenness, nodes: bc, weighted: true}]
`), map[string]string{"LINCHPIN_NEO4J_CONNECTIONS": "many"}, schedules)
	want := `environment LINCHPIN_NEO4J_CONNECTIONS: neo4j.connections: "many" is not a whole number (such as 4)
linchpin.yml:2:9: neo4j.conections: unknown key (did you mean "connections"?)
linchpin.yml:2:33: neo4j.timeout: expected a duration such as 30s, found text "soon" (units are ms, s, m and h)
linchpin.yml:5:74: jobs[0].graph.relationships[0].orientation: "sideways" is not allowed (one of natural, reverse, undirected)
linchpin.yml:6:26: jobs[0].measures[0].measure: unknown measure "betweeness" (did you mean "betweenness"?)
linchpin.yml:7:11: jobs[1].name: the name "hubs" is taken by jobs[0].name (choose another name)
linchpin.yml:8:15: jobs[1].schedule: "61 * * * *": minute 61 is past 59 (five fields such as "0 3 * * *", or "@daily", or "@every 6h")
linchpin.yml:10:46: jobs[1].measures[0].nodes: the node property "bc" is written by jobs[0].measures[0].nodes (choose another property)
linchpin.yml:10:60: jobs[1].measures[0].weighted: betweenness needs weights, and no relationship of the job has any (add weight: and the name of a property to a relationship)`
	if err == nil {
		t.Fatal("no mistake found")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
}

func TestMissingFileNamesInit(t *testing.T) {
	_, err := Load("testdata/nowhere.yml", Checks{})
	want := "testdata/nowhere.yml: there is no such file (linchpin init testdata/nowhere.yml writes one to start from)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestEmptyFiles(t *testing.T) {
	for _, text := range []string{"", "\n\n", "# only a comment\n", "---\n"} {
		_, err := Parse("x.yml", []byte(text), nil, Checks{})
		if err == nil || !strings.Contains(err.Error(), "the file is empty") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// TestHugeNesting: a file that the parser would take minutes for is refused at once.
func TestHugeNesting(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"lists": "a: " + strings.Repeat("[", n), "closed lists": "a: " + strings.Repeat("[", n) + strings.Repeat("]", n),
		"lists over lines": "a: " + strings.Repeat("[\n", n),
		"mappings":         "a: " + strings.Repeat("{a: ", n) + strings.Repeat("}", n),
		"elements":         "a:\n" + strings.Repeat("- ", n) + "x", "keys of keys": strings.Repeat("? ", n) + "x",
		"keys": strings.Repeat("k: v\n", n),
	} {
		_, err := Parse("huge.yml", []byte(text), map[string]string{}, schedules)
		if err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := strings.Repeat("        - {property: a, value: [1, 2, [3]]}\n", n/10)
	if _, err := parse([]byte("a:\n" + long)); err != nil {
		t.Errorf("a long list: %v", err)
	}
}

func TestShortForms(t *testing.T) {
	c, err := Load("testdata/short-forms.good.yml", schedules)
	if err != nil {
		t.Fatal(err)
	}
	want := []Relationship{{Type: "ROUTE", Orientation: "natural", Parallel: "keep"},
		{Type: "FERRY", Orientation: "undirected", Parallel: "keep"}}
	if diff := cmp.Diff(want, c.Jobs[0].Graph.Relationships); diff != "" {
		t.Error(diff)
	}
}

// TestExamplesOfKeys: every key that must be there, and every list that must not be empty, has an example in its
// message.
func TestExamplesOfKeys(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[Config](), reflect.TypeFor[Job](), reflect.TypeFor[Graph](), reflect.TypeFor[Relationship](),
		reflect.TypeFor[Measure](), reflect.TypeFor[Condition](), reflect.TypeFor[Serve](), reflect.TypeFor[Hook](),
		reflect.TypeFor[Output](), reflect.TypeFor[Property](), reflect.TypeFor[NodeSet](),
	} {
		for name, f := range fieldsOf(typ) {
			if (f.rules.required || f.rules.minItems > 0) && exampleOf("x."+name) == "" {
				t.Errorf("%s.%s has no example", typ.Name(), name)
			}
		}
	}
}
