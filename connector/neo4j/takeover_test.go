package neo4j

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/connector"
)

const holdVariable = "LINCHPIN_TEST_HOLD_LOCK_AT"

// TestHoldLock is the other process of TestLockOfAKilledProcess: it takes the lock, says so, and stays.
func TestHoldLock(t *testing.T) {
	uri := os.Getenv(holdVariable)
	if uri == "" {
		return
	}
	db, err := Open(t.Context(), Options{URI: uri, Database: "neo4j"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := db.Acquire(t.Context(), "hubs", "the other", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("held", l.Fence())
	_, _ = bufio.NewReader(os.Stdin).ReadByte() // until the parent ends
}

func TestLockOfAKilledProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells processes apart; elsewhere the lease runs out")
	}
	s, db := fresh(t)
	other := holdElsewhere(t, s.URI())
	_, err := db.Acquire(t.Context(), "hubs", "me", time.Minute)
	if kindOf(err) != connector.Locked || !strings.Contains(err.Error(), "locked by the other") {
		t.Fatalf("a lock whose process lives: %v", err)
	}
	if err := other.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.cmd.Wait()
	for _, doubt := range []string{"host", "boot", "pidNamespace"} {
		s.Query(t, "MATCH (l:LinchpinLock) SET l.kept = l."+doubt+", l."+doubt+" = 'another'", nil)
		if _, err := db.Acquire(t.Context(), "hubs", "me", time.Minute); kindOf(err) != connector.Locked {
			t.Errorf("a lock of another %s: %v", doubt, err)
		}
		s.Query(t, "MATCH (l:LinchpinLock) SET l."+doubt+" = l.kept", nil)
	}
	l, err := db.Acquire(t.Context(), "hubs", "me", time.Minute)
	if err != nil {
		t.Fatalf("the lock of a killed process: %v", err)
	}
	if l.Fence() <= other.fence {
		t.Errorf("fence %d after %d", l.Fence(), other.fence)
	}
	if _, err := db.Acquire(t.Context(), "hubs", "a third", time.Minute); kindOf(err) != connector.Locked {
		t.Errorf("the lock that was taken over: %v", err)
	}
	if err := l.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := number(t, s, "MATCH (l:LinchpinLock) WHERE l.pid IS NOT NULL OR l.boot IS NOT NULL RETURN count(l)"); n != 0 {
		t.Error("a released lock names a process")
	}
}

type heldElsewhere struct {
	cmd   *exec.Cmd
	fence int64
}

// holdElsewhere starts another process that takes the lock.
func holdElsewhere(t *testing.T, uri string) heldElsewhere {
	t.Helper()
	h := heldElsewhere{cmd: exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0],
		"-test.run=^TestHoldLock$")}
	h.cmd.Env = append(os.Environ(), holdVariable+"="+uri)
	if _, err := h.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, scanErr := fmt.Sscanf(line, "held %d", &h.fence); err != nil || scanErr != nil {
		t.Fatalf("the other process says %q: %v", line, err)
	}
	return h
}
