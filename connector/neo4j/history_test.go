package neo4j

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
			r.Around = &connector.Picture{Nodes: []connector.Dot{{ID: "7", Score: 2, Top: true}}}
			r.Reductions = []connector.Reduction{{Taken: []string{"trees"}, WorkRatio: .5}}
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
	if err != nil || r.Gteps != 1.25 || len(r.Scores) != 1 || *r.Scores[0].Rank != .25 || r.Around.Nodes[0].ID != "7" ||
		!r.Due.Equal(r.Started) ||
		len(r.Reductions) != 1 || r.Reductions[0].WorkRatio != .5 || r.Reductions[0].Taken[0] != "trees" {
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
	checkWaiting(t, db, began)
	if n, err := db.PruneRuns(t.Context(), "a", 10); err != nil || n != 19 {
		t.Errorf("pruned %d, %v", n, err)
	}
	left, err := db.Runs(t.Context(), "a", 0)
	if err != nil || len(left) != 11 || left[0].ID != "run29" || left[10].ID != "run03" {
		t.Errorf("left %d, %v: the newest success stays", len(left), err)
	}
}

// checkWaiting saves records of runs that wait: what the run records itself replaces one, never the other way round.
// One that a process left that died was missed, and is not the job's last run.
func checkWaiting(t *testing.T, db *DB, due time.Time) {
	t.Helper()
	for _, step := range []struct{ save, want connector.RunStatus }{
		{connector.Waiting, connector.Waiting}, {connector.Running, connector.Running},
		{connector.Waiting, connector.Running},
		{connector.Failed, connector.Failed}, {connector.Waiting, connector.Failed},
	} {
		r := connector.Run{ID: "known", Job: "w", Status: step.save, Started: due, Due: due}
		if err := db.SaveRun(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if r, err := db.Run(t.Context(), "known"); err != nil || r.Status != step.want {
			t.Errorf("%+v, %v: want %s after %s", r, err, step.want, step.save)
		}
	}
	writes := connector.Run{ID: "writes", Job: "w", Status: connector.Unfinished, Started: due.Add(time.Minute),
		Step: "write"}
	if err := db.SaveRun(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	left := connector.Run{ID: "left", Job: "w", Status: connector.Waiting, Started: due, Due: due.Add(time.Hour),
		Note: "late"}
	if err := db.SaveRun(t.Context(), left); err != nil {
		t.Fatal(err)
	}
	if n, err := db.CloseRuns(t.Context(), "w"); err != nil || n != 2 {
		t.Errorf("closed %d, %v", n, err)
	}
	if r, err := db.Run(t.Context(), "writes"); err != nil || r.Status != connector.Unfinished || r.Finished.IsZero() ||
		r.Error == "" {
		t.Errorf("%+v, %v", r, err)
	}
	r, err := db.Run(t.Context(), "left")
	if err != nil || r.Status != connector.Missed || r.Times != 1 || !r.Until.Equal(left.Due) || r.Finished.IsZero() ||
		r.Note != "late; the process ended while the run stood in line or read the graph" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := db.LastRun(t.Context(), "w"); err != nil || r == nil || r.ID != "writes" {
		t.Errorf("last run %+v, %v", r, err)
	}
	if last, err := db.LastDue(t.Context(), "w"); err != nil || !last.Equal(left.Due) {
		t.Errorf("last due %s, %v", last, err)
	}
}

// isFirst is an error unless the run is the one called first.
func isFirst(r *connector.Run, err error) error {
	if err == nil && (r == nil || r.ID != "first") {
		err = fmt.Errorf("found %+v", r)
	}
	return err
}

// A record that somebody has changed is named, with a way out.
func TestHistoryThatWasChanged(t *testing.T) {
	server := neo4jtest.Shared(t)
	db, err := Open(t.Context(), Options{URI: server.URI(), Database: "neo4j"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	server.Query(t, "CREATE (:LinchpinRun {id: \"it's\", job: 'a', status: 'succeeded', started: datetime(), "+
		"seconds: '{'})", nil)
	_, err = db.LastSuccess(t.Context(), "a")
	var e *connector.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Error(), "the record of run it's cannot be read") ||
		strings.Contains(e.Error(), "\n") {
		t.Fatalf("got %v", err)
	}
	_, way, _ := strings.Cut(e.Hint, ": ")
	server.Query(t, way, nil)
	if r, err := db.LastSuccess(t.Context(), "a"); err != nil || r != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// A long history costs no more than a short one: lists come out of an index, and the last run is found behind any
// number of those that were skipped.
func TestLongHistory(t *testing.T) {
	server := neo4jtest.Shared(t)
	db, err := Open(t.Context(), Options{URI: server.URI(), Database: "neo4j"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	if err := db.SaveRun(t.Context(), connector.Run{ID: "first", Job: "a", Status: connector.Succeeded,
		Started: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.CloseRuns(t.Context(), "a"); err != nil { // makes the indexes
		t.Fatal(err)
	}
	const rows = 40_000 // a million take minutes to make
	server.Query(t, fmt.Sprintf("UNWIND range(1, %d) AS i CALL { WITH i "+
		"CREATE (:LinchpinRun {id: 'r' + i, job: 'a', status: 'skipped', "+
		"started: datetime({epochSeconds: 1000000000 + i}), due: datetime({epochSeconds: 1000000000 + i})}) } IN "+
		"TRANSACTIONS OF 20000 ROWS", rows), nil)
	server.Query(t, "CALL db.awaitIndexes(300)", nil)
	// Other tests made plans for few records. An index that was not sampled yet counts as empty.
	server.Query(t, "CALL db.prepareForReplanning(300)", nil)
	sorting := best(t, func() error {
		_, err := db.query(t.Context(), "history", "MATCH (r:LinchpinRun) RETURN r.id "+
			"ORDER BY r.job + toString(r.due) DESC LIMIT 50", nil)
		return err
	})
	for name, look := range map[string]func() error{
		"one job":          func() error { _, err := db.Runs(t.Context(), "a", 50); return err },
		"all jobs":         func() error { _, err := db.Runs(t.Context(), "", 50); return err },
		"the last":         func() error { return isFirst(db.LastRun(t.Context(), "a")) },
		"the last success": func() error { return isFirst(db.LastSuccess(t.Context(), "a")) },
		"last due":         func() error { _, err := db.LastDue(t.Context(), "a"); return err },
	} {
		if err := look(); err != nil { // plans the query
			t.Fatal(err)
		}
		if spent := best(t, look); spent > sorting/2 {
			t.Errorf("%s takes %s, and sorting all records %s: no index answers it", name, spent, sorting)
		}
	}
	if n, err := db.PruneRuns(t.Context(), "a", rows); err != nil || n != 0 {
		t.Errorf("pruned %d of %d, %v: the one that is too many is the last success", n, rows+1, err)
	}
	if n, err := db.PruneRuns(t.Context(), "a", 1000); err != nil || n != 10_000 {
		t.Errorf("pruned %d, %v", n, err)
	}
}

// best is the least time of five calls, which other programs on the machine disturb least.
func best(t *testing.T, call func() error) time.Duration {
	t.Helper()
	least := time.Hour
	for range 5 {
		start := time.Now()
		if err := call(); err != nil {
			t.Fatal(err)
		}
		least = min(least, time.Since(start))
	}
	return least
}
