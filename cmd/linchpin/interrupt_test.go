package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linchpin-graph/linchpin/internal/neo4jtest"
)

// hearHangups lets SIGHUP reach what the test starts, also when the tests themselves were started by nohup.
func hearHangups(t *testing.T) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP) // a program that is started does not inherit a handler
	t.Cleanup(func() { signal.Stop(heard) })
}

// TestInterrupt stops compute in the middle of a computation that would take minutes.
func TestInterrupt(t *testing.T) {
	hearHangups(t)
	dir := t.TempDir()
	grid := filepath.Join(dir, "grid.csv")
	if err := writeGrid(grid, 300, 300); err != nil {
		t.Fatal(err)
	}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		out := filepath.Join(dir, "out.csv")
		c := exec.Command("linchpin", "compute", grid, "--measure", "betweenness", "--device", "cpu", "--nodes-out", out)
		stderr, err := c.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(stderr)
		for lines.Scan() && !strings.Contains(lines.Text(), "msg=plan") {
		}
		time.Sleep(100 * time.Millisecond) // into the computation
		start := time.Now()
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		var rest []string
		for lines.Scan() {
			rest = append(rest, lines.Text())
		}
		err = c.Wait()
		spent := time.Since(start)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != statusInterrupted {
			t.Errorf("%v: %v, want exit status %d\n%s", sig, err, statusInterrupted, strings.Join(rest, "\n"))
		}
		if spent > 30*time.Second { // the computation would take minutes
			t.Errorf("%v: took %v to stop", sig, spent)
		}
		if last := rest[len(rest)-1]; last != "linchpin: interrupted" {
			t.Errorf("%v: last line %q", sig, last)
		}
		if all := strings.Join(rest, "\n"); strings.Contains(all, "failed") {
			t.Errorf("%v: an interrupted step is said to have failed:\n%s", sig, all)
		}
		if files, err := filepath.Glob(filepath.Join(dir, "out*")); err != nil || len(files) > 0 {
			t.Errorf("%v: left %v, %v", sig, files, err)
		}
	}
}

// stubborn is a command that does not stop when its context ends.
func stubborn() {
	ctx, stop := untilInterrupted(context.Background(), func(string) {})
	defer stop()
	fmt.Println("begun")
	<-ctx.Done()
	fmt.Println("cancelled")
	time.Sleep(time.Minute)
}

func TestSecondInterruptEndsAtOnce(t *testing.T) {
	c := exec.Command("linchpin-stubborn")
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for range 2 { // one line when it begins, one when its context has ended
		if !lines.Scan() {
			t.Fatalf("it said nothing: %v", lines.Err())
		}
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	err = c.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != statusInterrupted || time.Since(start) > 30*time.Second {
		// it sleeps for a minute
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// TestHangup closes the terminal of a run: the shell and the kernel each send a SIGHUP, and nobody reads what it says.
func TestHangup(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: no server is started")
	}
	hearHangups(t)
	server := neo4jtest.Shared(t)
	server.Query(t, `UNWIND range(0, 22499) AS i CREATE (v:V {i: i}) WITH collect(v) AS all
		UNWIND all AS a UNWIND [1, 150] AS k WITH a, all[a.i + k] AS b WHERE b IS NOT NULL CREATE (a)-[:E]->(b)`, nil)
	c := exec.Command("linchpin", "run", "grid", "--config", "linchpin.yml")
	c.Dir = t.TempDir()
	config := fmt.Sprintf("version: 1\nneo4j: {uri: %q, username: \"\"}\njobs:\n  - name: grid\n    graph: {nodes: [V], relationships: [{type: E, orientation: undirected}]}\n"+
		"    measures: [{measure: betweenness, nodes: bc}]\n    compute: {device: cpu, threads: 1}\n", server.URI())
	if err := os.WriteFile(filepath.Join(c.Dir, "linchpin.yml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() && !strings.Contains(lines.Text(), "msg=plan") {
	}
	stderr.Close()
	for range 2 {
		if err := c.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	err = c.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != statusInterrupted {
		t.Errorf("%v, want exit status %d", err, statusInterrupted)
	}
	left := server.Query(t,
		"MATCH (r:LinchpinRun) MATCH (l:LinchpinLock {name: 'grid'}) RETURN r.status AS status, l.token AS lock", nil)
	if len(left) != 1 || left[0]["status"] != "cancelled" || left[0]["lock"] != nil {
		t.Errorf("left %v", left)
	}
}

// TestNohup: who had SIGHUP ignored before linchpin began means it.
func TestNohup(t *testing.T) {
	c := exec.Command("sh", "-c", "trap '' HUP; exec linchpin-stubborn")
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	lines.Scan()
	if err := c.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(500*time.Millisecond, func() { _ = c.Process.Kill() })
	if lines.Scan() {
		t.Errorf("it said %q", lines.Text())
	}
	_ = c.Wait()
}
