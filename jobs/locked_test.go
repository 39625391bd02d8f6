package jobs_test

import (
	"path/filepath"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/connector"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/jobs"
)

// TestALockedRunKeepsItsGraph: a run that finds the job locked leaves the snapshot of the one that holds the lock,
// which may still read it.
func TestALockedRunKeepsItsGraph(t *testing.T) {
	b := newBench(t, path(12)...)
	j := job("twice", betweenness())
	held := ""
	b.notes.progress = func(s jobs.Step, _ int64) {
		if s != jobs.Compute || held != "" {
			return
		}
		held = snapshotOf(t, b, j)
		b.cypher("MATCH (v:V {i: 11}) CREATE (v)-[:E {w: 1.5}]->(:V {i: 12})")
		other := *b.runner
		other.Reporter = &notes{}
		if _, err := other.Run(t.Context(), j, jobs.Options{}); connector.KindOf(err) != connector.Locked {
			t.Errorf("the second run: %v", err)
		}
	}
	b.run(j, jobs.Options{})
	if now := snapshotOf(t, b, j); held == "" || now != held {
		t.Errorf("the graph was %s when the run computed, and is %s", held, now)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(jobs.SnapshotFile(b.runner.State, j.Name)),
		"*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	b.notes.progress = nil
	if b.run(j, jobs.Options{}); snapshotOf(t, b, j) == held {
		t.Error("the next run kept the old graph")
	}
}

// snapshotOf is the digest of the graph that a job's runs keep.
func snapshotOf(t *testing.T, b *bench, j config.Job) string {
	t.Helper()
	s, err := export.OpenSnapshot(jobs.SnapshotFile(b.runner.State, j.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return s.Digest()
}
