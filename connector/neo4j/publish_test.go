package neo4j

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// publishing is a job that gives every node and relationship the same score, the number of the run.
type publishing struct {
	t    *testing.T
	s    *neo4jtest.Server
	db   *DB
	snap *export.Snapshot
	o    connector.WriteOptions
}

func newPublishing(t *testing.T, m connector.Mode) *publishing {
	s, db := fresh(t, chain)
	return publishingOn(t, s, db, m)
}

func publishingOn(t *testing.T, s *neo4jtest.Server, db *DB, m connector.Mode) *publishing {
	return &publishing{t: t, s: s, db: db, snap: exported(t, db, projection("E")), o: connector.WriteOptions{
		Job: "job", Projection: projection("E"), OnlyChanged: 1e-9, ClearStale: true, Mode: m, Drain: 30 * time.Second,
		Batch: 10,
	}}
}

func runID(i int) string { return fmt.Sprintf("run%d", i) }

func (p *publishing) columns(run int) []connector.Column {
	score := func(int) float64 { return float64(run) }
	return []connector.Column{column(p.snap, connector.OnNodes, "bc", score),
		column(p.snap, connector.OnRelationships, "flow", score)}
}

// write writes the scores of a run and does not publish them.
func (p *publishing) write(ctx context.Context, run int, progress connector.Progress) error {
	p.o.Run = runID(run)
	_, err := p.db.Write(ctx, p.snap, p.columns(run), p.o, progress)
	return err
}

func (p *publishing) publish(run int) error {
	p.o.Run = runID(run)
	record := connector.Run{ID: p.o.Run, Job: p.o.Job, Status: connector.Succeeded, Started: time.Now()}
	if err := p.db.Publish(p.t.Context(), record, p.o); err != nil {
		return err
	}
	_, err := p.db.Tidy(p.t.Context(), p.o)
	return err
}

func (p *publishing) run(run int) {
	p.t.Helper()
	if err := errors.Join(p.write(p.t.Context(), run, nil), p.publish(run)); err != nil {
		p.t.Fatalf("run %d: %v", run, err)
	}
}

func (p *publishing) readers(m connector.Mode) Readers {
	return ReadersOf(p.o.Job, m, p.o.Projection, []string{"bc"}, []string{"flow"})
}

// wants reads all scores by the documented Cypher of a mode: each of them must be the run's; run 0 stands for none.
func (p *publishing) wants(what string, m connector.Mode, run int) {
	p.t.Helper()
	nodes, rels := p.snap.Graph.N(), p.snap.Rels.Len()
	if run == 0 {
		nodes, rels = 0, 0
	}
	r := p.readers(m)
	for _, view := range []struct {
		cypher string
		rows   int
	}{{r.Nodes, nodes}, {r.Relationships, rels}, {r.Both, rels}} {
		if view.cypher == "" {
			continue // inplace promises nothing about both
		}
		scores := readAll(p.t, p.s, view.cypher)
		if len(scores) != view.rows {
			p.t.Errorf("%s: %d rows, want %d:\n%s", what, len(scores), view.rows, view.cypher)
		}
		for _, row := range scores {
			for _, x := range row {
				if x != float64(run) {
					p.t.Fatalf("%s: scores %v, want those of run %d", what, row, run)
				}
			}
		}
	}
}

// readAll returns every row's scores of a documented statement: its example without the limit.
func readAll(t *testing.T, s *neo4jtest.Server, cypher string) [][]any {
	var out [][]any
	for _, row := range s.Query(t, everyRow(cypher), nil) {
		var scores []any
		for _, x := range row {
			if _, entity := x.(driver.Entity); !entity {
				scores = append(scores, x)
			}
		}
		out = append(out, scores)
	}
	return out
}

func everyRow(cypher string) string { return strings.TrimSuffix(cypher, " LIMIT 10") }

func TestReadersSeeWholeRuns(t *testing.T) {
	for _, m := range []connector.Mode{connector.AB, connector.Stamp} {
		t.Run(string(m), func(t *testing.T) {
			p := newPublishing(t, m)
			for i := 1; i <= 3; i++ {
				ctx, cancel := context.WithCancel(t.Context())
				if err := p.write(ctx, 10*i, func(int64, int64) { cancel() }); !errors.Is(err, context.Canceled) {
					t.Fatalf("a cancelled write: %v", err)
				}
				cancel()
				p.wants("after a write that was cut off", m, i-1)
				if err := p.write(t.Context(), i, nil); err != nil {
					t.Fatal(err)
				}
				p.wants("written, not published", m, i-1)
				if err := p.publish(10 * i); err == nil {
					t.Error("a run was published that has not written last")
				}
				for range 2 { // as when the answer to the first is lost
					if err := p.publish(i); err != nil {
						t.Fatal(err)
					}
				}
				p.wants("published", m, i)
			}
			if m == connector.Stamp {
				if n := number(t, p.s,
					"MATCH (n:V) WHERE n.bc = 3 AND n.bc_run = 'run3' AND n.bc__prev = 2 RETURN count(n)"); n != 50 {
					t.Errorf("%d nodes say that their score is of run 3", n)
				}
			}
			r, err := p.db.Run(t.Context(), "run3")
			if err != nil || r.Status != connector.Succeeded {
				t.Errorf("the record: %+v, %v", r, err)
			}
			r.Status = connector.Unfinished // by a process that did not hear of the success
			if err := p.db.SaveRun(t.Context(), *r); err != nil {
				t.Fatal(err)
			}
			if r, err := p.db.Run(t.Context(), "run3"); err != nil || r.Status != connector.Succeeded {
				t.Errorf("a success was taken back: %+v, %v", r, err)
			}
		})
	}
}

// A graph that shrinks, a score that is renamed: nothing of earlier runs may show.
func TestPublishedScoresAreOfTheGraph(t *testing.T) {
	for _, m := range []connector.Mode{connector.AB, connector.Stamp} {
		t.Run(string(m), func(t *testing.T) {
			p := newPublishing(t, m)
			for i := 1; i <= 3; i++ {
				p.run(i)
			}
			whole := p.snap
			p.s.Query(t, "MATCH (n:V) WHERE n.i >= 10 REMOVE n:V SET n:W", nil)
			p.snap = exported(t, p.db, projection("E"))
			for i := 4; i <= 5; i++ {
				p.run(i)
				p.s.Query(t, "MATCH (n:W) SET n:V", nil) // the reader's label no longer tells
				p.wants("a smaller graph", m, i)
				p.s.Query(t, "MATCH (n:W) REMOVE n:V", nil)
			}
			p.s.Query(t, "MATCH (n:W) SET n:V", nil)
			p.snap = whole
			score := func(int) float64 { return 7 }
			renamed := []connector.Column{column(p.snap, connector.OnNodes, "hub", score)}
			for i := 7; i <= 8; i++ {
				p.o.Run = runID(i)
				if _, err := p.db.Write(t.Context(), p.snap, renamed, p.o, nil); err != nil {
					t.Fatal(err)
				}
				if err := p.publish(i); err != nil {
					t.Fatal(err)
				}
				p.wants("a score that the job no longer has", m, 0)
			}
			hubs := ReadersOf("job", m, p.o.Projection, []string{"hub"}, nil)
			if got := readAll(t, p.s, hubs.Nodes); len(got) != 50 {
				t.Errorf("%d scores of the new name", len(got))
			}
		})
	}
}

func TestChangeOfMode(t *testing.T) {
	modes := []connector.Mode{connector.InPlace, connector.AB, connector.Stamp}
	for _, from := range modes {
		for _, to := range modes {
			if from == to {
				continue
			}
			t.Run(string(from)+" to "+string(to), func(t *testing.T) {
				p := newPublishing(t, from)
				p.run(2)
				p.o.Mode = to
				ctx, cancel := context.WithCancel(t.Context())
				if err := p.write(ctx, 3, func(int64, int64) { cancel() }); !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				cancel()
				if from != connector.InPlace {
					p.wants("cut off in the new mode", from, 2)
				}
				p.run(4)
				p.wants("the new mode", to, 4)
				if from != connector.InPlace {
					p.wants("the old mode's readers", from, 0)
				}
				want := int64(len(to.Properties("bc")))
				if to != connector.InPlace {
					want-- // only one slot is in use yet
				}
				if n := number(t, p.s, "MATCH (n:V {i: 3}) RETURN size([k IN keys(n) WHERE k STARTS WITH 'bc'])"); n != want {
					t.Errorf("%d properties of the score on a node, want %d", n, want)
				}
			})
		}
	}
}

// A reader loops while runs come and go: whatever it reads is of one run, and whole.
func TestReaderDuringRuns(t *testing.T) {
	for _, m := range []connector.Mode{connector.AB, connector.Stamp} {
		t.Run(string(m), func(t *testing.T) {
			s, db := fresh(t, `UNWIND range(0, 1999) AS i CREATE (v:V {i: i}) WITH collect(v) AS vs
				UNWIND range(0, 1999) AS i WITH vs[i] AS a, vs[(i * 7 + 1) % 2000] AS b CREATE (a)-[:E {w: 1.0}]->(b)`)
			p := &publishing{t: t, s: s, db: db, snap: exported(t, db, projection("E")), o: connector.WriteOptions{
				Job: "job", Projection: projection("E"), OnlyChanged: 1e-9, ClearStale: true, Mode: m, Drain: 30 * time.Second,
				Batch: 200,
			}}
			p.run(1)
			r := p.readers(m)
			watch := watchReads(t, s, map[string]int{everyRow(r.Nodes): 2000, everyRow(r.Both): 2000})
			for i := 2; i <= 5; i++ {
				ctx, cancel := context.WithCancel(t.Context())
				parts := 0
				_ = p.write(ctx, 100*i, func(int64, int64) {
					if parts++; parts == i {
						cancel() // in the middle
					}
				})
				cancel()
				p.run(i)
			}
			if runs, reads := watch(); len(runs) < 3 || reads < 10 {
				t.Errorf("%d reads of the runs %v: too few to tell anything", reads, runs)
			}
		})
	}
}

// watchReads reads all the time, until the returned function is called, which says what was seen. Every read must yield
// so many rows, with one score throughout.
func watchReads(t *testing.T, s *neo4jtest.Server,
	statements map[string]int) (stop func() (runs map[float64]int, reads int)) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	runs, reads := map[float64]int{}, 0
	d, err := driver.NewDriverWithContext(s.URI(), driver.NoAuth())
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(done)
		defer d.Close(context.Background())
		for ctx.Err() == nil {
			for cypher, rows := range statements {
				seen := readOnce(ctx, d, cypher)
				if ctx.Err() != nil {
					return
				}
				total := 0
				for score, n := range seen {
					runs[score]++
					total += n
				}
				if reads++; len(seen) != 1 || total != rows {
					t.Errorf("a reader saw scores of runs %v, want %d of one", seen, rows)
				}
			}
		}
	}()
	return func() (map[float64]int, int) {
		cancel()
		<-done
		return runs, reads
	}
}

// readOnce counts rows by their score; a row that mixes scores counts under -1.
func readOnce(ctx context.Context, d driver.DriverWithContext, cypher string) map[float64]int {
	session := d.NewSession(ctx, driver.SessionConfig{DatabaseName: "neo4j"})
	defer session.Close(context.Background())
	result, err := session.Run(ctx, cypher, nil)
	if err != nil {
		return nil
	}
	seen := map[float64]int{}
	for result.Next(ctx) {
		score, first := 0., true
		for _, x := range result.Record().Values {
			if f, is := x.(float64); is && (first || f == score) {
				score, first = f, false
			} else if is || x == nil {
				score, first = -1, false
			}
		}
		seen[score]++
	}
	return seen
}

// The next write waits for a transaction that has been told to read what it would replace, and names one that lasts.
func TestWriteWaitsForReaders(t *testing.T) {
	for _, m := range []connector.Mode{connector.AB, connector.Stamp} {
		t.Run(string(m), func(t *testing.T) {
			p := newPublishing(t, m)
			p.run(1)
			if m == connector.Stamp { // whose published scores are the next to be replaced; those of AB are the ones after
				p.o.Drain = 300 * time.Millisecond
			}
			ctx := t.Context()
			d, err := driver.NewDriverWithContext(p.s.URI(), driver.NoAuth())
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close(ctx)
			session := d.NewSession(ctx, driver.SessionConfig{DatabaseName: "neo4j"})
			defer session.Close(ctx)
			reader, err := session.BeginTransaction(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := reader.Run(ctx, p.readers(m).Nodes, nil); err != nil {
				t.Fatal(err)
			}
			if m == connector.AB {
				p.run(2)
				p.o.Drain = 300 * time.Millisecond
			}
			err = p.write(ctx, 3, nil)
			var named *connector.Error
			if !errors.As(err, &named) || !strings.Contains(named.Msg, "may still read") ||
				!strings.Contains(named.Hint, "TERMINATE TRANSACTION") {
				t.Errorf("a reader that lasts: %v", err)
			}
			p.o.Drain = 30 * time.Second
			ended := make(chan error)
			go func() {
				time.Sleep(200 * time.Millisecond)
				ended <- reader.Rollback(context.Background())
			}()
			p.run(4)
			if err := <-ended; err != nil {
				t.Error(err)
			}
			p.wants("once the reader was gone", m, 4)
		})
	}
}

// What differs is told by the slot that is written, not by the one that is published.
func TestOnlyChangedScoresOfTheSlot(t *testing.T) {
	p := newPublishing(t, connector.AB)
	for i, score := range []int{5, 6, 5, 5} {
		p.o.Run = runID(i)
		stats, err := p.db.Write(t.Context(), p.snap, p.columns(score), p.o, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := connector.WriteStats{Written: 148}
		if i == 2 {
			want = connector.WriteStats{Unchanged: 148}
		}
		wantStats(t, fmt.Sprintf("run %d", i), stats, want)
		if err := p.publish(i); err != nil {
			t.Fatal(err)
		}
		p.wants("published", connector.AB, score)
	}
}
