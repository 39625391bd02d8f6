package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// killedMerge is a folder with the parts of a run, and a merge that is to be killed.
type killedMerge struct {
	*testing.T
	folder string
}

func (k *killedMerge) path(name string) string { return filepath.Join(k.folder, name) }

// pipe makes a named pipe in place of a file.
func (k *killedMerge) pipe(name string) {
	k.Helper()
	_ = os.Remove(k.path(name))
	if err := syscall.Mkfifo(k.path(name), 0o600); err != nil {
		k.Fatal(err)
	}
}

// start starts a merge in the folder.
func (k *killedMerge) start(args ...string) (*exec.Cmd, io.Reader) {
	k.Helper()
	c := exec.Command("linchpin", append([]string{"merge"}, args...)...)
	c.Dir = k.folder
	stderr, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		k.Fatal(err)
	}
	return c, stderr
}

// opened returns when the merge has opened a pipe: to read it, or to write it.
func (k *killedMerge) opened(name string, flag int) *os.File {
	k.Helper()
	opened := make(chan *os.File, 1)
	go func() { // which waits for the other end
		if f, err := os.OpenFile(k.path(name), flag, 0); err == nil {
			opened <- f
		}
	}()
	select {
	case f := <-opened:
		return f
	case <-time.After(time.Minute):
		k.Fatalf("merge did not open %s", name)
		return nil
	}
}

// said returns when the merge has said something.
func (k *killedMerge) said(stderr io.Reader, words string) {
	k.Helper()
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if strings.Contains(lines.Text(), words) {
			return
		}
	}
	k.Fatalf("it did not say %q", words)
}

// until starts a merge that has a part to compute, and returns when it has said something.
func (k *killedMerge) until(words string) *exec.Cmd {
	k.Helper()
	c, stderr := k.start("parts/1.part", "--complete", "--threads", "1", "--nodes-out", "scores.csv")
	k.said(stderr, words)
	return c
}

// moments are those at which a merge is killed. Each returns the merge once it is there.
func moments() map[string]func(*killedMerge) *exec.Cmd {
	return map[string]func(*killedMerge) *exec.Cmd{
		"while it reads the parts": func(k *killedMerge) *exec.Cmd {
			k.pipe("pipe.part")
			c, _ := k.start("parts/0.part", "pipe.part", "--nodes-out", "scores.csv")
			defer k.opened("pipe.part", os.O_WRONLY).Close()
			return c
		},
		"when it has read the graph": func(k *killedMerge) *exec.Cmd { return k.until("msg=load") },
		"when it has planned":        func(k *killedMerge) *exec.Cmd { return k.until("msg=plan") },
		"while it computes a part": func(k *killedMerge) *exec.Cmd {
			return k.until(
				"part 0 of 2 is missing and is computed here",
			)
		},
		"while it writes": func(k *killedMerge) *exec.Cmd {
			k.pipe("edges.csv")
			c, _ := k.start("parts", "--nodes-out", "scores.csv", "--edges-out", "edges.csv")
			if _, err := io.ReadFull(k.opened("edges.csv", os.O_RDONLY), make([]byte, 1)); err != nil {
				k.Fatal(err)
			}
			return c
		},
	}
}

// TestKilledMergeIsRepeated: a merge that is killed, at any moment, leaves the parts as they were and no scores. Done
// again it makes those of a merge that nobody killed, and nothing is left of the first one.
func TestKilledMergeIsRepeated(t *testing.T) {
	t.Setenv("LINCHPIN_WORKER", "")
	t.Setenv("CUDA_VISIBLE_DEVICES", "")
	from := &killedMerge{t, t.TempDir()}
	if err := writeGrid(from.path("graph.csv"), 90, 60); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		mustRun(t, "shard", from.path("graph.csv"), "--measure", "betweenness", "--nodes", "--edges", "--device", "cpu",
			"--reduce", "off", "--index", fmt.Sprint(i), "--of", "2", "--out", from.path(fmt.Sprint(i, partSuffix)))
	}
	mustRun(t, "merge", from.folder, "--nodes-out", from.path("want.csv"))
	want := read(t, from.path("want.csv"))
	for name, until := range moments() {
		t.Run(name, func(t *testing.T) {
			k := &killedMerge{t, t.TempDir()}
			if err := os.Mkdir(k.path("parts"), 0o700); err != nil {
				t.Fatal(err)
			}
			var kept [2][]byte
			for i := range kept {
				kept[i] = read(t, from.path(fmt.Sprint(i, partSuffix)))
				if err := os.WriteFile(k.path(fmt.Sprint("parts/", i, partSuffix)), kept[i], 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c := until(k)
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait() // it was killed
			if _, err := os.Stat(k.path("scores.csv")); err == nil {
				t.Error("a merge that was killed left scores")
			}
			if half, _ := filepath.Glob(k.path("*.tmp")); name == "while it writes" && len(half) != 1 {
				t.Errorf("a merge that was killed while it wrote left %s", half)
			}
			mustRun(t, "merge", k.path("parts"), "--nodes-out", k.path("scores.csv"))
			if !bytes.Equal(read(t, k.path("scores.csv")), want) {
				t.Error("other scores")
			}
			for i := range kept {
				if !bytes.Equal(read(t, k.path(fmt.Sprint("parts/", i, partSuffix))), kept[i]) {
					t.Errorf("part %d changed", i)
				}
			}
			if left, _ := filepath.Glob(k.path("*.tmp")); len(left) > 0 {
				t.Errorf("left %s", left)
			}
		})
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
