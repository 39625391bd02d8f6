package jobs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/linchpin-graph/linchpin/config"
	"github.com/linchpin-graph/linchpin/jobs"
)

// TestOutputDiskFull: a file for which the disk has no room ends the run before the database is written. The old file
// stays, nothing is left next to it, and once there is room the next run writes both.
func TestOutputDiskFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "mode=0700,size=256k"); err != nil {
		t.Skipf("a disk that can be filled is a tmpfs of its own, and none can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	b := newBench(t, path(2000)...)
	j := job("full", config.Measure{Measure: "degree", Nodes: "degree"})
	j.Write.Mode = "ab"
	out := filepath.Join(disk, "scores.csv")
	j.Outputs = []config.Output{{File: out}}
	b.run(j, jobs.Options{})
	old, slot := read(t, out), b.value("MATCH (j:LinchpinJob) RETURN j.run")
	b.cypher("MATCH (a:V {i: 0}), (b:V {i: 1999}) CREATE (a)-[:E {w: 1}]->(b)")
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	_, err := b.runner.Run(context.Background(), j, jobs.Options{})
	if err == nil || errors.Is(err, jobs.ErrUnfinished) ||
		err.Error() != "output: "+out+": cannot be written: no space left on device" {
		t.Errorf("%v", err)
	}
	left, _ := os.ReadDir(disk)
	if read(t, out) != old || len(left) != 2 || b.value("MATCH (j:LinchpinJob) RETURN j.run") != slot {
		t.Errorf("the old file or the database changed, or something is left: %v", left)
	}
	if step := b.value("MATCH (r:LinchpinRun {status: 'failed'}) RETURN r.step + ': ' + r.error"); !strings.HasPrefix(step.(string), "output: ") {
		t.Errorf("recorded: %v", step)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if r := b.run(j, jobs.Options{}); r.Unchanged || read(t, out) == old {
		t.Error("with room again nothing was written")
	}
}
