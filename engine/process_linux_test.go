package engine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// running says whether a process exists and is no zombie.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func waitForPid(t *testing.T, path string) int {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if text, err := os.ReadFile(path); err == nil && strings.HasSuffix(string(text), "\n") {
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatal("the worker did not start")
	return 0
}

// startParent starts a linchpin with a worker of this mode, which writes its process id to the file that is returned.
func startParent(t *testing.T, mode string) (parent *exec.Cmd, pidFile string) {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent = exec.Command(self)
	parent.Env = append(os.Environ(), parentEnv+"=1", fakeEnv+"="+mode, "TMPDIR="+dir, "LINCHPIN_TEST_PID="+dir+"/pid")
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	return parent, dir + "/pid"
}

func mustNotOutlive(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); running(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("worker %d outlives its parent", pid)
		}
	}
}

// TestWorkerEndsWithParent kills linchpin while its worker works.
func TestWorkerEndsWithParent(t *testing.T) {
	parent, file := startParent(t, "reports-pid")
	pid := waitForPid(t, file)
	if !running(pid) {
		t.Fatal("the worker does not run")
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	mustNotOutlive(t, pid)
}

// TestNothingOutlivesTheEnd: linchpin ends with its scores while its worker hangs at its end.
func TestNothingOutlivesTheEnd(t *testing.T) {
	parent, file := startParent(t, "lingers")
	if err := parent.Wait(); err != nil {
		t.Fatal(err)
	}
	mustNotOutlive(t, waitForPid(t, file))
}

// children is the number of processes that this one has started and that have not ended.
func children(t *testing.T) (count int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		text, _ := os.ReadFile(path) // a process may have ended meanwhile
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) > 1 && fields[0] != "Z" && fields[1] == fmt.Sprint(os.Getpid()) {
			count++
		}
	}
	return count
}

// TestWarmStartsAWorkerAtEachDevice: as many workers stay as a run on all devices takes.
func TestWarmStartsAWorkerAtEachDevice(t *testing.T) {
	_, m := onDevices(t, "good", 4)
	s := newSession(m)
	before := children(t)
	for range 2 {
		if err := s.Warm(t.Context(), "gpu:0,1,2,3"); err != nil {
			t.Fatal(err)
		}
		if got := children(t) - before; got != 4 {
			t.Errorf("%d workers stay, not 4", got)
		}
	}
}
