package bench

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecordsNameCommits: every record of bench/results names a commit of this repository, or is marked as older.
func TestRecordsNameCommits(t *testing.T) {
	if out, err := exec.Command("git", "rev-parse", "--is-shallow-repository").Output(); err != nil ||
		strings.TrimSpace(string(out)) != "false" {
		t.Skip("not a full clone: its commits cannot be looked up")
	}
	files, err := filepath.Glob("results/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no results: %v", err)
	}
	known := map[string]bool{}
	for _, path := range files {
		records, err := ReadRecords(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			commit := strings.TrimSuffix(r.Commit, "-dirty")
			if _, looked := known[commit]; !looked {
				known[commit] = exec.Command("git", "cat-file", "-e", commit+"^{commit}").Run() == nil
			}
			if known[commit] == r.Older {
				t.Errorf("%s: %s %s: commit %s, older %t; want a commit that exists or older", path, r.Suite, r.Graph, r.Commit,
					r.Older)
			}
		}
	}
}
