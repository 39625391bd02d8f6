package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the expected output of the scripts anew")

// TestMain makes the test binary stand for linchpin when a script calls it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"linchpin": main, "linchpin-stubborn": stubborn})
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
			"status": scriptStatus, "json": scriptJSON, "grid": scriptGrid, "bytes": scriptBytes, "csv": scriptCSV,
		},
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// scriptStatus runs a command and demands its exit status: status 2 linchpin validate.
func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// scriptJSON looks a value up in the one JSON value of a file: json stdout seconds.load '0\..*' compares by text after
// a dot path, where a number picks an element of a list. With ! the key must be missing.
func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 && !(neg && len(args) == 2) {
		ts.Fatalf("usage: json FILE PATH VALUE")
	}
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	decoder.UseNumber()
	var value any
	ts.Check(decoder.Decode(&value))
	if decoder.More() {
		ts.Fatalf("%s holds more than one JSON value", args[0])
	}
	present := true
	for _, key := range strings.Split(args[1], ".") {
		switch v := value.(type) {
		case map[string]any:
			value, present = v[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil && present {
				ts.Fatalf("%s: %q is no place in a list", args[1], key)
			}
			if present = present && i < len(v); present {
				value = v[i]
			}
		default:
			present = false
		}
	}
	switch {
	case neg && present:
		ts.Fatalf("%s is there: %v", args[1], value)
	case neg:
	case !present:
		ts.Fatalf("no %s", args[1])
	case args[2] == "number": // any that is not negative
		if n, ok := value.(json.Number); !ok || strings.HasPrefix(n.String(), "-") {
			ts.Fatalf("%s is %v, no number", args[1], value)
		}
	case fmt.Sprint(value) != args[2]:
		ts.Fatalf("%s is %v, want %s", args[1], value, args[2])
	}
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
