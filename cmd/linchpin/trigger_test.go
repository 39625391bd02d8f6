package main

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestTrigger asks a service for runs from the command line, and compares two of them.
func TestTrigger(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	s := newSoak(t)
	s.launch()
	command := func(status int, args ...string) string {
		t.Helper()
		out, err := exec.Command(s.program, append(args, "--config", s.file)...).CombinedOutput()
		got := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			got = exit.ExitCode()
		}
		if got != status {
			t.Fatalf("%v: status %d, want %d: %s", args, got, status, out)
		}
		return string(out)
	}
	if out := command(0, "trigger", "job7", "--recompute"); !strings.Contains(out, "job7: done in ") || !strings.Contains(out, "1200 scored entities written") {
		t.Errorf("trigger: %s", out)
	}
	if out := command(0, "trigger", "job7"); !strings.Contains(out, "job7: skipped: unchanged since the last run") {
		t.Errorf("trigger of an unchanged job: %s", out)
	}
	command(0, "trigger", "job7", "--recompute", "--json")
	command(0, "trigger", "job8")
	for _, unknown := range []string{"nowhere", "a b/../x?y"} {
		if out := command(2, "trigger", unknown); !strings.Contains(out, fmt.Sprintf("the service refused: the config has no job %q", unknown)) {
			t.Errorf("trigger of an unknown job: %s", out)
		}
	}
	ids := regexp.MustCompile(`(?m)^(\S+) +job7 +succeeded `).FindAllStringSubmatch(command(0, "history", "job7"), -1)
	if len(ids) != 2 {
		t.Fatalf("%d runs", len(ids))
	}
	diff := command(0, "history", "job7", "--diff", ids[1][1], ids[0][1])
	for _, line := range []string{`(?m)^\* +written +1200 +0$`, `(?m)^ +bc7 digest +[0-9a-f]{32} +[0-9a-f]{32}$`, `(?m)^\* +bc7 rank correlation +- +1$`} {
		if !regexp.MustCompile(line).MatchString(diff) {
			t.Errorf("no line like %s in\n%s", line, diff)
		}
	}
	s.server.Query(t, "MATCH (v:V) SET v.bc7 = null", nil)
	s.server.Query(t, "CREATE CONSTRAINT FOR (v:V) REQUIRE v.bc7 IS UNIQUE", nil)
	if out := command(2, "trigger", "job7"); !strings.Contains(out, "linchpin: job7: failed: the constraint ") || !strings.Contains(out, "hint: choose another property") {
		t.Errorf("trigger of a job that is refused: %s", out)
	}
	s.server.Query(t, "MATCH (l:LinchpinLock {name: 'job8'}) SET l.token = 'other', l.owner = 'another', l.since = datetime(), l.until = timestamp() + 600000", nil)
	if out := command(4, "trigger", "job8", "--recompute"); !strings.Contains(out, "job8: skipped: job job8 is locked by another") {
		t.Errorf("trigger of a job that is locked: %s", out)
	}
	if err := s.server.Stop(); err != nil {
		t.Fatal(err)
	}
	command(5, "trigger", "job7")
	if err := s.server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.terminate()
}
