package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// TestDiskFull fills the state folder of a service, which is a disk of a megabyte in a mount namespace of its own. The
// service says that it is not ready and why, a run fails and writes nothing, and as soon as there is room the next
// one succeeds, without a restart.
func TestDiskFull(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	wrap := []string{"unshare", "--mount"}
	if os.Getuid() != 0 {
		wrap = []string{"unshare", "--user", "--map-root-user", "--mount"}
	}
	if out, err := exec.Command(wrap[0],
		append(wrap[1:], "mount", "-t", "tmpfs", "tmpfs", t.TempDir())...).CombinedOutput(); err != nil {
		t.Skipf("this machine lets nobody mount a small disk: %v %s", err, out)
	}
	s := newSoakOn(t, neo4jtest.Shared(t), `username: ""`, 0)
	state := filepath.Join(filepath.Dir(s.file), ".linchpin")
	if err := os.Mkdir(state, 0o700); err != nil {
		t.Fatal(err)
	}
	s.wrap = append(wrap, "sh", "-c",
		fmt.Sprintf(`mount -t tmpfs -o mode=0700,size=1m tmpfs '%s' && exec "$@"`, state), "sh")
	s.launch()
	began := time.Now().Add(-time.Minute)
	s.request("job0")
	s.awaitSuccess(began)
	ballast := filepath.Join(fmt.Sprintf("/proc/%d/root", s.process.Process.Pid), state, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 4<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("filling the disk: %v", err)
	}
	s.awaitStatus("/readyz", http.StatusServiceUnavailable)
	if status := s.status("/healthz"); status != http.StatusOK {
		t.Errorf("/healthz: %d: a restart of the service would not help", status)
	}
	scores := func() string {
		return fmt.Sprint(s.server.Query(t,
			"MATCH (n:V) WHERE n.i > 0 WITH n ORDER BY n.i RETURN collect(n.bc0) AS all", nil))
	}
	before := scores()
	s.server.Query(t, "MATCH (n:V {i: 0}) DETACH DELETE n", nil)
	s.request("job0")
	s.awaitMetric(`linchpin_runs_total{job="job0",status="failed"}`, func(n float64) bool { return n == 1 })
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		failed := s.server.Query(t, "MATCH (r:LinchpinRun {status: 'failed'}) RETURN r.error AS error, r.step AS step", nil)
		if len(failed) == 1 {
			if text := fmt.Sprint(failed[0]["error"]); !strings.Contains(text, "no space left on device") ||
				!strings.Contains(text, state) {
				t.Errorf("the error says neither what nor where: %s", text)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatalf("records of failed runs: %v", failed)
		}
	}
	if scores() != before {
		t.Error("the run that failed has written scores")
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	s.awaitStatus("/readyz", http.StatusOK)
	again := time.Now()
	s.request("job0")
	s.awaitSuccess(again)
	if scores() == before {
		t.Error("the run that succeeded has written no scores")
	}
	s.terminate()
	s.checkLocks()
}
