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
)

// refused runs the job and returns the error and the hint of limits that its graph is over.
func (b *bench) refused(j config.Job, o jobs.Options) (msg, hint string) {
	b.t.Helper()
	o.Wait = time.Minute
	r, err := b.runner.Run(context.Background(), j, o)
	if connector.KindOf(err) != connector.BadData || jobs.FailureOf(err) != jobs.Broken {
		b.t.Fatalf("run: error %v", err)
	}
	if r.Run.Status != connector.Failed || r.Run.Write.Written != 0 {
		b.t.Errorf("the record says %s, %+v", r.Run.Status, r.Run.Write)
	}
	return err.Error(), connector.HintOf(err)
}

func wantParts(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q lacks %q", text, p)
		}
	}
}

// TestLeftOutOverTheLimit leaves out 6 of 20 relationships for their weights.
func TestLeftOutOverTheLimit(t *testing.T) {
	b := newBench(t, append(path(19), "MATCH (v:V)-[r:E]->() WHERE v.i < 4 SET r.w = 'far'",
		"MATCH (v:V)-[r:E]->() WHERE v.i IN [4, 5] SET r.w = 0")...)
	j := job("lost", betweenness())
	j.Graph.ZeroWeights, j.Graph.InvalidWeights = "skip", "skip"
	msg, hint := b.refused(j, jobs.Options{})
	wantParts(t, msg, "6 of 20 relationships (30.0 %) left out for their weights: limits.maxLeftOut is 0.1")
	wantParts(t, hint, "linchpin run lost --ignore-limits", "limits: {maxLeftOut: 0.3}")
	if n := b.value("MATCH (v:V) WHERE v.bc IS NOT NULL RETURN count(v)"); n != int64(0) {
		t.Errorf("%v nodes have scores", n)
	}
	if last, err := b.db.LastRun(t.Context(), "lost"); err != nil || last == nil || last.Status != connector.Failed ||
		last.Error != msg {
		t.Errorf("the record of the failed run: %+v, %v", last, err)
	}
	if msg, _ := b.refused(j, jobs.Options{From: jobs.Compute}); !strings.Contains(msg, "30.0 %") {
		t.Errorf("from compute: %s", msg)
	}

	r := b.run(j, jobs.Options{IgnoreLimits: true})
	if r.Run.State() != connector.SucceededWithWarnings || r.Run.Status != connector.Succeeded {
		t.Errorf("status %s, state %s", r.Run.Status, r.Run.State())
	}
	all := strings.Join(r.Run.Warnings, "\n")
	wantParts(t, all, "4 relationships left out: without a usable weight", "2 relationships left out: of weight 0",
		"maxLeftOut is 0.1 (ignored on request)")
	if !slices.Equal(b.notes.warnings, r.Run.Warnings) {
		t.Errorf("told %q", b.notes.warnings)
	}
	if last, err := b.db.LastSuccess(t.Context(), "lost"); err != nil || last == nil ||
		!slices.Equal(last.Warnings, r.Run.Warnings) {
		t.Errorf("the record has %+v, %v", last, err)
	}
	if v := b.value("MATCH (r:LinchpinRun {job: 'lost', status: 'succeeded'}) RETURN r.state IS NULL"); v != true {
		t.Error("the database keeps what follows from the rest")
	}

	j.Limits.MaxLeftOut = 0.3
	j.Name = "allowed"
	j.Measures = []config.Measure{{Measure: "degree", Nodes: "deg"}}
	if r := b.run(j, jobs.Options{}); len(r.Run.Warnings) != 2 {
		t.Errorf("at the limit: %q", r.Run.Warnings)
	}
}

// TestShrunkenGraph loses more than half of what the last success had.
func TestShrunkenGraph(t *testing.T) {
	b := newBench(t, path(20)...)
	j := job("shrunk", betweenness())
	if r := b.run(j, jobs.Options{}); len(r.Run.Warnings) != 0 || r.Run.State() != "succeeded" {
		t.Fatalf("a first run: %q", r.Run.Warnings)
	}
	b.cypher("MATCH (v:V) WHERE v.i >= 10 DETACH DELETE v") // half of the nodes, 12 of 21 relationships
	msg, hint := b.refused(j, jobs.Options{Recompute: true})
	wantParts(t, msg, "since the last success, run ", ", 21 relationships became 9 (57.1 % fewer): ",
		"limits.maxShrink is 0.5")
	wantParts(t, hint, "--ignore-limits", "limits: {maxShrink: 0.58}")
	if strings.Contains(msg, "nodes became") {
		t.Errorf("half of the nodes are allowed: %s", msg)
	}
	if msg, _ := b.refused(j, jobs.Options{}); !strings.Contains(msg, "21 relationships became 9") {
		t.Errorf("compared with the failed run: %s", msg)
	}
	if _, err := b.runner.Run(context.Background(), j,
		jobs.Options{DryRun: true}); connector.KindOf(err) != connector.BadData {
		t.Errorf("a dry run: %v", err)
	}
	if bc := b.value("MATCH (v:V {i: 9}) RETURN v.bc"); bc != 90.0 {
		t.Errorf("the score of the last success became %v", bc)
	}
	b.run(j, jobs.Options{IgnoreLimits: true})
	b.cypher("MATCH (v:V) WHERE v.i >= 9 DETACH DELETE v")
	if r := b.run(j, jobs.Options{}); len(r.Run.Warnings) != 0 {
		t.Errorf("after one that was allowed: %q", r.Run.Warnings)
	}
}

// TestRelationshipsThatJoinNothing refuses to write zeros, unless the job has asked for them.
func TestRelationshipsThatJoinNothing(t *testing.T) {
	b := newBench(t, path(6)...)
	j := job("zero", betweenness(), config.Measure{Measure: "degree", Nodes: "deg"})
	b.run(j, jobs.Options{})
	b.cypher("MATCH (a:V)-[r:E]->(b:V) CREATE (:W)-[:E {w: 1}]->(a) DELETE r")
	msg, hint := b.refused(j, jobs.Options{})
	wantParts(t, msg, "0 relationships: limits.minRelationships is 1",
		"7 relationships left out: to nodes outside the graph", "maxShrink")
	wantParts(t, hint, "limits: {minRelationships: 0, maxShrink: 1}")
	if bc := b.value("MATCH (v:V {i: 2}) RETURN v.bc"); bc != 6.0 {
		t.Errorf("the score of the last success became %v", bc)
	}
	j.Limits.MinRelationships, j.Limits.MaxShrink, j.Limits.MinNodes = 0, 1, 7
	if msg, _ := b.refused(j, jobs.Options{}); !strings.Contains(msg, "6 nodes: limits.minNodes is 7") {
		t.Errorf("%s", msg)
	}
	j.Limits.MinNodes = 0
	r := b.run(j, jobs.Options{})
	wantParts(t, strings.Join(r.Run.Warnings, "\n"), "no relationship joins two nodes of the graph")
	if deg := b.value("MATCH (v:V) RETURN sum(v.deg)"); deg != 0.0 {
		t.Errorf("degrees sum to %v", deg)
	}
}

// TestPartOfTheDatabaseIsNoWarning selects nodes by a condition: relationships to the others are out on purpose.
func TestPartOfTheDatabaseIsNoWarning(t *testing.T) {
	b := newBench(t, path(8)...)
	j := job("part", betweenness())
	j.Graph.Where = []config.Condition{{Property: "i", Is: "<", Value: int64(6)}}
	if r := b.run(j, jobs.Options{}); len(r.Run.Warnings) != 0 || r.Run.Dropped.Dangling == 0 {
		t.Errorf("warnings %q, %+v", r.Run.Warnings, r.Run.Dropped)
	}
	b.cypher("MATCH (v:V {i: 7}) REMOVE v:V SET v:W")
	j.Graph.Where = nil
	r := b.run(j, jobs.Options{})
	wantParts(t, strings.Join(r.Run.Warnings, "\n"), "1 relationship left out: to nodes outside the graph")
}
