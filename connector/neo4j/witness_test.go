package neo4j

import (
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// A new node with the id of a deleted one gets no score of it; one that is still there gets its own, whichever of its
// relationships has gone.
func TestNewNodesGetNoScoresOfDeletedOnes(t *testing.T) {
	const label, joined = "CREATE (n:V {i: 49})", "MATCH (a:V {i: 48}) CREATE (n:V {i: 49})<-[:E {w: 1}]-(a)"
	for name, c := range map[string]struct {
		create, key string
		want        connector.WriteStats
	}{
		"without relationships": {label, "", connector.WriteStats{Written: 50 + 95, Missing: 3, Refused: 1}},
		"joined to the same":    {joined, "", connector.WriteStats{Written: 50 + 95, Missing: 3, Refused: 1}},
		"another key": {strings.Replace(joined, "49", "77", 1), "i",
			connector.WriteStats{Written: 50 + 95, Missing: 3, Refused: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s, db := fresh(t, chain, "CREATE (:V {i: -1})")
			p := projection("E")
			p.Key = c.key
			snap := exported(t, db, p)
			at := 49
			for v, id := range snap.Nodes.Ints { // ids of deleted nodes come back in any order
				if id == number(t, s, "MATCH (n:V {i: 49}) RETURN id(n)") {
					at = v
				}
			}
			s.Query(t, "MATCH (n:V {i: 49}) DETACH DELETE n", nil)
			snap.Nodes.Ints[at] = number(t, s, c.create+" RETURN id(n)")
			// the first witness of two nodes
			s.Query(t, "MATCH (:V {i: 0})-[r:E]->() WITH r ORDER BY id(r) LIMIT 1 DELETE r", nil)
			o := connector.WriteOptions{OnlyChanged: 1e-9, Projection: p}
			wantStats(t, "write", write(t, db, snap, o, column(snap, connector.OnNodes, "a", third),
				column(snap, connector.OnRelationships, "r", third)), c.want)
			if n := number(t, s, "MATCH (n:V) WHERE n.a IS NULL RETURN count(n)"); n != 1 {
				t.Errorf("%d nodes without a score, want the new one", n)
			}
		})
	}
}

// With a key a node needs no relationship, and relationships of a node that has gone are refused without node scores,
// too.
func TestKeysOfNodes(t *testing.T) {
	s, db := fresh(t, chain)
	p := projection("E")
	p.Key = "i"
	snap := exported(t, db, p)
	o := connector.WriteOptions{OnlyChanged: -1, Projection: p}
	s.Query(t, "MATCH (:V {i: 0})-[r:E]->() DELETE r", nil)
	wantStats(t, "no relationship left", write(t, db, snap, o, column(snap, connector.OnNodes, "a", third)),
		connector.WriteStats{Written: 50})
	s.Query(t, "MATCH (n:V {i: 20}) SET n.i = 'twenty'", nil)
	wantStats(t, "another key", write(t, db, snap, o, column(snap, connector.OnRelationships, "r", third)),
		connector.WriteStats{Written: 92, Missing: 6, Refused: 1})
	snap.Keys = nil
	if _, err := db.Write(t.Context(), snap, []connector.Column{column(snap, connector.OnNodes, "a", third)}, o,
		nil); err == nil {
		t.Error("written without the keys")
	}
	for what, spoil := range map[string]string{"has no property i": "MATCH (n:V {i: 7}) REMOVE n.i",
		"both have \"8\"": "MATCH (n:V {i: 9}) SET n.i = '8'", "or a list": "MATCH (n:V {i: 8}) SET n.i = [8]"} {
		_, db := fresh(t, chain, spoil)
		if _, err := db.Export(t.Context(), p, nil); connector.KindOf(err) != connector.BadData ||
			!strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestWitnesses(t *testing.T) {
	// 0->1, 0->2, 1->2, 3 alone, 4->4.
	s := &export.Snapshot{Nodes: export.IDs{Ints: make([]int64, 5)},
		Rels: export.Relationships{Offsets: []int64{0, 2, 3, 3, 3, 4}, Targets: []int32{1, 2, 2, 4}}}
	for k, want := range [][]int32{{0, 2, 1, -1, 3}, {1, 0, 2, -1, 3}, {-1, -1, -1, -1, -1}} {
		for v, got := range witnesses(s, int32(k)) {
			if got != want[v] {
				t.Errorf("relationship %d of node %d: %d, want %d", k, v, got, want[v])
			}
		}
	}
	for r, want := range []int32{0, 0, 1, 4} {
		if got := sourceOf(&s.Rels, int32(r)); got != want {
			t.Errorf("relationship %d starts at %d, want %d", r, got, want)
		}
	}
}

// A part of which nothing is left is no sign of a lost lock.
func TestPartsOfWhichAllIsGone(t *testing.T) {
	s, db := fresh(t, chain)
	p := projection("E")
	p.Key = "i"
	snap := exported(t, db, p)
	lease, err := db.Acquire(t.Context(), "job", "me", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	s.Query(t, "MATCH (n:V) DETACH DELETE n", nil)
	o := connector.WriteOptions{OnlyChanged: 1e-9, Batch: 20, Lease: lease, Projection: projection("E")}
	wantStats(t, "by relationships", write(t, db, snap, o, column(snap, connector.OnNodes, "a", third),
		column(snap, connector.OnRelationships, "r", third)), connector.WriteStats{Missing: 148})
	o.Projection = p
	wantStats(t, "by keys", write(t, db, snap, o, column(snap, connector.OnNodes, "a", third)),
		connector.WriteStats{Missing: 50})
	wantStats(t, "keys alone", write(t, db, snap, o, column(snap, connector.OnRelationships, "r", third)),
		connector.WriteStats{Missing: 50 + 98})
}
