package neo4j

import (
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// TestAllNodes: a projection of all nodes has those of any label and of none, but not linchpin's own.
func TestAllNodes(t *testing.T) {
	s, db := fresh(t)
	s.Query(t, `CREATE (a:A {i: 1})-[:R]->(b:B {i: 2})-[:R]->(c {i: 3}), (:LinchpinLock {name: "x"})-[:R]->(a)`, nil)
	p := connector.Projection{AllNodes: true, Relationships: []connector.Relationship{{Type: "R",
		Orientation: export.Natural, Parallel: export.Keep}}}
	snapshot, err := db.Export(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, m := snapshot.Graph.N(), snapshot.Graph.M(); n != 3 || m != 2 || snapshot.Read.Changed != "" {
		t.Errorf("%d nodes, %d edges, changed %q", n, m, snapshot.Read.Changed)
	}
	if e, err := db.Estimate(t.Context(), p); err != nil || e.Nodes != 3 || e.Relationships != 2 {
		t.Errorf("estimate %+v, %v", e, err)
	}
	p.Where = []connector.Condition{{Property: "i", Is: ">", Value: int64(1)}}
	if snapshot, err = db.Export(t.Context(), p, nil); err != nil || snapshot.Graph.N() != 2 {
		t.Errorf("with a condition: %v, %v", snapshot, err)
	}
	p.Where[0].Value = int64(9)
	if _, err = db.Export(t.Context(), p, nil); kindOf(err) != connector.Empty ||
		err.Error() != "no node meets the conditions of where" {
		t.Errorf("nothing: %v", err)
	}
	s.Query(t, "MATCH (n) DETACH DELETE n", nil)
	p.Where = nil
	if _, err = db.Export(t.Context(), p, nil); kindOf(err) != connector.Empty ||
		err.Error() != "the database has no nodes" {
		t.Errorf("empty database: %v", err)
	}
}
