package jobs_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/connector/neo4j"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/jobs"
	"github.com/linchpin-graph/linchpin/kernels"
)

// On a path of n nodes the node i lies between i*(n-1-i) pairs and the edge after it between (i+1)*(n-1-i), shared by
// the parallel relationships.
func TestScoresReadBackAreTheScoresOfThePath(t *testing.T) {
	const n = 20
	b := newBench(t, path(n)...)
	r := b.run(job("path", betweenness(),
		config.Measure{Measure: "closeness", Params: kernels.Params{Weighted: true}, Nodes: "close"}), jobs.Options{})
	if r.Unchanged || r.Run.Status != connector.Succeeded || r.Run.Nodes != n || r.Run.Edges != n+1 {
		t.Fatalf("run: %+v", r.Run)
	}
	if want := "cpu; betweenness: graph reduced: 0 of 20 sources, 0 % of the work; closeness: graph reduced: 0 of 20 sources, 0 % of the work"; !slices.Contains(b.notes.lines, want) {
		t.Errorf("the steps said %q, not %q", b.notes.lines, want)
	}
	if r.Run.Reason != "the CPU was asked for" || r.Run.Strategy != "" || r.Run.Fallback != "" {
		t.Errorf("reason %q, strategy %q, fallback %q", r.Run.Reason, r.Run.Strategy, r.Run.Fallback)
	}
	if d := r.Run.Reductions; len(d) != 2 || d[0].Measure != "betweenness" ||
		!slices.Equal(d[0].Taken, []string{"trees"}) || d[1].Measure != "closeness" {
		t.Errorf("a path is a tree, but the record says %+v", d)
	}
	for _, row := range b.cypher("MATCH (v:V) RETURN v.i AS i, v.bc AS bc, v.close AS close") {
		i := row["i"].(int64)
		if got, want := row["bc"].(float64), float64(i*(n-1-i)); got != want {
			t.Errorf("betweenness of node %d is %v, not %v", i, got, want)
		}
		sum := float64(i*(i+1)+(n-1-i)*(n-i)) / 2 * 1.5
		if got, want := row["close"].(float64), (n-1)/sum; math.Abs(got-want) > 1e-12 {
			t.Errorf("weighted closeness of node %d is %v, not %v", i, got, want)
		}
	}
	rows := b.cypher("MATCH (a:V)-[r:E]->(:V) RETURN a.i AS i, r.ebc AS ebc")
	if len(rows) != n+1 {
		t.Fatalf("%d relationships", len(rows))
	}
	for _, row := range rows {
		i := row["i"].(int64)
		want := float64((i + 1) * (n - 1 - i))
		if i == n/2 {
			want /= 3
		}
		if got := row["ebc"].(float64); math.Abs(got-want) > 1e-9*want {
			t.Errorf("betweenness of a relationship after node %d is %v, not %v", i, got, want)
		}
	}
}

// counted is an engine that says what it was told.
type counted struct {
	jobs.Engine
	told []string
}

func (c *counted) Compute(ctx context.Context, t engine.Task) (*engine.Outcome, error) {
	c.told = append(c.told, t.Measure)
	return c.Engine.Compute(ctx, t)
}

func (c *counted) Rest() { c.told = append(c.told, "rest") }

// TestEngineRestsAfterAllMeasures, and not between them: they share a worker.
func TestEngineRestsAfterAllMeasures(t *testing.T) {
	b := newBench(t, path(5)...)
	measured := &counted{Engine: engine.NewEngine(1)}
	b.runner.Engine = measured
	b.run(job("two", betweenness(), config.Measure{Measure: "closeness", Nodes: "close"}), jobs.Options{})
	if want := []string{"betweenness", "closeness", "rest"}; !slices.Equal(measured.told, want) {
		t.Errorf("told %v, want %v", measured.told, want)
	}
}

func TestSecondRunIsUnchangedAndWritesNothing(t *testing.T) {
	b := newBench(t, path(12)...)
	j := job("again", betweenness())
	b.run(j, jobs.Options{})
	before := b.bookmark()
	if r := b.run(j, jobs.Options{}); !r.Unchanged {
		t.Fatal("the second run ran")
	}
	if after := b.bookmark(); after != before {
		t.Error("an unchanged run committed a transaction")
	}
	b.cypher("CREATE (:Other)")
	if b.bookmark() == before {
		t.Fatal("the bookmark does not tell of commits")
	}
	if r := b.run(j, jobs.Options{}); !r.Unchanged {
		t.Error("a node outside the job's graph, and it ran")
	}
	if r := b.run(j, jobs.Options{Recompute: true}); r.Unchanged || r.Run.Write.Written != 0 {
		t.Errorf("recompute: unchanged %t, %+v", r.Unchanged, r.Run.Write)
	}
	b.cypher("MATCH (a:V {i: 0}), (b:V {i: 7}) CREATE (a)-[:E {w: 1}]->(b)")
	if r := b.run(j, jobs.Options{}); r.Unchanged || r.Run.Write.Written == 0 {
		t.Error("a relationship more, and the job did not run")
	}
	j.Measures[0].Normalized = new(bool)
	*j.Measures[0].Normalized = true
	if r := b.run(j, jobs.Options{}); r.Unchanged {
		t.Error("other settings, and the job did not run")
	}
}

func TestDryRunLeavesTheDatabaseAlone(t *testing.T) {
	b := newBench(t, path(12)...)
	before := b.bookmark()
	r := b.run(job("dry", betweenness()), jobs.Options{DryRun: true})
	if len(r.Columns) != 2 || r.Columns[0].Values[6] == 0 {
		t.Errorf("a dry run computed %+v", r.Columns)
	}
	if after := b.bookmark(); after != before {
		t.Error("a dry run committed a transaction")
	}
}

func TestPropertyOfTheUserIsRefusedUnlessForced(t *testing.T) {
	b := newBench(t, append(path(8), "MATCH (v:V {i: 3}) SET v.bc = 'mine'")...)
	_, err := b.runner.Run(context.Background(), job("taken", betweenness()), jobs.Options{})
	if connector.KindOf(err) != connector.NotOurs || !strings.Contains(err.Error(), "bc") {
		t.Fatalf("error %v", err)
	}
	if got := b.value("MATCH (v:V {i: 3}) RETURN v.bc"); got != "mine" {
		t.Fatalf("the user's property became %v", got)
	}
	b.run(job("taken", betweenness()), jobs.Options{Force: true})
	if got := b.value("MATCH (v:V {i: 3}) RETURN v.bc"); got != 12.0 {
		t.Errorf("forced, the score is %v", got)
	}
}

func TestScoresOfEarlierSettingsAreMentioned(t *testing.T) {
	b := newBench(t, path(8)...)
	degree := config.Measure{Measure: "degree", Nodes: "deg"}
	mentions := func(property string) bool {
		return slices.ContainsFunc(b.notes.lines, func(l string) bool {
			return strings.HasPrefix(l, "property "+property+" of nodes holds scores")
		})
	}
	b.run(job("renamed", betweenness(), degree), jobs.Options{})
	b.notes.lines = nil
	b.run(job("renamed", betweenness()), jobs.Options{})
	if !mentions("deg") || mentions("bc") {
		t.Errorf("notes %q", b.notes.lines)
	}
	b.cypher("MATCH (v:V) REMOVE v.deg")
	b.notes.lines = nil
	b.run(job("renamed", betweenness()), jobs.Options{})
	if mentions("deg") {
		t.Errorf("removed by hand: notes %q", b.notes.lines)
	}
}

func TestResumeFromComputeAndFromWrite(t *testing.T) {
	b := newBench(t, path(12)...)
	j := job("resume", betweenness())
	b.run(j, jobs.Options{})
	b.cypher("MATCH (v:V) SET v.bc = null")
	r := b.run(j, jobs.Options{From: jobs.Write})
	if r.Run.Write.Written == 0 || b.value("MATCH (v:V {i: 3}) RETURN v.bc") != 24.0 {
		t.Errorf("from write: %+v", r.Run.Write)
	}
	b.cypher("MATCH (v:V) SET v.bc = null")
	if r := b.run(j, jobs.Options{From: jobs.Compute}); r.Run.Write.Written == 0 {
		t.Errorf("from compute: %+v", r.Run.Write)
	}
	j.Measures[0].Endpoints = true
	if _, err := b.runner.Run(context.Background(), j, jobs.Options{From: jobs.Write}); err == nil {
		t.Error("scores of other settings were written")
	}
}

func TestCancelIsRecorded(t *testing.T) {
	for _, step := range []jobs.Step{jobs.Export, jobs.Compute, jobs.Write} {
		t.Run(string(step), func(t *testing.T) {
			b := newBench(t,
				"UNWIND range(0, 3999) AS i CREATE (:V {i: i})",
				"MATCH (a:V) UNWIND [1, 7, 301] AS k MATCH (b:V) WHERE id(b) = id(a) + k CREATE (a)-[:E {w: 1.0}]->(b)")
			ctx, cancel := context.WithCancel(context.Background())
			asked := false
			b.notes.progress = func(s jobs.Step, done int64) {
				if s == step && !asked && (done > 0 || s == jobs.Export) {
					asked = true
					if last, err := b.db.LastRun(t.Context(), "cancel"); err != nil ||
						step == jobs.Compute && (last == nil || last.Step != string(step)) {
						t.Errorf("recorded meanwhile: %+v, %v", last, err)
					}
					cancel()
				}
			}
			j := job("cancel", betweenness())
			j.Write.Batch = 1000
			r, err := b.runner.Run(ctx, j, jobs.Options{})
			if !asked || !errors.Is(err, context.Canceled) {
				t.Fatalf("cancelled %t, error %v", asked, err)
			}
			if !slices.Contains(b.notes.lines, "interrupted") || slices.Contains(b.notes.lines, "failed") {
				t.Errorf("how the step ended: %q", b.notes.lines)
			}
			want := connector.Cancelled
			if step == jobs.Write {
				want = connector.Unfinished
			}
			if r.Run.Status != want {
				t.Errorf("status %s, not %s", r.Run.Status, want)
			}
			last, err := b.db.LastRun(context.Background(), "cancel")
			if err != nil || last == nil || last.Status != want || last.Step != string(step) {
				t.Errorf("recorded: %+v, %v", last, err)
			} else if want := string(step) + ": interrupted"; last.Error != want {
				t.Errorf("the record says %q, not %q", last.Error, want)
			}
			b.notes.progress = nil
			b.run(j, jobs.Options{}) // no lock was left
			if missing := b.value("MATCH (v:V) WHERE v.bc IS NULL RETURN count(*)"); missing != int64(0) {
				t.Errorf("%v nodes without a score after the rerun", missing)
			}
		})
	}
}

func TestSelectionOfNothingIsAnErrorAndUnrecorded(t *testing.T) {
	b := newBench(t, path(4)...)
	j := job("none", betweenness())
	j.Graph.Nodes, j.Graph.NodeQuery = nil, "MATCH (v:V) WHERE v.i > 99 RETURN id(v)"
	if _, err := b.runner.Run(context.Background(), j, jobs.Options{}); connector.KindOf(err) != connector.Empty {
		t.Errorf("error %v", err)
	}
	j.Graph.Nodes, j.Graph.NodeQuery = []string{"Vv"}, ""
	if _, err := b.runner.Run(context.Background(), j, jobs.Options{}); connector.KindOf(err) != connector.UnknownName {
		t.Errorf("error %v", err)
	}
	if runs, err := b.db.Runs(context.Background(), "", 0); err != nil || len(runs) != 0 {
		t.Errorf("%d runs recorded, %v", len(runs), err)
	}
}

func TestTooLittleMemoryIsRefusedBeforeComputing(t *testing.T) {
	b := newBench(t, path(50)...)
	b.runner.Memory = func() (int64, error) { return 100, nil }
	_, err := b.runner.Run(context.Background(), job("large", betweenness()), jobs.Options{})
	if connector.KindOf(err) != connector.TooLarge {
		t.Errorf("error %v", err)
	}
	if scored := b.value("MATCH (v:V) WHERE v.bc IS NOT NULL RETURN count(*)"); scored != int64(0) {
		t.Errorf("%v scores written", scored)
	}
}

// A null of one measure (the logarithm of no path) is no fault of the next.
func TestLogarithmBesideAnotherMeasure(t *testing.T) {
	b := newBench(t, path(8)...)
	b.run(job("log", config.Measure{Measure: "stress", Params: kernels.Params{Log: true}, Nodes: "log_stress"},
		betweenness()), jobs.Options{})
	if got := b.value("MATCH (v:V {i: 0}) RETURN v.log_stress IS NULL AND v.bc = 0"); got != true {
		t.Error("the end of the path has a logarithm of its stress, or no betweenness")
	}
	if got := b.value("MATCH (v:V {i: 1}) RETURN v.log_stress > 0 AND v.bc = 6"); got != true {
		t.Error("the node after it has wrong scores")
	}
}

// An unchanged run leaves the lock of a process that lives, and releases that of one that is gone.
func TestUnchangedRunReleasesTheLockOfTheDead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells processes apart; elsewhere the lease runs out")
	}
	b := newBench(t, path(12)...)
	j := job("again", betweenness())
	b.run(j, jobs.Options{})
	if _, err := b.db.Acquire(t.Context(), j.Name, "another", time.Hour); err != nil {
		t.Fatal(err)
	}
	const held = "MATCH (l:LinchpinLock {name: 'again'}) RETURN l.token IS NOT NULL"
	if r := b.run(j, jobs.Options{}); !r.Unchanged || b.value(held) != true {
		t.Errorf("unchanged %t, the lock is held: %v", r.Unchanged, b.value(held))
	}
	b.cypher("MATCH (l:LinchpinLock {name: 'again'}) SET l.started = l.started - 1") // another process had this number
	if r := b.run(j, jobs.Options{}); !r.Unchanged || b.value(held) != false {
		t.Errorf("unchanged %t, the lock is held: %v", r.Unchanged, b.value(held))
	}
}

// Hosts whose clocks are hours apart run one job by turns. What the database holds decides, not whose clock was ahead.
func TestClocksOfHostsDoNotDecide(t *testing.T) {
	b := newBench(t, path(12)...)
	b.cypher("MATCH ()-[r:E]->() SET r.v = r.w * r.w + 1")
	host := func(ahead time.Duration) *jobs.Runner {
		now := func() time.Time { return time.Now().Add(ahead) }
		db, err := neo4j.Open(t.Context(), neo4j.Options{URI: b.server.URI(), Database: "neo4j", Now: now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close(context.Background()) })
		r := *b.runner
		r.Database, r.Now, r.State = db, now, t.TempDir()
		return &r
	}
	weighted := func(property string) config.Job {
		j := job("clocks", config.Measure{Measure: "closeness", Params: kernels.Params{Weighted: true}, Nodes: "bc"})
		j.Graph.Relationships[0].Weight.Property = property
		return j
	}
	var ids []string
	run := func(r *jobs.Runner, property string, unchanged bool) *jobs.Result {
		t.Helper()
		got, err := r.Run(t.Context(), weighted(property), jobs.Options{})
		if err != nil || got.Unchanged != unchanged {
			t.Fatalf("unchanged %t, %v", got.Unchanged, err)
		}
		if !unchanged {
			ids = append([]string{got.Run.ID}, ids...)
		}
		return got
	}
	early, late := host(time.Hour), host(-time.Hour)
	run(early, "w", false)
	run(late, "v", false)
	run(late, "v", true)
	if r := run(early, "w", false); r.Run.Scores[0].Compared != 0 {
		t.Errorf("compared with the scores of this host's last run, and another host has run since: %+v", r.Run.Scores[0])
	}
	if r := run(late, "v", false); r.Run.Write.Written == 0 {
		t.Error("nothing written")
	}
	run(early, "v", true)
	run(host(0), "w", false)
	history, err := b.db.Runs(t.Context(), "clocks", 0)
	for i, r := range history {
		if r.ID != ids[i] || time.Since(r.Started).Abs() > 10*time.Minute || r.Finished.Before(r.Started) {
			t.Errorf("run %d is %s of %s, want %s", i, r.ID, r.Started, ids[i])
		}
	}
	if err != nil || len(history) != len(ids) {
		t.Errorf("%d runs, %v", len(history), err)
	}
}

// What an earlier version has left knows of no withdrawn run: the record that is newer than that of the published run
// tells.
func TestUnchangedAfterARollbackByAnEarlierVersion(t *testing.T) {
	b := newBench(t, path(12)...)
	j := job("old", betweenness())
	j.Write.Mode = string(connector.AB)
	b.run(j, jobs.Options{})
	b.cypher("MATCH (a:V {i: 0}), (b:V {i: 7}) CREATE (a)-[:E {w: 1}]->(b)")
	b.run(j, jobs.Options{})
	if _, err := b.db.Rollback(t.Context(), "old", "me"); err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"this", "an earlier one"} {
		if r := b.run(j, jobs.Options{}); !r.Unchanged {
			t.Errorf("%s: the run that was withdrawn came back", version)
		}
		b.cypher("MATCH (j:LinchpinJob) REMOVE j.withdrawn")
	}
	if r := b.run(j, jobs.Options{Recompute: true}); r.Unchanged {
		t.Error("not even on demand")
	}
}
