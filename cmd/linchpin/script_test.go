package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/linchpin-graph/linchpin/internal/scripttest"
)

var update = flag.Bool("update", false, "write the expected output of the scripts anew")

// TestMain makes the test binary stand for linchpin when a script calls it.
func TestMain(m *testing.M) {
	testscript.Main(tidy{m}, map[string]func(){"linchpin": main, "linchpin-stubborn": stubborn})
}

// tidy removes the program that the tests have built.
type tidy struct{ tests *testing.M }

// Run runs the tests.
func (m tidy) Run() int {
	defer os.Remove(builtPath())
	return m.tests.Run()
}

// TestScripts runs the terminal sessions of testdata/*.txtar.
func TestScripts(t *testing.T) {
	graphs, err := filepath.Abs("testdata/graphs")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GRAPHS", graphs)
			e.Setenv("CUDA_VISIBLE_DEVICES", "") // the sessions are those of a machine without a GPU
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": scripttest.Status, "json": scripttest.JSON, "grid": scriptGrid, "bytes": scriptBytes, "csv": scriptCSV,
		},
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// scriptGrid writes a grid as an edge list: grid FILE ROWS COLUMNS.
func scriptGrid(ts *testscript.TestScript, _ bool, args []string) {
	rows, err := strconv.Atoi(args[1])
	ts.Check(err)
	columns, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(writeGrid(ts.MkAbs(args[0]), rows, columns))
}

func writeGrid(path string, rows, columns int) error {
	var b strings.Builder
	b.WriteString("src,dst\n")
	for v := range rows * columns {
		if v%columns < columns-1 {
			fmt.Fprintf(&b, "%d,%d\n", v, v+1)
		}
		if v/columns < rows-1 {
			fmt.Fprintf(&b, "%d,%d\n", v, v+columns)
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// scriptBytes writes a file that text archives cannot hold: bytes FILE 'Go string literal'.
func scriptBytes(ts *testscript.TestScript, _ bool, args []string) {
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// scriptCSV compares two tables of scores cell by cell, numbers to 1e-9 relative: csv GOT WANT.
func scriptCSV(ts *testscript.TestScript, _ bool, args []string) {
	got := strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n")
	want := strings.Split(strings.TrimSpace(ts.ReadFile(args[1])), "\n")
	if len(got) != len(want) {
		ts.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		g, w := strings.Split(got[i], ","), strings.Split(want[i], ",")
		if len(g) != len(w) {
			ts.Fatalf("row %d: %s, want %s", i+1, got[i], want[i])
		}
		for k := range w {
			x, errX := strconv.ParseFloat(g[k], 64)
			y, errY := strconv.ParseFloat(w[k], 64)
			same := errX == nil && errY == nil && abs(x-y) <= 1e-9*max(abs(x), abs(y))
			if g[k] != w[k] && !same {
				ts.Fatalf("row %d: %s, want %s", i+1, got[i], want[i])
			}
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }
