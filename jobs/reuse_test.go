package jobs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
)

// rings are so many rings of 8 nodes with chords, one hanging from the other.
func rings() []string {
	return []string{
		"UNWIND range(0, 79) AS i CREATE (:V {i: i})",
		"UNWIND range(0, 79) AS i MATCH (a:V {i: i}), (b:V {i: CASE i % 8 WHEN 7 THEN i - 7 ELSE i + 1 END}) CREATE (a)-[:E {w: 1.5 + i / 8}]->(b)",
		"UNWIND range(0, 79) AS i WITH i WHERE i % 8 < 4 MATCH (a:V {i: i}), (b:V {i: i + 3}) CREATE (a)-[:E {w: 2}]->(b)",
		"UNWIND range(0, 71) AS i WITH i WHERE i % 8 = 5 MATCH (a:V {i: i}), (b:V {i: i + 8}) CREATE (a)-[:E {w: 1}]->(b)",
	}
}

// same reports whether two runs have the same scores, bit by bit.
func same(a, b *jobs.Result) bool {
	for i := range a.Columns {
		if !slices.Equal(a.Columns[i].Values, b.Columns[i].Values) {
			return false
		}
	}
	return len(a.Columns) == len(b.Columns)
}

// TestReuse: a run computes only the blocks that changed, says so in plan, summary and record, and has the scores of a
// run that reuses nothing. A file that was altered is dropped, with a note. --recompute ignores it, and a dry run
// leaves it.
func TestReuse(t *testing.T) {
	b := newBench(t, rings()...)
	m := betweenness()
	m.Weighted = true
	j := job("often", m)
	j.Compute.Reuse, j.Compute.Reduce = true, "on"
	plain := job("plain", config.Measure{Measure: "betweenness", Nodes: "pbc", Relationships: "pebc", Params: m.Params})
	plain.Compute.Reduce = "on"
	path := filepath.Join(b.runner.State, "jobs", "often", "blocks.bin")
	check := func(what string, o jobs.Options, blocks int64) {
		t.Helper()
		b.notes.lines = nil
		r, full := b.run(j, o), b.run(plain, jobs.Options{Recompute: true})
		x := r.Run.Reuses
		if len(x) != 1 || x[0].Of != 10 || x[0].Blocks != blocks {
			t.Fatalf("%s: %+v", what, x)
		}
		if !same(r, full) {
			t.Errorf("%s: other scores than those of a full run", what)
		}
		if text := strings.Join(b.notes.lines, "\n"); strings.Count(text, x[0].Reason) != 2 { // plan and summary
			t.Errorf("%s: %q is not there twice:\n%s", what, x[0].Reason, text)
		}
		if o.DryRun {
			return
		}
		last, err := b.db.LastSuccess(t.Context(), "often")
		if err != nil || last == nil || len(last.Reuses) != 1 || last.Reuses[0] != x[0] {
			t.Errorf("%s: stored record: %+v, %v", what, last, err)
		}
	}
	check("the first run", jobs.Options{}, 0)
	b.cypher("MATCH (:V {i: 10})-[e:E]->(:V {i: 11}) SET e.w = 9.5")
	check("after a change", jobs.Options{}, 9)
	b.cypher("MATCH (:V {i: 20})-[e:E]->(:V {i: 21}) SET e.w = 9.5")
	check("a dry run", jobs.Options{DryRun: true}, 9)
	check("a run after it", jobs.Options{}, 9)
	check("recompute", jobs.Options{Recompute: true}, 0)
	check("again", jobs.Options{From: jobs.Compute}, 10)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	check("an altered file", jobs.Options{From: jobs.Compute}, 0)
	if text := strings.Join(b.notes.lines, "\n"); !strings.Contains(text, "dropped") {
		t.Errorf("no note of the altered file:\n%s", text)
	}
	b.runner.Version = "next"
	check("another version", jobs.Options{From: jobs.Compute}, 0)
}

// TestReuseUnderAuto: auto reduces a graph for its reuse alone, and says so.
func TestReuseUnderAuto(t *testing.T) {
	b := newBench(t, rings()...)
	j := job("often", betweenness())
	j.Compute.Reuse = true
	for i, blocks := range []int64{0, 9} {
		b.notes.lines = nil
		if i > 0 {
			b.cypher("MATCH (:V {i: 10})-[e:E]->(:V {i: 11}) DELETE e")
		}
		r := b.run(j, jobs.Options{})
		if x := r.Run.Reuses; len(x) != 1 || x[0].Of != 10 || x[0].Blocks != blocks {
			t.Fatalf("run %d: %+v", i, x)
		}
		if text := strings.Join(b.notes.lines, "\n"); strings.Count(text, "graph reduced: ") != 2 { // plan and summary
			t.Errorf("run %d: no reason:\n%s", i, text)
		}
		if full := b.run(j, jobs.Options{Recompute: true}); !same(r, full) {
			t.Errorf("run %d: other scores than those of a full run", i)
		}
	}
}

// TestReuseOfAKilledRun: a run that is interrupted while it computes leaves the file as it was.
func TestReuseOfAKilledRun(t *testing.T) {
	b := newBench(t, rings()...)
	j := job("often", betweenness(), config.Measure{Measure: "closeness", Nodes: "cc"})
	j.Compute.Reuse, j.Compute.Reduce = true, "on"
	b.run(j, jobs.Options{})
	path := filepath.Join(b.runner.State, "jobs", "often", "blocks.bin")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b.cypher("MATCH (:V {i: 10})-[e:E]->(:V {i: 11}) DELETE e")
	ctx, cancel := context.WithCancel(context.Background())
	b.notes.progress = func(s jobs.Step, _ int64) {
		if s == jobs.Compute {
			cancel()
		}
	}
	if _, err := b.runner.Run(ctx, j, jobs.Options{}); err == nil {
		t.Fatal("the run was not interrupted")
	}
	b.notes.progress = nil
	if after, err := os.ReadFile(path); err != nil || !slices.Equal(after, before) {
		t.Errorf("the file changed: %v", err)
	}
	r := b.run(j, jobs.Options{})
	if x := r.Run.Reuses; len(x) != 2 || x[0].Blocks != 9 || !strings.HasPrefix(x[1].Reason, "1 edges changed: ") {
		t.Errorf("after an interrupted run: %+v", x)
	}
	if full := b.run(j, jobs.Options{Recompute: true}); !same(r, full) {
		t.Error("after an interrupted run: other scores than those of a full run")
	}
}

// TestReuseOfDirectedGraphs: components of a directed graph are reused, and of closeness by hops what did not change,
// also when a node goes whose number others get.
func TestReuseOfDirectedGraphs(t *testing.T) {
	b := newBench(t, rings()...)
	b.cypher("MATCH (a:V)-[e:E]->(b:V) WHERE (a.i < 40) <> (b.i < 40) DELETE e")
	for _, c := range []struct {
		measure, first, changed string
		node                    int // that goes
	}{
		{"betweenness", "0 of 1 components reused, ", "0 of 1 components reused, ", 6},
		{"harmonic", "no node reused: no earlier run is known", "3 edges changed: ", 78}, // from which few are reached
	} {
		j := job(c.measure, config.Measure{Measure: c.measure, Nodes: "of_" + c.measure})
		j.Graph.Relationships[0].Orientation = "natural"
		j.Compute.Reuse = true
		for i, want := range []string{c.first, c.changed} {
			if b.notes.lines = nil; i > 0 {
				b.cypher(fmt.Sprintf("MATCH (v:V {i: %d}) DETACH DELETE v", c.node))
			}
			r := b.run(j, jobs.Options{})
			if x := r.Run.Reuses; len(x) != 1 || !strings.HasPrefix(x[0].Reason, want) {
				t.Fatalf("%s, run %d: %+v", c.measure, i, x)
			}
			if text := strings.Join(b.notes.lines, "\n"); strings.Count(text, want) != 2 { // plan and summary
				t.Errorf("%s, run %d: %q is not there twice:\n%s", c.measure, i, want, text)
			}
			if full := b.run(j, jobs.Options{Recompute: true}); !same(r, full) {
				t.Errorf("%s, run %d: other scores than those of a full run", c.measure, i)
			}
		}
	}
}

// TestReuseByWeights: closeness by weights searches only what changed, or else the components that did, and says so.
func TestReuseByWeights(t *testing.T) {
	b := newBench(t, rings()...)
	b.cypher("UNWIND range(100, 169) AS i CREATE (:V {i: i})")
	b.cypher("UNWIND range(100, 168) AS i MATCH (a:V {i: i}), (b:V {i: i + 1}) CREATE (a)-[:E {w: 1.5}]->(b)")
	m := config.Measure{Measure: "closeness", Nodes: "near"}
	m.Weighted = true
	j := job("near", m)
	j.Compute.Reuse, j.Compute.Reduce = true, "off"
	for i, c := range []struct{ edit, reason string }{
		{"", "no node reused: no earlier run is known"},
		{"MATCH (:V {i: 168})-[e:E]->(:V {i: 169}) SET e.w = 2", "1 edges changed: 1 nodes searched from again, "},
		{"MATCH (a:V)-[e:E]->(:V) WHERE a.i < 80 SET e.w = e.w + 1", "129 edges changed: 1 of 2 components reused, "},
	} {
		if b.notes.lines = nil; i > 0 {
			b.cypher(c.edit)
		}
		r := b.run(j, jobs.Options{})
		if x := r.Run.Reuses; len(x) != 1 || !strings.HasPrefix(x[0].Reason, c.reason) {
			t.Fatalf("run %d: %+v", i, x)
		}
		if text := strings.Join(b.notes.lines, "\n"); strings.Count(text, c.reason) != 2 { // plan and summary
			t.Errorf("run %d: %q is not there twice:\n%s", i, c.reason, text)
		}
		if full := b.run(j, jobs.Options{Recompute: true}); !same(r, full) {
			t.Errorf("run %d: other scores than those of a full run", i)
		}
	}
}
