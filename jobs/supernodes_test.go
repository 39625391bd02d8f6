package jobs_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
)

// TestSupernodes: a job writes its groups, and what they merge into, as nodes. A rerun replaces them and nothing else,
// and a label that other nodes have is refused before anything is written.
func TestSupernodes(t *testing.T) {
	b := newBench(t, append(groupsOf6(), "CREATE (:Taken {name: 'mine'})")...)
	j := job("circles", config.Measure{Measure: "communities", Nodes: "circle"})
	j.Supernodes = &config.Supernodes{Of: "circle", Label: "Taken", Relationship: "PART_OF"}
	_, err := b.runner.Run(t.Context(), j, jobs.Options{})
	if err == nil || !strings.Contains(err.Error(), `the label "Taken" exists`) {
		t.Fatalf("%v", err)
	}
	if n := b.value("MATCH (v:V) WHERE v.circle IS NOT NULL RETURN count(*)"); n != int64(0) {
		t.Errorf("the refused run wrote %v groups", n)
	}
	j.Supernodes.Label = "Circle of `friends`"
	r := b.run(j, jobs.Options{})
	if s := r.Run.Supernodes; s == nil || len(s.Sizes) != 4 || len(s.Merges) != 3 {
		t.Fatalf("%+v", s)
	}
	b.checkCircles(r.Run.ID)
	b.value("MATCH (x:`Circle of ``friends``` {group: 0}) SET x.note = 'of a user' RETURN 1")
	b.value("MATCH (v:V {i: 0}), (w:V {i: 1}) CREATE (v)-[:E {w: 1}]->(w) RETURN 1")
	r = b.run(j, jobs.Options{})
	b.checkCircles(r.Run.ID)
	if n := b.value("MATCH (x:Taken {name: 'mine'}) RETURN count(*)"); n != int64(1) {
		t.Errorf("%v nodes of the user are left", n)
	}
	last, err := b.db.LastSuccess(t.Context(), "circles")
	if err != nil || !reflect.DeepEqual(last.Supernodes, r.Run.Supernodes) ||
		!reflect.DeepEqual(last.Bundles, r.Run.Bundles) || len(last.Bundles) != 1 {
		t.Errorf("%v: the record has other groups than the run:\n%+v\n%+v", err, last, r.Run)
	}
	j.Supernodes = nil
	b.run(j, jobs.Options{})
	if n := b.value("MATCH (x:LinchpinSupernode) RETURN count(*)"); n != int64(0) {
		t.Errorf("%v supernodes are left, and no job asks for them", n)
	}
}

// checkCircles looks at the supernodes of four groups in one component: seven, each but the root a part of one other.
func (b *bench) checkCircles(run string) {
	b.t.Helper()
	for query, want := range map[string]int64{
		"MATCH (x:`Circle of ``friends```:LinchpinSupernode {job: 'circles', run: '" + run +
			"'}) RETURN count(*)": 7,
		"MATCH (x:LinchpinSupernode) RETURN count(*)":                                                                                7,
		"MATCH (:LinchpinSupernode)-[r:PART_OF]->(:LinchpinSupernode) RETURN count(r)":                                               6,
		"MATCH (x:LinchpinSupernode) WHERE NOT (x)-[:PART_OF]->() RETURN sum(x.nodes)":                                               24,
		"MATCH (x:LinchpinSupernode) WHERE x.group IS NOT NULL AND COUNT {(v:V {circle: x.group})} = x.nodes RETURN count(*)":        4,
		"MATCH (x:LinchpinSupernode)-[:PART_OF]->(p) WITH p, sum(x.nodes) AS n WHERE n = p.nodes AND p.affinity > 0 RETURN count(*)": 3,
	} {
		if n := b.value(query); n != want {
			b.t.Errorf("%v instead of %d: %s", n, want, query)
		}
	}
}
