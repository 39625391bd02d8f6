package jobs_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// groupsOf6 are four groups of six nodes, each joined to all of its group, and to the next group by one relationship.
func groupsOf6() []string {
	return []string{
		"UNWIND range(0, 23) AS i CREATE (:V {i: i})",
		"MATCH (a:V), (b:V) WHERE a.i < b.i AND a.i / 6 = b.i / 6 CREATE (a)-[:E {w: 1}]->(b)",
		"UNWIND range(0, 3) AS g MATCH (a:V {i: 6 * g}), (b:V {i: (6 * g + 7) % 24}) CREATE (a)-[:E {w: 1}]->(b)",
	}
}

// TestCommunitiesGoOnAfterAnInterruption: a run that is interrupted half way leaves its cuts, and the next run goes on
// from there. Nodes get the number of their group, and relationships whether they join two.
func TestCommunitiesGoOnAfterAnInterruption(t *testing.T) {
	b := newBench(t, groupsOf6()...)
	j := job("circles", config.Measure{Measure: "communities", Nodes: "circle", Relationships: "between"})
	ctx, cancel := context.WithCancel(t.Context())
	b.notes.progress = func(step jobs.Step, done int64) {
		if step == jobs.Compute && done == 20 {
			cancel()
		}
	}
	if _, err := b.runner.Run(ctx, j, jobs.Options{}); err == nil {
		t.Fatal("the run was not interrupted")
	}
	if n := b.value("MATCH (v:V) WHERE v.circle IS NOT NULL RETURN count(*)"); n != int64(0) {
		t.Errorf("the interrupted run wrote %v groups", n)
	}
	began := int64(0)
	b.notes.progress = func(step jobs.Step, done int64) {
		if step == jobs.Compute && done > 0 && began == 0 {
			began = done
		}
	}
	if _, err := b.runner.Run(t.Context(), j, jobs.Options{DryRun: true}); err != nil || began != 1 {
		t.Errorf("%v: a dry run, which has no lock, began with cut %d", err, began)
	}
	began = 0
	r := b.run(j, jobs.Options{})
	if began <= 20 {
		t.Errorf("the second run began with cut %d", began)
	}
	if g := r.Run.Groupings; len(g) != 1 || g[0].Groups != 4 || g[0].Cuts != 64 || g[0].Merges != 23 ||
		g[0].Modularity < 0.6 || g[0].Limited || g[0].Resumed != began-1 {
		t.Errorf("%+v", g)
	}
	if d := r.Run.Bundles; len(d) != 1 || d[0].Within != 60 || len(d[0].Of) != 24 || len(d[0].Parts) != 20 ||
		len(d[0].Merges) != 3 || len(d[0].Hubs) != 4 {
		t.Errorf("drawings %+v", d)
	}
	if n := b.value("MATCH (v:V) WHERE v.circle = toFloat(v.i / 6) RETURN count(*)"); n != int64(24) {
		t.Errorf("%v nodes have the group of their six", n)
	}
	wrong := b.value("MATCH (a:V)-[e:E]->(b:V) WHERE (a.circle <> b.circle) <> (e.between = 1) RETURN count(*)")
	if between := b.value("MATCH ()-[e:E {between: 1}]->() RETURN count(*)"); between != int64(4) || wrong != int64(0) {
		t.Errorf("%v relationships lie between groups, %v say otherwise than their ends", between, wrong)
	}
	// as a process leaves it that is killed right after its success
	journal := filepath.Join(b.runner.State, "jobs", j.Name, "cuts.jsonl")
	if err := os.WriteFile(journal, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if again := b.run(j, jobs.Options{}); !again.Unchanged {
		t.Error("the run was repeated")
	}
	if _, err := os.Stat(journal); err == nil {
		t.Error("the journal of cuts is left")
	}
}

// TestCommunitiesWithALimit: the record says when the limit of time ended the cuts.
func TestCommunitiesWithALimit(t *testing.T) {
	b := newBench(t, groupsOf6()...)
	m := config.Measure{Measure: "communities", Nodes: "circle", Params: kernels.Params{Limit: 1e-9}}
	r := b.run(job("circles", m), jobs.Options{})
	if g := r.Run.Groupings; len(g) != 1 || !g[0].Limited || g[0].Groups != 1 || len(r.Run.Warnings) != 1 {
		t.Errorf("%+v, warnings %q", g, r.Run.Warnings)
	}
}

// TestGroupsByMoves: label propagation, Louvain and Leiden share one export, and write the group of each node and
// whether a relationship joins two. The record has their modularity. The weights are strengths.
func TestGroupsByMoves(t *testing.T) {
	b := newBench(t, groupsOf6()...)
	j := job("modules",
		config.Measure{Measure: "labelPropagation", Nodes: "label"},
		config.Measure{Measure: "louvain", Nodes: "module", Relationships: "between"},
		config.Measure{Measure: "louvain", Nodes: "finest", Params: kernels.Params{Levels: new(int)}},
		config.Measure{Measure: "leiden", Nodes: "connected", Relationships: "crosses",
			Params: kernels.Params{Weighted: true}})
	*j.Measures[2].Levels = 1
	j.Graph.Relationships[0].Weight.Property = "w"
	r := b.run(j, jobs.Options{})
	if len(r.Run.Groupings) != 4 || len(r.Run.Warnings) != 0 {
		t.Errorf("%+v, warnings %q", r.Run.Groupings, r.Run.Warnings)
	}
	for _, g := range r.Run.Groupings {
		if g.Groups != 4 || g.Components != 1 || g.Modularity < 0.6 || g.Levels == 0 || g.Cuts != 0 {
			t.Errorf("%+v", g)
		}
	}
	for _, property := range []string{"label", "module", "finest", "connected"} {
		if n := b.value("MATCH (v:V) WHERE v." + property + " = toFloat(v.i / 6) RETURN count(*)"); n != int64(24) {
			t.Errorf("%v nodes have the %s of their six", n, property)
		}
	}
	for _, property := range []string{"between", "crosses"} {
		wrong := b.value("MATCH (a:V)-[e:E]->(b:V) WHERE (a.module <> b.module) <> (e." + property + " = 1) RETURN count(*)")
		if n := b.value("MATCH ()-[e:E {" + property + ": 1}]->() RETURN count(*)"); n != int64(4) || wrong != int64(0) {
			t.Errorf("%s: %v relationships lie between groups, %v say otherwise than their ends", property, n, wrong)
		}
	}
}
