package jobs_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// ports is the path a-b-c-d with a side road from b to e, each road 1.5 long, and x, which no road reaches.
func ports() []string {
	return []string{
		"UNWIND [['a', 1], ['b', 2], ['c', 3], ['d', 4], ['e', 0], ['x', 1]] AS p CREATE (:V {name: p[0], people: p[1]})",
		"UNWIND ['ab', 'bc', 'cd', 'be'] AS r MATCH (a:V {name: left(r, 1)}), (b:V {name: right(r, 1)}) CREATE (a)-[:E {w: 1.5}]->(b)",
		"MATCH (v:V) WHERE v.name IN ['a', 'e'] SET v:Port",
	}
}

func choosing(m config.Measure) config.Job {
	m.Measure, m.Nodes, m.Relationships, m.Weighted = "betweenness", "bc", "ebc", true
	return job("towns", m)
}

func some(labels ...string) *config.NodeSet { return &config.NodeSet{Nodes: labels} }

// between returns the scores of the towns.
func (b *bench) between() map[any]any {
	out := map[any]any{}
	for _, row := range b.cypher("MATCH (v:V) RETURN v.name AS name, v.bc AS bc") {
		out[row["name"]] = row["bc"]
	}
	return out
}

func TestJobChoosesPairs(t *testing.T) {
	b := newBench(t, ports()...)
	zero := 0.0
	for name, c := range map[string]struct {
		measure config.Measure
		b, c    float64 // scores of these towns
		pairs   connector.Pairs
	}{
		"sources": {config.Measure{Sources: some("Port")}, 3, 1, connector.Pairs{Sources: 2, Counted: 8, Possible: 10}},
		"conditions and a query": {config.Measure{
			Sources: &config.NodeSet{Nodes: []string{"V"},
				Where: []config.Condition{{Property: "people", Is: "=", Value: int64(1)}}},
			Targets: &config.NodeSet{Query: "MATCH (v:V {name: 'd'}) RETURN v"},
		}, 0.5, 0.5, connector.Pairs{Sources: 2, Targets: 1, Counted: 1, Possible: 2}},
		"range": {config.Measure{Within: &config.Range{Along: "w", Most: 3}}, 3, 1,
			connector.Pairs{Within: 3, Counted: 16, Possible: 30}},
		"demand": {config.Measure{Demand: &config.Demand{Property: "people"}}, 7, 12,
			connector.Pairs{Demand: "nodes", Counted: 12, Possible: 30}},
		"demand of sources": {config.Measure{Demand: &config.Demand{Property: "people", Of: "sources"}}, 8.5, 7.5,
			connector.Pairs{Demand: "nodes", Counted: 16, Possible: 30}},
		"all of them": {config.Measure{
			Sources: some("Port"), Targets: &config.NodeSet{Query: "MATCH (v:V) WHERE v.name IN ['c', 'd'] RETURN elementId(v)"},
			Within: &config.Range{Along: "w", Most: 3}, Demand: &config.Demand{Property: "people", Default: &zero},
		}, 1.5, 0, connector.Pairs{Sources: 2, Targets: 2, Within: 3, Demand: "nodes", Counted: 1, Possible: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			r := b.run(choosing(c.measure), jobs.Options{Recompute: true})
			if got := b.between(); got["b"] != c.b || got["c"] != c.c {
				t.Errorf("b has %v and c %v; want %v and %v", got["b"], got["c"], c.b, c.c)
			}
			c.pairs.Measure = "betweenness"
			if len(r.Run.Pairs) != 1 || r.Run.Pairs[0] != c.pairs {
				t.Errorf("pairs %+v; want %+v", r.Run.Pairs, c.pairs)
			}
			stored, err := b.open().Run(context.Background(), r.Run.ID)
			if err != nil || len(stored.Pairs) != 1 || stored.Pairs[0] != c.pairs {
				t.Errorf("the record has %+v, %v", stored, err)
			}
		})
	}
}

// TestSetsThatChange: a set or a demand that changes makes the job run again, on the same graph; one that does not
// leaves it be.
func TestSetsThatChange(t *testing.T) {
	b := newBench(t, ports()...)
	j := choosing(config.Measure{Sources: some("Port"), Demand: &config.Demand{Property: "people", Of: "sources"}})
	b.run(j, jobs.Options{})
	if r := b.run(j, jobs.Options{}); !r.Unchanged {
		t.Error("nothing changed, and the job ran")
	}
	b.cypher("MATCH (v:V {name: 'd'}) SET v:Port")
	r := b.run(j, jobs.Options{})
	if r.Unchanged || r.Run.Pairs[0].Sources != 3 {
		t.Errorf("the sources changed: %+v", r.Run.Pairs)
	}
	before := b.between()["b"]
	b.cypher("MATCH (v:V {name: 'd'}) SET v.people = 40")
	if r := b.run(j, jobs.Options{}); r.Unchanged || b.between()["b"] == before {
		t.Error("the demand changed, and the scores did not")
	}
	if r := b.run(j, jobs.Options{From: jobs.Write}); r.Unchanged {
		t.Error("--from write did not write")
	}
}

func TestPairsOfJobsAreRefused(t *testing.T) {
	b := newBench(t, append(ports(), "CREATE (:W {name: 'elsewhere'})",
		"MATCH (v:V {name: 'c'}) SET v.text = 'many', v.debt = -1, v.rare = 1")...)
	for want, m := range map[string]config.Measure{
		"none of the 1 source is in the graph":                {Sources: some("W")},
		`unknown label "Porto"`:                               {Sources: some("Porto")},
		"measures[0].targets.query returns 2 columns":         {Targets: &config.NodeSet{Query: "MATCH (v:V) RETURN v, v.name"}},
		"5 nodes without the demand rare":                     {Demand: &config.Demand{Property: "rare", Of: "sources"}},
		"text is the text \"many\", not a number":             {Demand: &config.Demand{Property: "text"}},
		"the only source is the only target: no pair is left": {Sources: query("a"), Targets: query("a")},
		"debt: a demand of -1 is negative": {Demand: &config.Demand{Property: "debt",
			Default: new(float64)}},
		"6 nodes without the demand nothing; demand.default giv": {Demand: &config.Demand{Property: "nothing"}},
	} {
		_, err := b.runner.Run(context.Background(), choosing(m), jobs.Options{Wait: time.Minute})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

func query(name string) *config.NodeSet {
	return &config.NodeSet{Query: "MATCH (v:V {name: '" + name + "'}) RETURN v"}
}

// TestUnreachedTargetsAreWarned: pairs without a path, and nodes of a set outside of the graph, are warnings of the
// run.
func TestUnreachedTargetsAreWarned(t *testing.T) {
	b := newBench(t, append(ports(), "CREATE (:W:Port {name: 'elsewhere'})")...)
	r := b.run(choosing(config.Measure{Sources: some("Port"), Targets: query("x")}), jobs.Options{})
	for _, want := range []string{"1 of 3 sources are not in the graph",
		"betweenness: 0 of 2 pairs counted: no target is reached, and all scores are 0"} {
		if !strings.Contains(strings.Join(r.Run.Warnings, "\n"), want) {
			t.Errorf("warnings %q; want %s", r.Run.Warnings, want)
		}
	}
}

// TestSampleOfASet: a sample is drawn from the sources of the set. One of all of them is exact.
func TestSampleOfASet(t *testing.T) {
	b := newBench(t, ports()...)
	j := choosing(config.Measure{Sources: some("Port")})
	j.Compute.Sample.Sources = 1
	b.run(j, jobs.Options{})
	if got := b.between()["c"]; got != 1.0 { // from a as from e: 1 of 2 sources, twice
		t.Errorf("c has %v", got)
	}
}

// TestPartsOfJobsReadNoSets: the snapshot has neither sets nor demand.
func TestPartsOfJobsReadNoSets(t *testing.T) {
	b := newBench(t, ports()...)
	j := choosing(config.Measure{Sources: some("Port")})
	r := b.run(j, jobs.Options{})
	if _, err := jobs.JobComputations(j, r.Snapshot, ""); err == nil ||
		!strings.Contains(err.Error(), "parts of a job read a snapshot") {
		t.Errorf("%v", err)
	}
}

// TestRangesShareAPass: measures that differ in their range alone are computed in one pass, with the scores of each. A
// range that holds every pair is dropped.
func TestRangesShareAPass(t *testing.T) {
	b := newBench(t, ports()...)
	within := func(most float64, property string) config.Measure {
		return config.Measure{
			Measure: "betweenness", Nodes: property, Within: &config.Range{Along: "w", Most: most},
			Params: kernels.Params{Weighted: true},
		}
	}
	r := b.run(job("towns", within(3, "near"), within(1.5, "next"), within(99, "bc")), jobs.Options{Recompute: true})
	rows := b.cypher("MATCH (v:V {name: 'b'}) RETURN v.near AS near, v.next AS next, v.bc AS far")
	if row := rows[0]; row["near"] != 3.0 || row["next"] != 0.0 || row["far"] != 5.0 {
		t.Errorf("b has %v; want 3, 0 and 5", row)
	}
	var counted []int64
	for _, p := range r.Run.Pairs {
		counted = append(counted, p.Counted)
	}
	if want := []int64{16, 8, 20}; !slices.Equal(counted, want) {
		t.Errorf("%v pairs counted; want %v", counted, want)
	}
	text := strings.Join(b.notes.lines, "\n")
	for _, want := range []string{"the ranges 3, 1.5 in one pass", "the range holds every pair, so it is dropped"} {
		if !strings.Contains(text, want) {
			t.Errorf("the plan does not say %q:\n%s", want, text)
		}
	}
}
