package neo4j

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

func TestRollback(t *testing.T) {
	for _, m := range []connector.Mode{connector.AB, connector.Stamp} {
		t.Run(string(m), func(t *testing.T) {
			p := newPublishing(t, m)
			refused := func(what, says string) {
				t.Helper()
				if _, err := p.db.Rollback(t.Context(), "job", "me"); kindOf(err) != connector.NoWayBack ||
					!strings.Contains(err.Error(), says) {
					t.Errorf("%s: %v", what, err)
				}
			}
			back := func(from, to int) {
				t.Helper()
				want := RolledBack{Job: "job", Mode: m, Withdrawn: runID(from), Run: runID(to)}
				if got, err := p.db.Rollback(t.Context(), "job", "me"); err != nil || got != want {
					t.Fatalf("%+v, %v; want %+v", got, err, want)
				}
				p.wants("rolled back", m, to)
				if r, err := p.db.Run(t.Context(), runID(from)); err != nil || r.Status != connector.Withdrawn ||
					!strings.Contains(r.Note, "rolled back at 20") || !strings.Contains(r.Note, "by me") {
					t.Errorf("the record of the withdrawn run: %+v, %v", r, err)
				}
				if r, err := p.db.LastSuccess(t.Context(), "job"); err != nil || r.ID != runID(to) {
					t.Errorf("the last success: %+v, %v", r, err)
				}
				refused("twice", fmt.Sprintf("no scores of job job are kept but those of run run%d", to))
			}
			if _, err := p.db.Rollback(t.Context(), "job", "me"); kindOf(err) != connector.UnknownName {
				t.Errorf("a job that nobody knows: %v", err)
			}
			p.run(1)
			refused("the first run", "no scores of job job are kept but those of run run1")
			p.run(2)
			back(2, 1)
			p.run(3)
			p.wants("the run after", m, 3)
			back(3, 1)
			p.run(4)
			held, err := p.db.Acquire(t.Context(), "job", "somebody", time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.db.Rollback(t.Context(), "job", "me"); kindOf(err) != connector.Locked {
				t.Errorf("a job at work: %v", err)
			}
			if err := held.Release(t.Context()); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			_ = p.write(ctx, 5, func(int64, int64) { cancel() })
			refused("a run has begun to overwrite", "run run5 of job job has begun to overwrite")
			p.wants("cut off", m, 4)
			p.run(6)
			back(6, 4)
		})
	}
	p := newPublishing(t, connector.InPlace)
	p.run(1)
	p.run(2)
	if _, err := p.db.Rollback(t.Context(), "job", "me"); kindOf(err) != connector.NoWayBack ||
		!strings.Contains(err.Error(), "inplace") {
		t.Errorf("inplace: %v", err)
	}
}

// A run that has lost its lock publishes nothing, whatever it has written.
func TestLostLockPublishesNothing(t *testing.T) {
	p := newPublishing(t, connector.AB)
	p.run(1)
	old, err := p.db.Acquire(t.Context(), "job", "old", 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	p.o.Lease = old
	if err := p.write(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	if _, err := p.db.Acquire(t.Context(), "job", "new", time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := p.publish(2); kindOf(err) != connector.Locked {
		t.Errorf("publishing under a lost lock: %v", err)
	}
	p.wants("under a lost lock", connector.AB, 1)
	if r, err := p.db.Run(t.Context(), "run2"); kindOf(err) != connector.UnknownName {
		t.Errorf("its success was recorded: %+v, %v", r, err)
	}
}

func TestDropRemovesEveryMode(t *testing.T) {
	for m, scores := range map[connector.Mode]int64{connector.InPlace: 1, connector.AB: 2, connector.Stamp: 2} {
		t.Run(string(m), func(t *testing.T) {
			p := newPublishing(t, m)
			for i := range 2 {
				p.run(i + 1)
			}
			p.s.Query(t, "MATCH (n:V) WHERE n.i < 5 REMOVE n:V SET n:W", nil)
			got, err := p.db.Drop(t.Context(), "job", "me", nil)
			want := Dropped{NodeScores: 50 * scores, RelationshipScores: 98 * scores, Runs: 2}
			if m == connector.InPlace {
				want.NodeScores -= 5 // looked for on the job's label
			}
			if err != nil || got != want {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
			p.s.Query(t, "MATCH (n:W) SET n:V", nil)
			p.wants("dropped", connector.AB, 0)
			keys := "MATCH (n) OPTIONAL MATCH (n)-[r]->() UNWIND keys(n) + coalesce(keys(r), []) AS k " +
				"WITH k WHERE k STARTS WITH 'bc' OR k STARTS WITH 'flow' RETURN count(k)"
			if n := number(t, p.s, keys); n != 0 && m != connector.InPlace {
				t.Errorf("%d scores are left", n)
			}
			if n := number(t, p.s, "MATCH (n) WHERE n:LinchpinRun OR n:LinchpinJob OR n:LinchpinProperty OR n:LinchpinLock "+
				"RETURN count(n)"); n != 0 {
				t.Errorf("%d own nodes are left", n)
			}
		})
	}
}

// Names that need quoting, in every place of the documented Cypher.
func TestReadersOfHardNames(t *testing.T) {
	s, db := fresh(t, "CREATE (:`a``b c 🚆` {i: 1})-[:`r:x|y`]->(:`a``b c 🚆` {i: 2})")
	hard := connector.Projection{Labels: []string{"a`b c 🚆"}, Relationships: []connector.Relationship{{Type: "r:x|y"}}}
	snap := exported(t, db, hard)
	names := []string{"n", "slot", "source", "r", "target", "MATCH", "a`b", `\u0060 c`, "東京 'x'", "job"}
	var columns []connector.Column
	for _, name := range names {
		columns = append(columns, column(snap, connector.OnNodes, name, third),
			column(snap, connector.OnRelationships, name, third))
	}
	for i, m := range []connector.Mode{connector.InPlace, connector.AB, connector.Stamp} {
		o := connector.WriteOptions{Job: "hard.names-1", Run: runID(i), Projection: hard, Mode: m}
		if _, err := db.Write(t.Context(), snap, columns, o, nil); err != nil {
			t.Fatal(err)
		}
		if err := db.Publish(t.Context(), connector.Run{ID: o.Run, Job: o.Job, Status: connector.Succeeded,
			Started: time.Now()}, o); err != nil {
			t.Fatal(err)
		}
		r := ReadersOf(o.Job, m, hard, names, names)
		for cypher, rows := range map[string]int{r.Nodes: 2, r.Relationships: 1, r.Both: 1} {
			if cypher == "" {
				continue // inplace promises nothing about both
			}
			if got := s.Query(t, cypher, nil); len(got) != rows || len(got[0]) < len(names) {
				t.Errorf("%s: %d rows of\n%s", m, len(got), cypher)
			}
		}
	}
}
