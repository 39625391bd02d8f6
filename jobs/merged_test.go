package jobs_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/engine"
	"github.com/linchpin-graph/linchpin/engine/parts"
	"github.com/linchpin-graph/linchpin/export"
	"github.com/linchpin-graph/linchpin/jobs"
)

// TestPartsOfAJobAreMerged: into the scores of a run in one process, also where that run computes measures in another
// order than the job names them, because they share a search.
func TestPartsOfAJobAreMerged(t *testing.T) {
	b := newBench(t, append(path(12), "MATCH (a:V), (b:V) WHERE b.i = a.i + 2 CREATE (a)-[:E {w: 2}]->(b)")...)
	var measures []config.Measure
	for _, name := range []string{"triangles", "pagerank", "closeness", "clustering"} {
		measures = append(measures, config.Measure{Measure: name, Nodes: name})
	}
	j := job("parts", measures...)
	scores := func() string {
		t.Helper()
		return fmt.Sprint(
			b.value("MATCH (n:V) WITH n ORDER BY n.i RETURN collect([n.triangles, n.pagerank, n.closeness, n.clustering])"),
		)
	}
	b.run(j, jobs.Options{})
	want := scores()
	if !strings.Contains(want, ".") {
		t.Fatal(want)
	}
	b.cypher("MATCH (n:V) REMOVE n.triangles, n.pagerank, n.closeness, n.clustering")

	graph := jobs.SnapshotFile(b.runner.State, j.Name)
	snapshot, err := export.OpenSnapshot(graph)
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	session := engine.NewSession()
	defer session.Close()
	files := make([]*parts.File, 2)
	for i := range files {
		work, err := jobs.JobComputations(j, snapshot.Snapshot, engine.CPU)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := jobs.PlanAll(t.Context(), session, work, 1<<33); err != nil {
			t.Fatal(err)
		}
		about, found, err := jobs.ComputePart(t.Context(), session, work, parts.About{
			Graph: snapshot.Digest(), Job: j.Name, Index: i, Of: len(files),
		})
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "part")
		if err := parts.Write(name, about, found); err != nil {
			t.Fatal(err)
		}
		if files[i], err = parts.Open(name); err != nil {
			t.Fatal(err)
		}
	}
	slices.Reverse(files)
	b.runner.Engine = &jobs.Merger{Parter: session, Files: files}
	b.run(j, jobs.Options{From: jobs.Compute})
	if got := scores(); got != want {
		t.Errorf("merged:\n%s\nin one process:\n%s", got, want)
	}
}
