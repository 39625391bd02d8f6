package jobs_test

import (
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// TestBackbone: a job writes 1 on what it keeps and 0 elsewhere, in one piece if that is asked for, and the record says
// what became of the graph.
func TestBackbone(t *testing.T) {
	b := newBench(t, groupsOf6()...) // 64 relationships, 4 of them between groups
	few := 0.1
	m := config.Measure{Measure: "backbone", Nodes: "main", Relationships: "main", Params: kernels.Params{Keep: &few}}
	r := b.run(job("spine", m), jobs.Options{})
	if x := r.Run.Backbones; len(x) != 1 || x[0].Edges != 6 || x[0].Before.Components != 1 || x[0].Sources != 24 ||
		len(r.Run.Warnings) != 0 {
		t.Errorf("%+v, warnings %q", x, r.Run.Warnings)
	}
	if d := r.Run.Simplified; len(d) != 1 || d[0].Kept != 6 || d[0].Points != 24 || len(d[0].Links) != 64 ||
		!d[0].Whole() {
		t.Errorf("drawings %+v", d)
	}
	kept := b.value("MATCH ()-[e:E {main: 1}]->() RETURN count(*)")
	between := b.value("MATCH (a:V)-[e:E {main: 1}]->(b:V) WHERE a.i / 6 <> b.i / 6 RETURN count(*)")
	dropped := b.value("MATCH ()-[e:E {main: 0}]->() RETURN count(*)")
	if kept != int64(6) || between != int64(4) || dropped != int64(58) {
		t.Errorf("%v kept, %v of them between groups, %v dropped", kept, between, dropped)
	}
	wrong := b.value("MATCH (v:V) WHERE (v.main = 1) <> EXISTS { (v)-[:E {main: 1}]-() } RETURN count(*)")
	if wrong != int64(0) {
		t.Errorf("%v nodes say otherwise than their relationships", wrong)
	}
	m.Connected = true
	r = b.run(job("spine", m), jobs.Options{})
	if x := r.Run.Backbones; len(x) != 1 || x[0].Edges != 23 || x[0].Nodes != 24 || x[0].After.Components != 1 ||
		x[0].Excess != 17 {
		t.Errorf("%+v", x)
	}
	if w := r.Run.Warnings; len(w) != 1 || !strings.Contains(w[0], "keeps 17 edges more than the share") {
		t.Errorf("%q", w)
	}
}
