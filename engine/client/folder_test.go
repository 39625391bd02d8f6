package client

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	own "github.com/linchpin-graph/linchpin/internal/process"
)

// TestStaleFoldersAreRemoved: what a killed process left goes, what another one uses or has just made stays.
func TestStaleFoldersAreRemoved(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	old := time.Now().Add(-time.Hour)
	make := func(name string, when time.Time) string {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "scores"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		return path
	}
	stale := make(taskFolder+"1", old)
	used := make(taskFolder+"2", old)
	young := make(taskFolder+"3", time.Now())
	other := make("else", old)
	lock := own.LockFolder(used)
	if lock == nil {
		t.Fatal("no lock")
	}
	defer lock.Close()
	new(Client).Tidy()
	f, err := NewFolder()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Remove()
	for path, want := range map[string]bool{stale: false, used: true, young: true, other: true, f.dir: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: stays %t, want %t", filepath.Base(path), err == nil, want)
		}
	}
}
