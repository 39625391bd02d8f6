package client

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mustEnd waits for the end of a worker, and returns how it ended.
func mustEnd(t *testing.T, p *process) *os.ProcessState {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		t.Fatal("the worker goes on running")
	}
	return p.command.ProcessState
}

// TestNobodyWaitsForTheEnd: the answer of a worker that never ends by itself is there, and it still runs.
func TestNobodyWaitsForTheEnd(t *testing.T) {
	c := testClient("lingers")
	c.Limits.Leave = time.Hour
	mustAnswer(t, c)
	worker := c.leaving[0]
	if worker.hasEnded() {
		t.Fatal("the worker has ended, which this is not about")
	}
	if err := worker.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	mustEnd(t, worker)
}

// TestNextWorkerWaitsForTheLast: a worker that hangs at its end is killed over its limit, and before that the next one
// gets no order, for the device is not free.
func TestNextWorkerWaitsForTheLast(t *testing.T) {
	c := testClient("lingers")
	for range 3 {
		before := c.leaving
		mustAnswer(t, c)
		for _, p := range before {
			if !p.hasEnded() {
				t.Fatal("two workers at a time")
			}
			if status := p.command.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGKILL {
				t.Errorf("it ended with %v", p.command.ProcessState)
			}
		}
		if len(c.leaving) != 1 {
			t.Errorf("%d workers are kept in mind", len(c.leaving))
		}
	}
	mustEnd(t, c.leaving[0])
}

// TestBadEndIsToldWhereOutputIs: the answer stands, and who wants to see what the worker prints sees how it ended.
func TestBadEndIsToldWhereOutputIs(t *testing.T) {
	for mode, want := range map[string]string{"good": "", "crash-after-result": "exit status 3",
		"killed-after-result": "signal: killed", "lingers": "signal: killed"} {
		var out strings.Builder
		c := testClient(mode)
		c.Output = &out
		mustAnswer(t, c)
		if want != "" {
			want = "the worker ended with " + want + " after its last result\n"
		}
		if out.String() != want || len(c.leaving) != 0 {
			t.Errorf("%s: %q", mode, out.String())
		}
	}
}
