package neo4j

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// open connects to a server and closes the connection with the test.
func open(t testing.TB, s *neo4jtest.Server, change ...func(*Options)) *DB {
	t.Helper()
	o := Options{URI: s.URI(), Database: "neo4j", Connections: 3, Retry: 2 * time.Second}
	for _, c := range change {
		c(&o)
	}
	db, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close(context.Background()) })
	return db
}

// fresh empties the shared server, runs statements on it, and connects.
func fresh(t testing.TB, statements ...string) (*neo4jtest.Server, *DB) {
	t.Helper()
	s := neo4jtest.Shared(t)
	for _, q := range statements {
		s.Query(t, q, nil)
	}
	return s, open(t, s)
}

// projection selects nodes of label V and relationships of a type, weighted by w.
func projection(kind string) connector.Projection {
	return connector.Projection{Labels: []string{"V"}, Relationships: []connector.Relationship{
		{Type: kind, Orientation: export.Natural, Parallel: export.Keep, Weight: "w"},
	}}
}

// mixed is a graph with two labels, two types, parallel relationships, loops and dangling ends, and other types and
// labels between them so that ids have holes.
const mixed = `UNWIND range(0, 2999) AS i CREATE (v:V {i: i}) CREATE (x:Other)-[:NOISE]->(x)
WITH collect(v) AS vs, collect(x) AS xs
UNWIND range(0, 8999) AS k
WITH vs[k * 7919 % 3000] AS a, vs[k * 104729 % 2990] AS b, xs[k % 3000] AS x, k
CREATE (a)-[:E {w: 0.5 + k}]->(b)
FOREACH (_ IN CASE k % 9 WHEN 0 THEN [1] ELSE [] END | CREATE (a)-[:E {w: 0.25 + k}]->(b), (b)-[:E {w: 7 + k}]->(b), (a)-[:E {w: 'dangling'}]->(x), (x)-[:E]->(a), (x)-[:F]->(b), (x)-[:E]->(x))`

func TestFormsAgree(t *testing.T) {
	s, db := fresh(t, mixed)
	want, err := db.Export(t.Context(), projection("E"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, m := want.Graph.N(), want.Rels.Len(); n != 3000 || m != 11000 || want.Dropped.Dangling != 3000 {
		t.Errorf("%d nodes, %d relationships, %+v; want 3000, 11000 and 3000 dangling", n, m, want.Dropped)
	}
	checkAgainstRows(t, s, want)
	for name, form := range map[string]form{"pages": byPages, "ranges": byRanges, "lists": byLists, "nodes": byNodes} {
		for _, elements := range []bool{false, true} {
			if elements && (form == byRanges || form == byLists) {
				continue // needs integers
			}
			db := open(t, s, func(o *Options) { o.ElementIDs = elements })
			db.form = form
			got, err := db.Export(t.Context(), projection("E"), nil)
			if err != nil {
				t.Fatalf("%s, element ids %t: %v", name, elements, err)
			}
			if got.Dropped != want.Dropped {
				t.Errorf("%s, element ids %t: dropped %+v, want %+v", name, elements, got.Dropped, want.Dropped)
			}
			if !elements && got.Digest() != want.Digest() {
				t.Errorf("%s: another digest", name)
			}
			if elements {
				checkAgainstRows(t, s, got)
			}
		}
	}
}

// checkAgainstRows compares a snapshot with what plain Cypher returns.
func checkAgainstRows(t *testing.T, s *neo4jtest.Server, got *export.Snapshot) {
	t.Helper()
	type arc struct {
		source, target, id string
		weight             float64
	}
	function := "toString(id(%s))"
	if got.Nodes.Texts != nil {
		function = "elementId(%s)"
	}
	want := map[arc]bool{}
	name := func(x string) string { return fmt.Sprintf(function, x) }
	for _, row := range s.Query(t, "MATCH (a:V)-[r:E]->(b:V) RETURN "+name("a")+" AS a, "+name("b")+" AS b, "+name("r")+
		" AS r, toFloat(r.w) AS w", nil) {
		want[arc{row["a"].(string), row["b"].(string), row["r"].(string), row["w"].(float64)}] = true
	}
	weights := make([]float64, got.Graph.M())
	for k := range int64(got.Graph.Arcs()) {
		weights[got.Graph.Edge(k)] = got.Graph.Weight(k)
	}
	for v := range got.Graph.N() {
		for k := got.Rels.Offsets[v]; k < got.Rels.Offsets[v+1]; k++ {
			a := arc{got.Nodes.String(v), got.Nodes.String(int(got.Rels.Targets[k])), got.Rels.IDs.String(int(k)),
				weights[got.Rels.Edges[k]]}
			if !want[a] {
				t.Fatalf("%+v is not in the database", a)
			}
			delete(want, a)
		}
	}
	if len(want) > 0 {
		t.Errorf("%d relationships are missing", len(want))
	}
}

func kindOf(err error) connector.Kind { return connector.KindOf(err) }

func TestExportIsCancelledAtOnce(t *testing.T) {
	_, db := fresh(t, mixed)
	ctx, cancel := context.WithCancel(t.Context())
	started := make(chan struct{})
	p := projection("E")
	p.Labels, p.NodeQuery = nil, "UNWIND range(1, 1000000000) AS i WITH i WHERE i < 0 RETURN i"
	done := make(chan error)
	go func() {
		close(started)
		_, err := db.Export(ctx, p, nil)
		done <- err
	}()
	<-started
	time.Sleep(500 * time.Millisecond)
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	case <-time.After(30 * time.Second): // the query takes minutes
		t.Error("the export goes on")
	}
}
