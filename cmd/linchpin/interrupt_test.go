package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterrupt stops compute in the middle of a computation that would take minutes.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	grid := filepath.Join(dir, "grid.csv")
	if err := writeGrid(grid, 300, 300); err != nil {
		t.Fatal(err)
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
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
		if err := c.Process.Signal(signal); err != nil {
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
			t.Errorf("%v: %v, want exit status %d\n%s", signal, err, statusInterrupted, strings.Join(rest, "\n"))
		}
		if spent > time.Second {
			t.Errorf("%v: took %v to stop", signal, spent)
		}
		if last := rest[len(rest)-1]; last != "linchpin: interrupted" {
			t.Errorf("%v: last line %q", signal, last)
		}
		if files, err := filepath.Glob(filepath.Join(dir, "out*")); err != nil || len(files) > 0 {
			t.Errorf("%v: left %v, %v", signal, files, err)
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
	if !errors.As(err, &exit) || exit.ExitCode() != statusInterrupted || time.Since(start) > time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}
