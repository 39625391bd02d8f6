package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
	"github.com/linchpin-graph/linchpin/jobs"
)

// TestServerThatRestarts shares a server between the tests that restart it.
func TestServerThatRestarts(t *testing.T) {
	t.Parallel()
	server := neo4jtest.Borrow(t, neo4jtest.Options{})
	t.Run("KilledDuringTheWrite", func(t *testing.T) { killedDuringTheWrite(t, server) })
	server.Reuse(t)
	t.Run("OutputsOfReader", func(t *testing.T) { outputsOfReader(t, server) })
}

// killedDuringTheWrite: a server that dies during the write leaves a record that says so, and the next run mends it.
func killedDuringTheWrite(t *testing.T, server *neo4jtest.Server) {
	b := benchOn(t, server,
		"UNWIND range(0, 1999) AS i CREATE (:V {i: i})",
		"MATCH (a:V) UNWIND [1, 7] AS k MATCH (b:V) WHERE id(b) = id(a) + k CREATE (a)-[:E {w: 1.0}]->(b)")
	j := job("mend", betweenness())
	j.Write.Batch = 500
	killed := false
	b.notes.progress = func(s jobs.Step, done int64) {
		if s == jobs.Write && done > 0 && !killed {
			killed = true
			if err := server.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	_, err := b.runner.Run(context.Background(), j, jobs.Options{})
	for deadline := time.Now().Add(2 * time.Minute); !killed && time.Now().Before(deadline); {
		// The lock has ten seconds, which a server's first statements may take on a busy machine.
		_, err = b.runner.Run(context.Background(), j, jobs.Options{})
	}
	if !killed || !errors.Is(err, jobs.ErrUnfinished) {
		t.Fatalf("killed %t, error %v", killed, err)
	}
	b.notes.progress = nil
	if err := server.Restart(context.Background()); err != nil {
		t.Fatal(err)
	}
	b = rejoin(b)
	last, err := b.db.LastRun(context.Background(), "mend")
	if err != nil || last == nil || last.Status != connector.Unfinished {
		t.Fatalf("the record says %+v, %v", last, err)
	}
	r := runWhenUnlocked(t, b, j)
	if r.Run.Status != connector.Succeeded {
		t.Fatalf("the next run: %+v", r.Run)
	}
	if missing := b.value("MATCH (v:V) WHERE v.bc IS NULL RETURN count(*)"); missing != int64(0) {
		t.Errorf("%v nodes without a score", missing)
	}
	for i, v := range b.cypher("MATCH (v:V) RETURN v.bc AS bc ORDER BY id(v)") {
		if v["bc"].(float64) != r.Columns[0].Values[i] {
			t.Fatalf("node %d has %v, computed was %v", i, v["bc"], r.Columns[0].Values[i])
		}
	}
}

// rejoin connects anew after a restart.
func rejoin(b *bench) *bench {
	again := benchOn(b.t, b.server)
	again.runner.State = b.runner.State
	return again
}

// runWhenUnlocked runs the job as soon as the lock of the run that died has ended.
func runWhenUnlocked(t *testing.T, b *bench, j config.Job) *jobs.Result {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Second) {
		r, err := b.runner.Run(context.Background(), j, jobs.Options{})
		if err == nil {
			return r
		}
		if connector.KindOf(err) != connector.Locked || time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}
