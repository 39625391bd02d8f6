package neo4j

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
)

// smaller leaves the last five nodes and their relationships out of the graph: a run before has given them scores.
func (p *publishing) smaller() {
	p.t.Helper()
	q := projection("E")
	q.Where = []connector.Condition{{Property: "i", Is: "<", Value: int64(45)}}
	p.snap = exported(p.t, p.db, q)
}

// As many entities are deleted during the write as have left the graph before it: the numbers are equal, the sets are
// not.
func TestStaleScoresGoWhileEntitiesAreDeleted(t *testing.T) {
	deletions := map[string]struct {
		cypher      string
		nodes, rels int64 // left with a score
	}{
		"nodes":         {"MATCH (n:V) WHERE n.i < 5 DETACH DELETE n", 40, 78},
		"relationships": {"MATCH (a:V)-[r:E]->() WHERE a.i < 5 DELETE r", 45, 78},
	}
	for _, m := range []connector.Mode{connector.InPlace, connector.AB, connector.Stamp} {
		for what, d := range deletions {
			t.Run(fmt.Sprint(m, " ", what), func(t *testing.T) {
				p := newPublishing(t, m)
				p.run(1)
				p.run(2) // both slots hold scores
				p.smaller()
				all := int64(p.snap.Graph.N() + p.snap.Rels.Len())
				done := false
				err := p.write(t.Context(), 3, func(now, _ int64) {
					if now == all && !done { // everything is written, nothing cleared
						done = true
						p.s.Query(t, d.cypher, nil)
					}
				})
				if err := errors.Join(err, p.publish(3)); err != nil || !done {
					t.Fatal(err, done)
				}
				r := p.readers(m)
				if nodes, rels := int64(len(readAll(t, p.s, r.Nodes))), int64(len(readAll(t, p.s,
					r.Relationships))); nodes != d.nodes || rels != d.rels {
					t.Errorf("%d nodes and %d relationships have a score, want %d and %d", nodes, rels, d.nodes, d.rels)
				}
			})
		}
	}
}

// A score goes from an entity that was in the graph at the export and is not written: here one that lost its label.
func TestStaleScoresGoFromWhatWasNotWritten(t *testing.T) {
	for _, m := range []connector.Mode{connector.AB, connector.Stamp} {
		p := newPublishing(t, m)
		p.run(1)
		p.run(2)
		p.s.Query(t, "MATCH (n:V {i: 7}) REMOVE n:V", nil)
		p.run(3)
		p.s.Query(t, "MATCH (n {i: 7}) SET n:V", nil)
		if rows := readAll(t, p.s, p.readers(m).Nodes); len(rows) != 49 {
			t.Errorf("%s: %d nodes have a score, want 49", m, len(rows))
		}
	}
}

// The parts of a scan meet every entity once, whatever the ids are like.
func TestFindInParts(t *testing.T) {
	s, db := fresh(t, mixed)
	elements := open(t, s, func(o *Options) { o.ElementIDs = true })
	for pattern, want := range map[string]int64{"(x:V|Other)": 6000,
		"()-[x:E|F]->()": number(t, s, "MATCH ()-[x:E|F]->() RETURN count(x)")} {
		for name, find := range map[string]func() (export.IDs, error){
			"ranges":          func() (export.IDs, error) { return db.findInRanges(t.Context(), pattern, "true", want) },
			"classes":         func() (export.IDs, error) { return db.findInClasses(t.Context(), pattern, "true", 7) },
			"classes of text": func() (export.IDs, error) { return elements.findInClasses(t.Context(), pattern, "true", 7) },
		} {
			ids, err := find()
			n := ids.Len()
			slices.Sort(ids.Ints)
			slices.Sort(ids.Texts)
			if err != nil || int64(n) != want || len(slices.Compact(ids.Ints))+len(slices.Compact(ids.Texts)) != n {
				t.Errorf("%s of %s: %d ids, want %d different ones (%v)", name, pattern, n, want, err)
			}
		}
	}
}
