package engine

import (
	"os"
	"os/exec"
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
