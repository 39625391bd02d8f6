package jobs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/linchpin-graph/linchpin/jobs"
)

// Only the user can read what a run leaves on disk, and a link among it is replaced, not followed.
func TestStateFiles(t *testing.T) {
	b := newBench(t, path(12)...)
	j := job("hubs", betweenness())
	folder, target := filepath.Join(b.runner.State, "jobs", "hubs"), filepath.Join(t.TempDir(), "other")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	names := []string{"graph.arrow", "scores.gob.gz", "previous.gob.gz"}
	for _, name := range names {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(target, []byte("untouched"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run(j, jobs.Options{})
	if text, _ := os.ReadFile(target); string(text) != "untouched" {
		t.Errorf("a run wrote %d bytes through a link", len(text))
	}
	for _, name := range names {
		if info, err := os.Lstat(filepath.Join(folder, name)); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
