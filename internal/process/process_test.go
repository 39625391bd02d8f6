package process

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// sleeper starts a process that lasts, and returns its identity.
func sleeper(t *testing.T) (*exec.Cmd, Identity) {
	t.Helper()
	c := exec.Command("sleep", "600")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	i := Self()
	i.PID = int64(c.Process.Pid)
	var err error
	if i.Started, err = startOf("/proc", i.PID); err != nil {
		t.Fatal(err)
	}
	return c, i
}

func TestGone(t *testing.T) {
	if runtime.GOOS != "linux" {
		if Self() != (Identity{}) || (Identity{PID: 1, Started: 1}).Gone() {
			t.Error("only Linux tells processes apart")
		}
		return
	}
	me := Self()
	if me.PID != int64(os.Getpid()) || me.Host == "" || me.Boot == "" || me.Namespace == "" || me.Started <= 0 {
		t.Fatalf("%+v", me)
	}
	c, alive := sleeper(t)
	if me.Gone() || alive.Gone() {
		t.Errorf("processes that run are gone: %v, %v", me.Gone(), alive.Gone())
	}
	reused := alive
	reused.Started--
	if !reused.Gone() {
		t.Error("another process has the PID, and ours is not gone")
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !alive.Gone(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a killed process that nobody waited for is not gone")
		}
	}
	_ = c.Wait()
	if !alive.Gone() {
		t.Error("a killed process is not gone")
	}
	for name, change := range map[string]func(*Identity){
		"host": func(i *Identity) { i.Host += "x" }, "boot": func(i *Identity) { i.Boot += "x" },
		"namespace": func(i *Identity) { i.Namespace += "x" }, "pid": func(i *Identity) { i.PID = 0 },
		"started": func(i *Identity) { i.Started = 0 }, "all": func(i *Identity) { *i = Identity{} },
	} {
		unsure := alive
		change(&unsure)
		if unsure.Gone() {
			t.Errorf("%s: gone without certainty", name)
		}
	}
	if alive.goneFor(Identity{}, "/proc") || alive.goneFor(me, t.TempDir()) == false {
		t.Error("a process that knows nothing of itself must not judge; an empty /proc leaves it to the kernel")
	}
	if me.goneFor(me, t.TempDir()) {
		t.Error("a process hidden in /proc is gone")
	}
	if (Identity{}) != self("host", t.TempDir()) {
		t.Error("without /proc there is no identity")
	}
}
