package neo4j

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

func TestHistory(t *testing.T) {
	server := neo4jtest.Shared(t)
	db, err := Open(t.Context(), Options{URI: server.URI(), Database: "neo4j"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	began := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	rank := .25
	for i := range 30 {
		r := connector.Run{
			ID: fmt.Sprintf("run%02d", i), Job: "a", Status: connector.Skipped, Started: began.Add(time.Duration(i) * time.Hour),
			Due: began.Add(time.Duration(i) * time.Hour), Seconds: map[string]float64{"export": .5},
		}
		switch i {
		case 3:
			r.Status, r.Gteps = connector.Succeeded, 1.25
			r.Scores = []connector.ScoreSummary{{Property: "bc", Rank: &rank, Top: []connector.Ranked{{ID: "7", Score: 2}}}}
			r.Around = &connector.Around{Nodes: []connector.Dot{{ID: "7", Score: 2, Top: true}}}
		case 20:
			r.Status = connector.Running
		case 29:
			r.Status, r.Times, r.Until = connector.Missed, 4, r.Due.Add(4*time.Hour)
		}
		if err := db.SaveRun(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := db.LastRun(t.Context(), "a"); err != nil || r == nil || r.ID != "run20" {
		t.Errorf("last run %+v, %v: those that were skipped or missed do not count", r, err)
	}
	r, err := db.Run(t.Context(), "run03")
	if err != nil || r.Gteps != 1.25 || len(r.Scores) != 1 || *r.Scores[0].Rank != .25 || r.Around.Nodes[0].ID != "7" || !r.Due.Equal(r.Started) {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := db.Run(t.Context(), "run99"); connector.KindOf(err) != connector.UnknownName {
		t.Errorf("an unknown run: %v", err)
	}
	if due, err := db.LastDue(t.Context(), "a"); err != nil || !due.Equal(began.Add(33*time.Hour)) {
		t.Errorf("last due %s, %v", due, err)
	}
	if due, err := db.LastDue(t.Context(), "b"); err != nil || !due.IsZero() {
		t.Errorf("last due of an unknown job: %s, %v", due, err)
	}
	lease, err := db.Acquire(t.Context(), "a", "somebody, run run20", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := db.CloseRuns(t.Context(), "a"); err != nil || n != 0 {
		t.Errorf("closed %d while the lock is held, %v", n, err)
	}
	if err := lease.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := db.CloseRuns(t.Context(), "a"); err != nil || n != 1 {
		t.Errorf("closed %d, %v", n, err)
	}
	if n, err := db.PruneRuns(t.Context(), "a", 10); err != nil || n != 19 {
		t.Errorf("pruned %d, %v", n, err)
	}
	left, err := db.Runs(t.Context(), "a", 0)
	if err != nil || len(left) != 11 || left[0].ID != "run29" || left[10].ID != "run03" {
		t.Errorf("left %d, %v: the newest success stays", len(left), err)
	}
}

// A long history costs no more than a short one: lists come out of an index.
func TestLongHistory(t *testing.T) {
	server := neo4jtest.Shared(t)
	db, err := Open(t.Context(), Options{URI: server.URI(), Database: "neo4j"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	if err := db.SaveRun(t.Context(), connector.Run{ID: "first", Job: "a", Started: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.CloseRuns(t.Context(), "a"); err != nil { // makes the indexes
		t.Fatal(err)
	}
	const rows = 200_000 // a million passes as well, and takes a minute to make
	server.Query(t, fmt.Sprintf("UNWIND range(1, %d) AS i CALL { WITH i CREATE (:LinchpinRun {id: 'r' + i, job: 'a', status: 'succeeded', "+
		"started: datetime({epochSeconds: 1000000000 + i})}) } IN TRANSACTIONS OF 20000 ROWS", rows), nil)
	server.Query(t, "CALL db.awaitIndexes(300)", nil)
	for name, look := range map[string]func() error{
		"one job":  func() error { _, err := db.Runs(t.Context(), "a", 50); return err },
		"all jobs": func() error { _, err := db.Runs(t.Context(), "", 50); return err },
		"the last": func() error { _, err := db.LastRun(t.Context(), "a"); return err },
		"last due": func() error { _, err := db.LastDue(t.Context(), "b"); return err },
	} {
		if err := look(); err != nil { // plans the query
			t.Fatal(err)
		}
		start := time.Now()
		if err := look(); err != nil {
			t.Fatal(err)
		}
		if spent := time.Since(start); spent > 2*time.Second {
			t.Errorf("%s takes %s", name, spent)
		}
	}
	start := time.Now()
	if n, err := db.PruneRuns(t.Context(), "a", 1000); err != nil || n != 10_000 {
		t.Errorf("pruned %d in %s, %v", n, time.Since(start), err)
	}
}
